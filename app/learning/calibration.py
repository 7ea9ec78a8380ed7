"""How often is a tag with so many votes accepted? Votes mapped to a probability, from what people decided.

The more votes, the more probable: isotonic regression keeps that order and assumes nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ENOUGH = 200  # judged tags before a probability is said
BINS = 10


@dataclass(frozen=True)
class Judgement:
    """A suggested tag that somebody judged."""

    share: float  # votes / beam
    accepted: bool


@dataclass(frozen=True)
class Bin:
    """A bar of the reliability chart: tags with such a share of votes, and how many of them were accepted."""

    low: float
    high: float
    count: int
    accepted: int

    @property
    def rate(self) -> float:
        return self.accepted / self.count


class Calibration:
    """A rising curve through the judgements; `probability` reads it."""

    def __init__(self, judgements: Sequence[Judgement]):
        """Raises ValueError with fewer than `ENOUGH` judgements: nothing could be said."""
        if len(judgements) < ENOUGH:
            raise ValueError(f"{len(judgements)} judgements are too few; {ENOUGH} are needed")
        from scipy.optimize import isotonic_regression  # a good part of a second before the first page otherwise

        ordered = sorted(judgements, key=lambda judgement: judgement.share)
        shares = np.array([judgement.share for judgement in ordered])
        self._shares, first, counts = np.unique(shares, return_index=True, return_counts=True)
        accepted = np.add.reduceat([float(judgement.accepted) for judgement in ordered], first)
        # One made-up acceptance and rejection for all, so that a rare share never gets exactly 0 or 1.
        rate = accepted.sum() / len(ordered)
        self._rates = isotonic_regression((accepted + rate) / (counts + 1), weights=counts + 1).x

    def probability(self, share: float) -> float:
        """Of being accepted, for a tag with this share of the votes; between known shares in a straight line."""
        return float(np.interp(share, self._shares, self._rates))


def reliability(judgements: Sequence[Judgement], bins: int = BINS) -> list[Bin]:
    """Judgements by share of votes; empty bins are left out."""
    found = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [j for j in judgements if low < j.share <= high or (number == 0 and j.share == 0)]
        if inside:
            found.append(Bin(low, high, len(inside), sum(j.accepted for j in inside)))
    return found


@dataclass(frozen=True)
class Threshold:
    """A voting threshold and what it would have given on the decisions."""

    share: float  # a tag is kept when votes > share * beam
    precision: float
    recall: float
    f1: float


def thresholds(judgements: Sequence[Judgement], missed: int, beam: int) -> list[Threshold]:
    """Every threshold of a beam; `missed` right tags had no vote at all (people added them)."""
    shares = np.array([judgement.share for judgement in judgements])
    accepted = np.array([judgement.accepted for judgement in judgements], dtype=bool)
    right = int(accepted.sum()) + missed
    found = []
    for votes in range(beam):
        kept = shares > votes / beam
        good, all_kept = int((kept & accepted).sum()), int(kept.sum())
        precision, recall = good / all_kept if all_kept else 0.0, good / right if right else 0.0
        both = precision + recall
        found.append(Threshold(votes / beam, precision, recall, 2 * precision * recall / both if both else 0.0))
    return found


def propose_threshold(judgements: Sequence[Judgement], missed: int, beam: int) -> Threshold | None:
    """The threshold with the best F1 on the decisions, the higher one of equals; None while there are too few."""
    if len(judgements) < ENOUGH:
        return None
    return max(thresholds(judgements, missed, beam), key=lambda threshold: (threshold.f1, threshold.share))
