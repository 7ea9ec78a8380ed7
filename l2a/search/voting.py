"""N-best voting: a tag's votes are the hypotheses that contain it (paper section 4.5). Pure and deterministic.

Nothing else is ever added to votes. What else is known about a tag is evidence, and both together make a chance
(`l2a.ranking`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from l2a.text.cleaning import match_key

# (7 / 55) * 55 is a little under 7 in floating point: a tag with just the threshold's votes would be kept.
_ROUNDING = 1e-9
MAX_SHOWN = 5  # the task's limit: at most five tags a question
POSITION_WEIGHTS = tuple(1 / math.log(i + 2) for i in range(1, MAX_SHOWN + 1))  # of each position in the task's score


@dataclass(frozen=True)
class TagVote:
    """How the N-best list stands behind a tag."""

    tag: str
    votes: int  # hypotheses that contain it
    share: float  # votes / N, N being the beam asked for
    rank: int  # from 1
    kept: bool  # votes > threshold * N
    best_hypothesis: int  # place in the N-best list of the most probable one that contains it, from 0
    probability: float  # that an answer drawn from the model has it, as far as the list knows: at most 1


@dataclass
class _Entry:
    """What is counted for one tag."""

    tag: str
    place: int  # of the best hypothesis with it
    position: int  # in that hypothesis
    votes: int = 0
    mass: float = 0.0


def is_kept(votes: float, beam: int, threshold: float) -> bool:
    """Whether a tag has more votes than the threshold, a share of the beam: just as many do not suffice."""
    return votes > threshold * beam + _ROUNDING


def count_votes(
    tag_lists: Sequence[Sequence[str]],
    log_probabilities: Sequence[float],
    *,
    beam: int,
    threshold: float = 0.25,
    members: int = 1,
) -> list[TagVote]:
    """All tags with a vote, best first.

    tag_lists, log_probabilities: the hypotheses, best first. `beam` is N even where fewer hypotheses came back.
    members: of how many distributions they are the most probable. A model with two orders has two, each of which has
    half of the votes; likewise each has half of the say in a tag's probability, which is that of their mixture.
    Spellings with one matching key are one tag, shown as in its most probable hypothesis; a hypothesis votes once for a
    tag. Ties in votes go to the greater probability, then to the better best hypothesis, then to the tag that comes
    first in that hypothesis.
    """
    found: dict[str, _Entry] = {}
    for place, (tags, log_probability) in enumerate(zip(tag_lists, log_probabilities, strict=True)):
        first_spelling: dict[str, tuple[int, str]] = {}
        for position, tag in enumerate(tags):
            first_spelling.setdefault(match_key(tag), (position, tag))
        for key, (position, tag) in first_spelling.items():
            entry = found.setdefault(key, _Entry(tag, place, position))
            entry.votes += 1
            entry.mass += math.exp(log_probability) / members
    ranked = sorted(found.values(), key=lambda entry: (-entry.votes, -entry.mass, entry.place, entry.position))
    return [
        TagVote(
            tag=entry.tag,
            votes=entry.votes,
            share=entry.votes / beam,
            rank=rank,
            kept=is_kept(entry.votes, beam, threshold),
            best_hypothesis=entry.place,
            probability=min(1.0, entry.mass),  # hypotheses exclude each other: only rounding is cut off
        )
        for rank, entry in enumerate(ranked, start=1)
    ]
