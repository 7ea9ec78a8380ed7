"""Tags that stand in the text and were given to questions before."""

from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, PreparedQuestion, Source


class Named(Source):
    """`probability`: how often such a match was one of the question's tags."""

    name, rank, gives_hints = "named", 3, True

    def __init__(self, retriever: Retriever):
        self._retriever = retriever

    @classmethod
    def open(cls, retriever: Retriever | None) -> "Named | None":
        return None if retriever is None else cls(retriever)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return [
            Finding(match.tag, self.name, {"probability": match.precision}, match.hint(self.name))
            for match in question.once(self._retriever.matches)
            if match.is_given
        ]


SOURCE = Named
