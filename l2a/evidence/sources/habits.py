"""How tags are given here: how often, how often lately, with which others, above which others.

It names no tag of its own: it says of tags that others named how usual they are.
"""

from collections.abc import Sequence
from math import log1p

from l2a.evidence.memory.decisions import RECENT
from l2a.evidence.source import Finding, MemorySource, PreparedQuestion
from l2a.messages import Message

DOUBT = 20  # decisions that speak for no tag: the first one makes nothing usual
TOLD_FROM = 5  # times: a rarer tag's number says nothing to anybody


class Habits(MemorySource):
    """`ever`: 1 where it was given. `often`: log of the times. `usual`: the share of questions that have it. `lately`:
    the share of the latest. `together`: how often it goes with a tag that stands in the title. `above`: 1 for the tag
    above such a tag."""

    name, rank = "habits", 8

    def find(self, question: PreparedQuestion) -> list[Finding]:
        return []

    def judge(self, question: PreparedQuestion, tags: Sequence[str]) -> list[Finding]:
        memory = self.memory
        named = [name.tag for name in question.once(memory.names_in) if name.is_in_title]
        above = {parent for name in named if (parent := memory.parent(name)) is not None}
        latest = max(1, min(RECENT, len(memory)))
        found = []
        for tag in tags:
            figures, text = {}, None
            if times := memory.times_given(tag):
                lately = memory.times_given_lately(tag)
                figures = {
                    "ever": 1.0,
                    "often": log1p(times),
                    "usual": times / (len(memory) + DOUBT),
                    "lately": lately / (latest + DOUBT),
                }
                others = [name for name in named if name != tag]
                together = max(
                    (memory.times_together(tag, name) / (memory.times_given(name) + 1) for name in others), default=0
                )
                if together:
                    figures["together"] = together
                if lately >= TOLD_FROM:
                    text = Message("finding.lately", {"count": lately, "of": latest})
            if tag in above:
                figures["above"] = 1.0
                text = Message("finding.above")
            if figures:
                found.append(Finding(tag, self.name, figures, text=text))
        return found


SOURCE = Habits
