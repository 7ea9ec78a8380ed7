"""How often tags with so many votes were accepted, for models that order tags by votes; and which threshold would suit.

What counts as accepted, and among which tags, is said in db.figures.rate; here are shares of votes and what became of
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from db.figures.counts import VoteRate
from db.figures.rate import SHOWN

ENOUGH = 200  # tags before a threshold is proposed
BINS = 10


@dataclass(frozen=True)
class Outcome:
    """Tags that had such a share of the votes, and how many of them were accepted."""

    share: float  # votes / beam
    count: int
    accepted: int


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


def outcomes_of(rates: Sequence[VoteRate], among: str = SHOWN) -> list[Outcome]:
    """What the store has; `among` says which tags count (db.figures.rate)."""
    return [
        Outcome(item.votes / item.beam, item.rate.of(among), item.rate.accepted)
        for item in rates
        if item.rate.of(among)
    ]


def total(outcomes: Sequence[Outcome]) -> int:
    """How many tags they speak of."""
    return sum(outcome.count for outcome in outcomes)


def reliability(outcomes: Sequence[Outcome], bins: int = BINS) -> list[Bin]:
    """Outcomes by share of votes; empty bins are left out."""
    found = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [each for each in outcomes if low < each.share <= high or (number == 0 and each.share == 0)]
        if inside:
            found.append(Bin(low, high, total(inside), sum(each.accepted for each in inside)))
    return found


@dataclass(frozen=True)
class Threshold:
    """A voting threshold and what it would have given on the decisions."""

    share: float  # a tag is kept when votes > share * beam
    precision: float
    recall: float
    f1: float


def thresholds(outcomes: Sequence[Outcome], missed: int, beam: int) -> list[Threshold]:
    """Every threshold of a beam; `missed` right tags had no vote at all (people added them)."""
    shares = np.array([outcome.share for outcome in outcomes])
    counts = np.array([outcome.count for outcome in outcomes], dtype=int)
    accepted = np.array([outcome.accepted for outcome in outcomes], dtype=int)
    right = int(accepted.sum()) + missed
    found = []
    for votes in range(beam):
        kept = shares > votes / beam
        good, all_kept = int(accepted[kept].sum()), int(counts[kept].sum())
        precision, recall = good / all_kept if all_kept else 0.0, good / right if right else 0.0
        both = precision + recall
        found.append(Threshold(votes / beam, precision, recall, 2 * precision * recall / both if both else 0.0))
    return found


def propose_threshold(outcomes: Sequence[Outcome], missed: int, beam: int) -> Threshold | None:
    """The threshold with the best F1 on the decisions, the higher one of equals; None while there are too few."""
    if total(outcomes) < ENOUGH:
        return None
    return max(thresholds(outcomes, missed, beam), key=lambda threshold: (threshold.f1, threshold.share))
