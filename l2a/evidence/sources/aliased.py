"""Listed tags that stand in the text under another spelling: 比特币 for 比特币(Bitcoin)."""

from l2a.evidence.aliases import Aliases
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, PreparedQuestion, RetrieverSource
from l2a.messages import Message


class Aliased(RetrieverSource):
    """`probability`: as a logistic regression has it, of how and where it stands and how often it was right."""

    name, rank, needs = "aliased", 10, "aliases"

    def __init__(self, retriever: Retriever):
        super().__init__(retriever)
        self._aliases = Aliases(retriever.arrays)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return [
            Finding(alias.tag, self.name, {"probability": probability}, text=Message("finding.aliased"))
            for alias in self._aliases.find(question.words)
            if (probability := self._aliases.probability(alias)) is not None
        ]


SOURCE = Aliased
