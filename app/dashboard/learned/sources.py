"""What each source of evidence is worth: suggestions that were served are ranked again without it.

The ranker is fitted anew without the source's figures, and judged on questions that it was not fitted on: the questions
go round in `FOLDS` parts, each judged by a ranker of the others. The intervals come from drawing the questions again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from sqlalchemy.orm import Session

from app.dashboard.tables import Table
from app.memory import taking_in
from db.figures.servings import newest_decided
from db.ledger import decided_since
from l2a.measure.bootstrap import counts_interval, f1_of_sums
from l2a.ranking.ranker import CUTS, WINDOW, Prior, Ranker, Served, cut_counts, sources_of

FOLDS = 5
FEWEST = 30  # questions, as at the gate
A_PAGE = 500  # questions read at a time
RESAMPLES = 1_000
MODEL = "model"  # hypotheses, and what the model itself makes of them and of what it looks up
_OF_MODEL = frozenset({"model", "votes"})
_LEAST = 1e-6  # chance of what was said to be impossible, and came


@dataclass(frozen=True)
class Worth:
    """What is lost without a source; over 0 it helps. `spread`s are 95% intervals."""

    source: str
    log_loss: float  # of a judged tag: so much higher without it
    log_loss_spread: tuple[float, float]
    f1: float  # so much lower without it
    f1_spread: tuple[float, float]


@dataclass(frozen=True)
class Worths:
    questions: int
    judged: int  # tags
    log_loss: float  # with all sources
    f1: float
    sources: tuple[Worth, ...]  # the one that is worth most first


@dataclass(frozen=True)
class Row:
    """A serving with its verdicts: all that was stored of it, which is judged, and what of it teaches the ranker."""

    whole: Served
    taught: Served | None


def newest_rows(session: Session) -> list[Row]:
    """Of the newest decided questions, as many as a ranker is fitted on; the oldest of them first."""
    found: list[Row] = []
    questions = iter(newest_decided(session))
    while page := list(islice(questions, A_PAGE)):
        decided = decided_since.decided(session, page)
        servings = (one.serving for question in page if (one := decided[question]) is not None)
        found += [_row(serving) for serving in servings if serving is not None]
        if len(found) >= WINDOW:
            break
    return found[:WINDOW][::-1]


def _row(serving: decided_since.Serving) -> Row:
    return Row(Served.judged(serving.figures, serving.tags, serving.rejected), taking_in.teaches(serving))


def worths(
    served: Sequence[Row], prior: Prior, progress: Callable[[int, int], None] = lambda done, total: None
) -> Worths | None:
    """None with fewer questions than FEWEST."""
    if len(served) < FEWEST:
        return None
    names = _sources(served, prior)
    steps = 1 + len(names)
    progress(0, steps)
    losses, counts = _answers(served, prior, frozenset())
    found = []
    for done, name in enumerate(names, start=1):
        progress(done, steps)
        without_losses, without_counts = _answers(served, prior, _OF_MODEL if name == MODEL else frozenset({name}))
        difference = np.stack([without_losses[:, 0] - losses[:, 0], losses[:, 1]], axis=1)
        found.append(
            Worth(
                name,
                _mean(difference),
                _mean_spread(difference),
                _f1(counts) - _f1(without_counts),
                counts_interval(counts, without_counts, resamples=RESAMPLES),
            )
        )
    progress(steps, steps)
    found.sort(key=lambda worth: (-worth.log_loss, worth.source))
    return Worths(len(served), int(losses[:, 1].sum()), _mean(losses), _f1(counts), tuple(found))


def table(found: Worths) -> Table:
    heads = ("source", "log_loss", "log_loss_low", "log_loss_high", "f1", "f1_low", "f1_high")
    rows = tuple(
        (
            worth.source,
            *(round(number, 5) for number in (worth.log_loss, *worth.log_loss_spread, worth.f1, *worth.f1_spread)),
        )
        for worth in found.sources
    )
    return Table("source_worth", heads, rows)


def _sources(served: Sequence[Row], prior: Prior) -> list[str]:
    """Those that said anything, and those that would have begun with a weight."""
    figures = set(prior.weights).union(*(row.whole.names for row in served))
    found = {source for figure in figures for source in sources_of(figure)}
    return sorted((found - _OF_MODEL) | {MODEL})


def _answers(served: Sequence[Row], prior: Prior, without: frozenset[str]) -> tuple[np.ndarray, np.ndarray]:
    """(questions, 2): the sum of the log losses of its judged tags and how many they are; and (questions, 4): what
    `l2a.measure.bootstrap` makes F1 of."""
    losses, counts = np.zeros((len(served), 2)), np.zeros((len(served), 4))
    for fold in range(FOLDS):
        others = (row.taught for place, row in enumerate(served) if place % FOLDS != fold)
        ranker = Ranker.shipped(prior).fitted([one for one in others if one is not None], without=without)
        cut = CUTS.index(ranker.cut)
        for place in range(fold, len(served), FOLDS):
            one = served[place].whole
            chances = np.array([ranker.chance(figures) for figures in one.figures])
            is_judged = ~np.isnan(one.outcomes)
            right = one.outcomes[is_judged] == 1.0
            came = np.where(right, chances[is_judged], 1 - chances[is_judged])
            losses[place] = -np.log(np.maximum(came, _LEAST)).sum(), is_judged.sum()
            counts[place] = cut_counts(chances, (one.outcomes == 1.0).astype(float), one.right)[cut]
    return losses, counts


def _mean(sums: np.ndarray) -> float:
    """Of (questions, 2): sums and numbers."""
    total, count = sums.sum(axis=0)
    return float(total / count) if count else 0.0


def _mean_spread(sums: np.ndarray) -> tuple[float, float]:
    questions = len(sums)
    drawn = np.random.default_rng(1).multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES) @ sums
    means = np.divide(drawn[:, 0], drawn[:, 1], out=np.zeros(RESAMPLES), where=drawn[:, 1] > 0)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def _f1(counts: np.ndarray) -> float:
    return float(f1_of_sums(counts.sum(axis=0, keepdims=True))[0])
