"""What is asked of a tagger and what it answers, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from l2a.evidence.source import Finding
from l2a.messages import Message
from l2a.search.voting import MAX_SHOWN

MOST_ON_BOARD = 10  # as many as there are digits
LEAST_SHARE = 0.05  # of the votes, where tags are ordered by votes; less is noise
LEAST_CHANCE = 0.15  # of the cut, where they are ordered by chance


@dataclass(frozen=True)
class Precedent:
    """A decided question that is like this one."""

    question_id: int
    likeness: float  # 0 to 1


@dataclass(frozen=True)
class Hypothesis:
    """One entry of the N-best list."""

    tags: tuple[str, ...]
    log_probability: float
    order: str = ""  # the order it was written in: names the member of a model that has two


@dataclass(frozen=True)
class Suggestion:
    """A tag with all that is known about it: votes, evidence and chance, kept apart."""

    tag: str
    votes: int  # hypotheses that contain it
    share: float  # votes / beam
    rank: int  # from 1
    probability: float  # of the hypotheses that contain it; with two orders the mean of both
    kept: bool
    is_new: bool  # in none of the model's training labels
    cues: tuple[str, ...]  # source words it shares (paper section 1)
    best_hypothesis: int | None  # index into `Suggestions.hypotheses`; None where no hypothesis contains it
    chance: float | None = None  # that a person accepts it; None where tags are ordered by votes
    findings: tuple[Finding, ...] = ()  # the evidence, the strongest first
    figures: Mapping[str, float] = field(default_factory=dict)  # what the ranker saw


@dataclass(frozen=True)
class Suggestions:
    """The answer for one question, with everything needed to record or repeat it."""

    question_id: str
    suggestions: tuple[Suggestion, ...]  # all tags that anything speaks for, best first
    hypotheses: tuple[Hypothesis, ...]  # the N-best list, best first
    source_words: tuple[str, ...]
    beam: int
    threshold: float  # share of the votes
    model_version: str
    notes: tuple[Message, ...] = ()  # what had to be left out, for the reader
    cut: float | None = None  # the chance above which a tag is kept; None where tags are kept by votes
    ranked_on: int = 0  # decisions that the ranker was fitted on
    precedents: tuple[Precedent, ...] = ()  # decided questions most like this one, the nearest first

    @property
    def kept(self) -> tuple[Suggestion, ...]:
        """Tags over the threshold or the cut, at most five."""
        return tuple(suggestion for suggestion in self.suggestions if suggestion.kept)[:MAX_SHOWN]

    @property
    def shown(self) -> tuple[Suggestion, ...]:
        """Tags worth putting before a person: those that are kept, and what is not out of the question. Few are likely,
        few are shown."""
        if self.cut is None:
            floor = LEAST_SHARE * self.beam
            worth = (tag for tag in self.suggestions if tag.kept or tag.votes > floor)
        else:
            least = LEAST_CHANCE * self.cut
            worth = (tag for tag in self.suggestions if tag.kept or (tag.chance or 0.0) > least)
        return tuple(worth)[:MOST_ON_BOARD]

    @property
    def by_votes(self) -> tuple[Suggestion, ...]:
        """Tags that hypotheses contain, in the paper's order."""

        def order(tag: Suggestion) -> tuple:
            hypothesis = tag.best_hypothesis or 0
            return -tag.votes, -tag.probability, hypothesis, self.hypotheses[hypothesis].tags.index(tag.tag)

        return tuple(sorted((tag for tag in self.suggestions if tag.votes), key=order))


@dataclass(frozen=True)
class Constraints:
    """Asked for by a person, for one decode: tags to leave out, a tag to begin with, a closed tag list."""

    ban: tuple[str, ...] = ()
    first_tag: str | None = None
    known_tags: tuple[str, ...] | None = None


NO_CONSTRAINTS = Constraints()
