"""N-best voting: a tag's votes are the hypotheses that contain it (paper section 4.5). Pure and deterministic.

Beyond the paper, what is known about a question may vote too (`Ballot`), and hypotheses may count for less where they
name a tag that no list has (`worth`). Without either the votes are the paper's.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from l2a.text.cleaning import match_key

# (7 / 55) * 55 is a little under 7 in floating point: a tag with just the threshold's votes would be kept.
_ROUNDING = 1e-9
HYPOTHESES = "hypotheses"  # among the voters, the N-best list
MAX_SHOWN = 5  # the task's limit: at most five tags a question


@dataclass(frozen=True)
class Ballot:
    """Votes for a tag that come from elsewhere than the hypotheses."""

    tag: str
    votes: float
    voter: str  # whose they are


@dataclass(frozen=True)
class TagVote:
    """How the N-best list, and what else votes, stand behind a tag."""

    tag: str
    votes: int  # N at most
    share: float  # votes / N, N being the beam asked for
    rank: int  # from 1
    kept: bool  # votes > threshold * N
    written: int  # hypotheses that contain it
    best_hypothesis: int | None  # place in the N-best list of the most probable one, from 0; None where none does
    probability: float  # that an answer drawn from the model has it, as far as the list knows: at most 1
    # (voter, votes) of each that speaks for it, the hypotheses first. `votes` is their sum, rounded, and N at most.
    voters: tuple[tuple[str, float], ...] = ()


@dataclass
class _Entry:
    """What is counted for one tag."""

    tag: str
    place: int  # of the best hypothesis with it; past the last one where none has it
    position: int  # in that hypothesis
    written: int = 0
    others: dict[str, float] = field(default_factory=dict)  # votes of ballots, by voter
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
    ballots: Sequence[Ballot] = (),
    worth: Callable[[str], float] = lambda tag: 1.0,
) -> list[TagVote]:
    """All tags with a vote, best first.

    tag_lists, log_probabilities: the hypotheses, best first. `beam` is N even where fewer hypotheses came back.
    members: of how many distributions they are the most probable. A model with two orders has two, each of which has
    half of the votes; likewise each has half of the say in a tag's probability, which is that of their mixture.
    Spellings with one matching key are one tag, shown as in its most probable hypothesis; a hypothesis votes
    once for a tag, with the tag's `worth`. A sum is rounded to whole votes. Ties in votes go to the greater
    probability, then to the better best hypothesis, then to the tag that comes first in that hypothesis.
    """
    found: dict[str, _Entry] = {}
    for place, (tags, log_probability) in enumerate(zip(tag_lists, log_probabilities, strict=True)):
        first_spelling: dict[str, tuple[int, str]] = {}
        for position, tag in enumerate(tags):
            first_spelling.setdefault(match_key(tag), (position, tag))
        for key, (position, tag) in first_spelling.items():
            entry = found.setdefault(key, _Entry(tag, place, position))
            entry.written += 1
            entry.mass += math.exp(log_probability) / members
    for position, ballot in enumerate(ballots):
        entry = found.setdefault(match_key(ballot.tag), _Entry(ballot.tag, len(tag_lists), position))
        entry.others[ballot.voter] = entry.others.get(ballot.voter, 0.0) + ballot.votes
    counted = [(_total(entry, beam, worth), entry) for entry in found.values()]
    ranked = sorted(counted, key=lambda item: (-item[0], -item[1].mass, item[1].place, item[1].position))
    return [
        TagVote(
            tag=entry.tag,
            votes=votes,
            share=votes / beam,
            rank=rank,
            kept=is_kept(votes, beam, threshold),
            written=entry.written,
            best_hypothesis=entry.place if entry.written else None,
            probability=min(1.0, entry.mass),  # hypotheses exclude each other: only rounding is cut off
            voters=_voters(entry, worth),
        )
        for rank, (votes, entry) in enumerate(((v, e) for v, e in ranked if v or e.written), start=1)
    ]


def _total(entry: _Entry, beam: int, worth: Callable[[str], float]) -> int:
    """Whole votes; a half goes up, so that a tag which one hypothesis in two names does not lose its vote."""
    return min(beam, math.floor(sum(votes for _, votes in _voters(entry, worth)) + 0.5))


def _voters(entry: _Entry, worth: Callable[[str], float]) -> tuple[tuple[str, float], ...]:
    """Whose votes a tag has; who gives none is left out."""
    voters = ((HYPOTHESES, entry.written * worth(entry.tag)), *entry.others.items())
    return tuple((voter, votes) for voter, votes in voters if votes)
