"""How the live version's votes relate to what people accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.dashboard import vote_outcomes
from app.dashboard.vote_outcomes import Bin, Outcome, Threshold
from db.figures.rate import SHOWN


@dataclass(frozen=True)
class Reliability:
    """How the live version's votes relate to what people accepted, and the threshold that would have suited them."""

    version: str
    tags: int  # that were shown or judged, as `among` says
    bins: tuple[Bin, ...]
    among: str = SHOWN
    beam: int = 0
    votes: int = 0  # a tag needs more than so many now
    now: Threshold | None = None
    proposed: Threshold | None = None  # None while there are too few tags

    @property
    def proposed_votes(self) -> int | None:
        return None if self.proposed is None else round(self.proposed.share * self.beam)


def reliability(
    version: str, outcomes: Sequence[Outcome], missed: int, settings: tuple[int, float] | None, among: str = SHOWN
) -> Reliability:
    """`outcomes` of the tags that `among` counts; `missed`: right tags that were not suggested; `settings`: the
    version's beam and threshold, if they are known."""
    tags = vote_outcomes.total(outcomes)
    bins = tuple(vote_outcomes.reliability(outcomes))
    if settings is None:
        return Reliability(version, tags, bins, among)
    beam, threshold = settings
    votes = min(beam - 1, int(threshold * beam + 1e-9))
    return Reliability(
        version,
        tags,
        bins,
        among,
        beam,
        votes,
        vote_outcomes.thresholds(outcomes, missed, beam)[votes],
        vote_outcomes.propose_threshold(outcomes, missed, beam),
    )
