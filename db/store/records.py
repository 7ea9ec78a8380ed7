"""Plain values that go in and out of the store. Nothing here touches the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class LabelledQuestion:
    """One question with what people decided about it: a row of an export.

    `tags` are the current labels, spelled as their tags are named now, best first. `rejected` and `unjudged` keep what
    was shown and not taken: a rejection is data too. Times are in UTC.
    """

    question_id: int
    title: str
    description: str = ""
    source: str = ""
    external_id: str = ""  # the id in the file the question came from
    tags: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    prior_tags: tuple[str, ...] = ()  # tags the question came with
    people: tuple[str, ...] = ()  # names of those whose opinions count
    entries: tuple[int, ...] = ()  # numbers of the ledger entries behind the labels: their receipts
    model_versions: tuple[str, ...] = ()  # versions whose suggestions were answered
    state: str = "single"  # single, agreed, conflict or reviewed
    agreement: float | None = None  # mean pairwise MASI similarity of the opinions; None with fewer than two
    decided_at: datetime | None = None
    picks: tuple[str, ...] = field(default=())  # why each opinion's question was served: ordered, random, blind, direct
    flags: tuple[str, ...] = ()  # of the opinions, and who raised each
    flagged_by: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()  # on the opinions and on the review, and who wrote each
    commented_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToldFinding:
    """Evidence for a tag, as a person was told it: a code of the engine's messages and what fills its blanks."""

    source: str
    code: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ProposedTag:
    """One tag of a suggestion, best first in its list."""

    tag: str
    votes: int  # hypotheses that contain it; in old suggestions other evidence is mixed in
    probability: float
    kept: bool
    is_new: bool
    cues: tuple[str, ...] = ()  # words of the question that the tag shares
    hypothesis: tuple[str, ...] = ()  # the tags of the best hypothesis that holds it
    chance: float | None = None  # that a person accepts it; None where the model orders by votes
    evidence: tuple[ToldFinding, ...] = ()  # the strongest first
    figures: Mapping[str, float] = field(default_factory=dict)  # what the ranker saw
