"""How many tags of a ranking are kept: a number and a score that are chosen on questions whose tags are known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from l2a.measure.metrics import POSITIONS, TagLists, nlpcc_score
from l2a.text.cleaning import match_key

Ranking = Sequence[Sequence[tuple[str, float]]]  # for each question its candidate tags with scores, the best first

SCORES_TRIED = 16  # besides none at all: quantiles of the scores in the ranking


@dataclass(frozen=True)
class Cutoff:
    """At most so many tags, each with at least this score (None: any)."""

    count: int = POSITIONS
    least: float | None = None

    def __str__(self) -> str:
        return f"at most {self.count}" + ("" if self.least is None else f", score from {self.least:.3g}")

    def keep(self, ranking: Ranking) -> list[list[str]]:
        """The tags of each question that are above it."""
        least = -np.inf if self.least is None else self.least
        return [[tag for tag, score in pairs if score >= least][: self.count] for pairs in ranking]


TOP_5 = Cutoff()  # "classes in top-5 scores are used as the predicted tags", paper section 4.1


def choose_cutoff(ranking: Ranking, gold: TagLists, scores_tried: int = SCORES_TRIED) -> tuple[Cutoff, float]:
    """The cutoff with the best NLPCC F1 and that F1; of equal ones the first, and simplest.

    Never call it on a test set: it looks at the answers.
    """
    keyed = [[(match_key(tag), score) for tag, score in pairs] for pairs in ranking]
    keys = [tuple(map(match_key, tags)) for tags in gold]
    cutoffs = [
        Cutoff(count, least)
        for least in (None, *_scores_to_try(ranking, scores_tried))
        for count in range(1, POSITIONS + 1)
    ]
    scored = [(cutoff, nlpcc_score(cutoff.keep(keyed), keys).f1) for cutoff in cutoffs]
    return max(scored, key=lambda pair: pair[1])  # of equal ones `max` takes the first


def _scores_to_try(ranking: Ranking, count: int) -> Sequence[float]:
    scores = [score for pairs in ranking for _, score in pairs[:POSITIONS] if np.isfinite(score)]
    if not scores or not count:
        return ()
    return sorted(set(np.quantile(scores, np.arange(1, count + 1) / (count + 1), method="lower").tolist()))
