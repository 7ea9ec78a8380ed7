"""Tags that stand in the text and were given to questions before."""

from l2a.evidence.source import Finding, PreparedQuestion, RetrieverSource
from l2a.messages import Message


class Named(RetrieverSource):
    """`probability`: how often such a match was one of the question's tags."""

    name, rank, gives_hints = "named", 3, True

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return [
            Finding(
                match.tag, self.name, {"probability": match.precision}, match.hint(self.name), Message("finding.named")
            )
            for match in question.once(self.retriever.matches)
            if match.is_given
        ]


SOURCE = Named
