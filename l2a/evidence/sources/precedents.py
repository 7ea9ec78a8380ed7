"""Tags of the questions most like this one that people decided here, accepted and rejected."""

from collections import Counter, defaultdict

from l2a.evidence.source import Finding, MemorySource, PreparedQuestion
from l2a.messages import Message

NEIGHBOURS = 40  # decided questions whose tags are counted
DOUBT = 0.1  # likeness that speaks for no tag: one faint neighbour is no proof
NEAR_IDENTICAL = 0.6  # likeness from which a rejection is held against a tag
TOLD = 5  # of the nearest, that people are told about


class Precedents(MemorySource):
    """`share`: a tag's share of the squared likeness of all neighbours. `nearest`: the likeness of the nearest that has
    it. `refused`: how much more near-identical questions rejected it than have it."""

    name, rank = "precedents", 5

    def find(self, question: PreparedQuestion) -> list[Finding]:
        memory, near = self.memory, question.once(self.memory.nearest)
        share: defaultdict[int, float] = defaultdict(float)
        nearest: dict[int, float] = {}
        refused: defaultdict[int, float] = defaultdict(float)
        among: Counter[int] = Counter()
        total = DOUBT
        for place, (row, likeness) in enumerate(zip(near.rows[:NEIGHBOURS].tolist(), near.likeness, strict=False)):
            weight = float(likeness) ** 2
            total += weight
            for tag in memory.tags_of(row):
                share[tag] += weight
                nearest.setdefault(tag, float(likeness))
                among[tag] += place < TOLD
            if likeness >= NEAR_IDENTICAL:
                for tag in memory.rejected_of(row):
                    refused[tag] += weight
                for tag in memory.tags_of(row):
                    refused[tag] -= weight
        of = min(TOLD, len(near.rows))
        found = []
        for tag in sorted({*share, *(tag for tag, weight in refused.items() if weight > 0)}):
            figures = {"share": share[tag] / total, "nearest": nearest.get(tag, 0.0)}
            if refused[tag] > 0:
                figures["refused"] = refused[tag] / total
            found.append(Finding(memory.tags[tag], self.name, figures, text=_text(figures, among[tag], of)))
        return found


def _text(figures: dict[str, float], among: int, of: int) -> Message | None:
    if "refused" in figures:
        return Message("finding.refused")
    return Message("finding.precedents", {"count": among, "of": of}) if among else None


SOURCE = Precedents
