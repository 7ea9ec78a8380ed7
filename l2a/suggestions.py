"""What is asked of a tagger and what it answers, as plain values."""

from dataclasses import dataclass

from l2a.messages import Message
from l2a.search.voting import MAX_SHOWN


@dataclass(frozen=True)
class Hypothesis:
    """One entry of the N-best list."""

    tags: tuple[str, ...]
    log_probability: float
    order: str = ""  # the order it was written in: names the member of a model that has two


@dataclass(frozen=True)
class Suggestion:
    """A voted tag with all that is known about it."""

    tag: str
    votes: int  # of hypotheses and, where the model has evidence that votes, of what was found
    share: float  # votes / beam
    rank: int  # from 1
    probability: float  # of the hypotheses that contain it; with two orders the mean of both
    kept: bool
    is_new: bool  # in none of the model's training labels
    cues: tuple[str, ...]  # source words it shares (paper section 1)
    written: int  # hypotheses that contain it
    best_hypothesis: int | None  # index into `Suggestions.hypotheses`; None where no hypothesis contains it
    voters: tuple[tuple[str, float], ...] = ()  # whose votes they are, before rounding: see l2a.search.voting.TagVote


@dataclass(frozen=True)
class Suggestions:
    """The answer for one question, with everything needed to record or repeat it."""

    question_id: str
    suggestions: tuple[Suggestion, ...]  # all voted tags, best first
    hypotheses: tuple[Hypothesis, ...]  # the N-best list, best first
    source_words: tuple[str, ...]
    beam: int
    threshold: float
    model_version: str
    notes: tuple[Message, ...] = ()  # what had to be left out, for the reader

    @property
    def kept(self) -> tuple[Suggestion, ...]:
        """Tags over the threshold, at most five."""
        return tuple(suggestion for suggestion in self.suggestions if suggestion.kept)[:MAX_SHOWN]


@dataclass(frozen=True)
class Constraints:
    """Asked for by a person, for one decode: tags to leave out, a tag to begin with, a closed tag list."""

    ban: tuple[str, ...] = ()
    first_tag: str | None = None
    known_tags: tuple[str, ...] | None = None


NO_CONSTRAINTS = Constraints()
