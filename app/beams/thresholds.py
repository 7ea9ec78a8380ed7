"""What is kept at every threshold and at every beam size."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from l2a.search.voting import MAX_SHOWN, is_kept

if TYPE_CHECKING:
    from l2a.suggestions import Constraints, Suggestion, Suggestions

BEAMS = (1, 2, 4, 8, 16, 32, 48)
LARGEST_BEAM = 48


@dataclass(frozen=True)
class ThresholdStep:
    """From `votes` votes on (and under those of the next step) the threshold leaves these tags."""

    votes: int  # a tag needs more than these
    threshold: float  # as a share of the beam
    tags: tuple[str, ...]


@dataclass(frozen=True)
class BeamRow:
    """What one beam size gives."""

    beam: int
    kept: tuple[str, ...]
    voted: int  # tags with at least one vote
    best: float | None  # log-probability of the best hypothesis
    seconds: float


def tags_over(suggestions: Sequence["Suggestion"], beam: int, threshold: float) -> tuple[str, ...]:
    """All tags with more votes than the threshold, best first; the first MAX_SHOWN of them are kept."""
    return tuple(tag.tag for tag in suggestions if is_kept(tag.votes, beam, threshold))


def threshold_steps(suggestions: Sequence["Suggestion"], beam: int) -> list[ThresholdStep]:
    """Every threshold at which the result changes, lowest first."""
    counts = sorted({0, *(tag.votes for tag in suggestions)})
    return [ThresholdStep(votes, votes / beam, tags_over(suggestions, beam, votes / beam)) for votes in counts]


def make_constraints(
    ban: Sequence[str], first_tag: str | None, known_tags: tuple[str, ...] | None
) -> "Constraints | None":
    """A person's wishes for one search; None without any."""
    if not ban and not first_tag and known_tags is None:
        return None
    from l2a.tagger import Constraints  # here and not above: it brings torch in

    return Constraints(ban=tuple(ban), first_tag=first_tag or None, known_tags=known_tags)


def try_beams(decode: Callable[[int], "Suggestions"], threshold: float) -> Iterator[BeamRow]:
    """The result at each size of BEAMS, one after the other."""
    for beam in BEAMS:
        begin = time.perf_counter()
        result = decode(beam)
        yield BeamRow(
            beam=beam,
            kept=tags_over(result.suggestions, beam, threshold)[:MAX_SHOWN],
            voted=len(result.suggestions),
            best=result.hypotheses[0].log_probability if result.hypotheses else None,
            seconds=time.perf_counter() - begin,
        )
