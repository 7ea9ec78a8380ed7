"""Names and aliases of the store's own tags in the text: what was given here, and what its list has."""

from l2a.evidence.source import Finding, MemorySource, PreparedQuestion
from l2a.messages import Message


class Mentions(MemorySource):
    """`title`, `description`: 1 where a name of the tag stands."""

    name, rank = "mentions", 7

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return [
            Finding(
                found.tag,
                self.name,
                {"title" if found.is_in_title else "description": 1.0},
                text=Message("finding.in_title" if found.is_in_title else "finding.in_description"),
            )
            for found in question.once(self.memory.names_in)
        ]


SOURCE = Mentions
