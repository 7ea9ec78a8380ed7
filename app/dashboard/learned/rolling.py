"""How suggestions fared, decision by decision: F1 and acceptance over the last few of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.dashboard.tables import Table
from db.figures.rate import AMONG, COUNTED
from db.figures.servings import Judged
from l2a.measure.bootstrap import f1_of_sums, question_counts

MOST = 5_000  # of the newest decisions are read
FEWEST = 10  # decisions before a number is said
WINDOW, WIDE, MANY = 50, 100, 1_000  # decisions that a point looks back on; the wide one from so many decisions on
POINTS = 400  # of a line; more cannot be told apart
SERIES = ORDERED, RANDOM = ("ordered", "random")


@dataclass(frozen=True)
class Line:
    """Numbers at some of the decisions, each over the window that ends there."""

    places: np.ndarray  # of the decision among all that are looked at, from 1
    f1: np.ndarray
    acceptance: dict[str, np.ndarray]  # AMONG -> share; no number where nothing was shown or judged
    decisions: int  # in all, on this line


def window_for(decisions: int) -> int:
    return WIDE if decisions >= MANY else WINDOW


def lines(judged: Sequence[Judged]) -> dict[str, Line]:
    """Questions served at random apart: an order picks, and may pick what the model doubts. Empty ones are left out."""
    window = window_for(len(judged))
    found = {}
    for name in SERIES:
        places = [place for place, one in enumerate(judged, start=1) if (one.pick == RANDOM) == (name == RANDOM)]
        if len(places) >= FEWEST:
            found[name] = _line([judged[place - 1] for place in places], np.array(places), window)
    return found


def table(judged: Sequence[Judged]) -> Table:
    """Each decision on its own, so that any other window can be taken."""
    counts = question_counts([one.kept for one in judged], [one.tags for one in judged])
    f1 = f1_of_sums(counts)
    rows = tuple(
        (
            one.number,
            one.pick,
            len(one.kept),
            len(one.tags),
            int(right[2]),
            one.rate.accepted,
            one.rate.rejected,
            one.rate.unjudged,
            len(one.added),
            round(float(score), 4),
        )
        for one, right, score in zip(judged, counts, f1, strict=True)
    )
    heads = ("receipt", "served", "kept", "tags", "kept_right", "accepted", "rejected", "unjudged", "added", "f1")
    return Table("decision_by_decision", heads, rows)


def rolling_mean(values: Sequence[float], window: int) -> tuple[np.ndarray, np.ndarray]:
    """(places from 1, means over the window that ends there), from the FEWESTth value on and thinned out."""
    sums, counts = _windows(np.array(values, dtype=float), window), _windows(np.ones(len(values)), window)
    chosen = _chosen(len(values))
    return chosen + 1, sums[chosen] / counts[chosen]


def _line(some: Sequence[Judged], places: np.ndarray, window: int) -> Line:
    counts = question_counts([one.kept for one in some], [one.tags for one in some])  # (decisions, 4)
    verdicts = {
        verdict: np.array([getattr(one.rate, verdict) for one in some], dtype=float)
        for verdict in ("accepted", "rejected", "unjudged")
    }
    chosen = _chosen(len(some))
    f1 = f1_of_sums(np.stack([_windows(column, window) for column in counts.T], axis=1)[chosen])
    sums = {verdict: _windows(numbers, window)[chosen] for verdict, numbers in verdicts.items()}
    acceptance = {}
    for among in AMONG:
        of = sum((sums[verdict] for verdict in COUNTED[among]), start=np.zeros(len(chosen)))
        acceptance[among] = np.divide(sums["accepted"], of, out=np.full(len(chosen), np.nan), where=of > 0)
    return Line(places[chosen], f1, acceptance, len(some))


def _windows(values: np.ndarray, window: int) -> np.ndarray:
    """At each place the sum of the values up to there, at most so many."""
    summed = np.cumsum(values)
    return summed - np.concatenate([np.zeros(min(window, len(values))), summed[:-window]])


def _chosen(count: int) -> np.ndarray:
    """Places from the FEWESTth on, the last one among them."""
    every = max(1, -(-count // POINTS))
    return np.arange(count - 1, FEWEST - 2, -every)[::-1]
