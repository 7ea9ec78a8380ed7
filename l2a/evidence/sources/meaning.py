"""Tags of the decided questions nearest in meaning, as a sentence encoder sees it; only for those who have one.

It finds what is asked in other words. Nobody has found out in advance how much that is worth with which encoder: its
figures begin without weight, and what they are worth is learned from verdicts.
"""

from collections import defaultdict
from typing import Self

from l2a.evidence.memory.decisions import Memory
from l2a.evidence.memory.meanings import Meanings
from l2a.evidence.source import Finding, Known, MemorySource, PreparedQuestion
from l2a.messages import Message

DOUBT = 0.1  # likeness that speaks for no tag


class Meaning(MemorySource):
    """`share`: a tag's share of the squared likeness of all neighbours. `nearest`: the likeness of the nearest that has
    it."""

    name, rank = "meaning", 9

    def __init__(self, memory: Memory, meanings: Meanings):
        super().__init__(memory)
        self._meanings = meanings

    @classmethod
    def open(cls, known: Known) -> Self | None:
        meanings = None if known.memory is None else known.memory.meanings
        return None if known.memory is None or meanings is None else cls(known.memory, meanings)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        share: defaultdict[int, float] = defaultdict(float)
        nearest: dict[int, float] = {}
        total = DOUBT
        for neighbour, likeness in question.once(self._meanings.nearest):
            row = self.memory.row_of(neighbour)
            if row is None:  # left out for now
                continue
            total += likeness**2
            for tag in self.memory.tags_of(row):
                share[tag] += likeness**2
                nearest.setdefault(tag, likeness)
        return [
            Finding(
                self.memory.tags[tag],
                self.name,
                {"share": share[tag] / total, "nearest": nearest[tag]},
                text=Message("finding.meaning"),
            )
            for tag in sorted(share)
        ]


SOURCE = Meaning
