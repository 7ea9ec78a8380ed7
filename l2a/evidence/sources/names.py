"""Names in the title that no list has and nobody has given: what a tag could be that nobody used before."""

import math
from typing import Self

from l2a.evidence.aliases import Aliases
from l2a.evidence.names.finder import Name, NameFinder
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, Known, PreparedQuestion, Source
from l2a.messages import Message

FAINT = 0.01  # of a likeness: below, the scale is straight
LATEST = 50.0  # nats of lateness: what is later is no younger


class Names(Source):
    """`probability`: how often such a name was one of its question's tags. `likeness`: how much it looks like a tag of
    a list. Of a name that people write since lately only, so that no list could have it: `young`: 1; `late`: how late
    it first stands in the large text; `promise`: its likeness on a logarithmic scale. `form`: of a name that is too
    rare in any text to say more of it, how surely its form is that of a tag, on a logarithmic scale; `regular`: 1 if it
    begins and ends as many names do."""

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
            figures["late"] = math.log1p(min(name.lateness, LATEST)) / math.log1p(LATEST)
            figures["promise"] = math.log1p(name.likeness / FAINT) / math.log1p(1 / FAINT)
        elif name.is_rare:
            figures["form"] = math.log((1 + FAINT) / (1 + FAINT - name.likeness)) / math.log1p(1 / FAINT)
            if name.is_regular:
                figures["regular"] = 1.0
        return Finding(name.text, self.name, figures, text=Message("finding.name"))

    def _is_known(self, name: str) -> bool:
        """Whether a list has it, be it under another spelling: other sources speak for those."""
        is_listed = self._retriever is not None and self._retriever.is_listed(name)
        return is_listed or (self._aliases is not None and name in self._aliases)


SOURCE = Names
