"""Names in the title that no list has and nobody has given: what a tag could be that nobody used before."""

import math
from typing import Self

from l2a.evidence.aliases import Aliases
from l2a.evidence.names.finder import Name, NameFinder
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, Known, PreparedQuestion, Source
from l2a.messages import Message

FAINT = 0.01  # of a probability: below, the scale is straight


class Names(Source):
    """`probability`: how often such a name was one of its question's tags. `likeness`: how much it looks like a tag of
    a list. `young`: 1 for a name that people write since lately only: no list could have it, and that none has it says
    nothing against it. `promise`: the probability of such a name on a logarithmic scale."""

    name, rank = "names", 11

    def __init__(self, finder: NameFinder, retriever: Retriever | None):
        self._finder, self._retriever = finder, retriever
        has_aliases = retriever is not None and "aliases" in retriever.arrays
        self._aliases = Aliases(retriever.arrays) if retriever is not None and has_aliases else None

    @classmethod
    def open(cls, known: Known) -> Self | None:
        return None if known.names is None else cls(known.names, known.retriever)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        title, description = question.question.title, question.question.description
        return [self._finding(name) for name in self._finder.find(title, description) if not self._is_known(name.text)]

    def _finding(self, name: Name) -> Finding:
        figures = {"probability": name.probability, "likeness": name.likeness}
        if name.is_young:
            figures["young"] = 1.0
            figures["promise"] = math.log1p(name.probability / FAINT) / math.log1p(1 / FAINT)
        return Finding(name.text, self.name, figures, text=Message("finding.name"))

    def _is_known(self, name: str) -> bool:
        """Whether a list has it, be it under another spelling: other sources speak for those."""
        is_listed = self._retriever is not None and self._retriever.is_listed(name)
        return is_listed or (self._aliases is not None and name in self._aliases)


SOURCE = Names
