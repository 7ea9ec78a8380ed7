"""Tags of a list that stand in the text and that nobody has given yet.

The network is told of those in the list that it was trained with. What votes may stand in further lists too, and its
probability is learned otherwise (`l2a.evidence.belief`): the two are findings of their own.
"""

import re

from l2a.evidence.belief import probability
from l2a.evidence.source import Finding, PreparedQuestion, RetrieverSource
from l2a.messages import Message
from l2a.text.cleaning import clean


class Listed(RetrieverSource):
    """`probability`: as a logistic regression has it, of how and where the tag stands in the text."""

    name, rank, gives_hints = "listed", 4, True

    def find(self, question: PreparedQuestion) -> list[Finding]:
        told = [
            Finding(
                match.tag, self.name, {"precision": match.precision}, match.hint(self.name), Message("finding.listed")
            )
            for match in question.once(self.retriever.matches)
            if not match.is_given
        ]
        return told if question.is_labelled else told + self._voting(question)

    def _voting(self, question: PreparedQuestion) -> list[Finding]:
        belief = self.retriever.belief
        if not len(belief):
            return []
        texts = clean(question.question.title), clean(question.question.description)
        return [
            Finding(
                as_written(match.key, *texts),
                self.name,
                {"probability": probability(belief, described)},
                text=Message("finding.listed"),
            )
            for match, described in self.retriever.unused(question.words)
        ]


def as_written(key: str, *texts: str) -> str:
    """A listed tag as one of the texts spells it: the list knows it in small letters and without spaces only."""
    letters = re.compile(r"\s?".join(map(re.escape, key)), re.IGNORECASE)
    found = next(filter(None, map(letters.search, texts)), None)
    return found.group() if found else key


SOURCE = Listed
