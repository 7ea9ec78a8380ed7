"""What votes and all findings of the model's own evidence are worth together, as boosted trees have it."""

from collections.abc import Sequence

from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, PreparedQuestion, RetrieverSource, Vote
from l2a.evidence.weighing import NAME, Weigher

LEAST = 0.005  # probability of a tag that is worth a mention


class Weighed(RetrieverSource):
    """`probability`: that of the trees. People are told what the findings say one by one."""

    name, rank, needs = "weighed", 12, f"{NAME}_figure"

    def __init__(self, retriever: Retriever):
        super().__init__(retriever)
        self._weigher = Weigher(retriever.arrays)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return []

    def weigh(self, question: PreparedQuestion, found: Sequence[Finding], votes: Sequence[Vote]) -> list[Finding]:
        return [
            Finding(tag, self.name, {"probability": probability})
            for tag, probability in self._weigher.weigh(question, found, votes, self.retriever)
            if probability >= LEAST
        ]


SOURCE = Weighed
