"""How many candidates of a ranking are kept: chosen on the development questions, then applied everywhere."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bench.peers.material import Ranking, Variants
from l2a.metrics import POSITIONS, TagLists, nlpcc_score
from l2a.text import match_key

CUT_OFFS = 16  # tried besides none at all: quantiles of the scores that the development questions got


@dataclass(frozen=True)
class Choice:
    """A peer's setting, the number of tags it may keep, and the score that a tag needs (None: any)."""

    variant: str
    count: int
    least: float | None

    def __str__(self) -> str:
        cut_off = "" if self.least is None else f"score from {self.least:.3g}"
        return ", ".join(filter(None, (self.variant, f"at most {self.count}", cut_off)))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def keep(ranking: Ranking, choice: Choice) -> list[list[str]]:
    """The tags of each question under a choice."""
    least = -np.inf if choice.least is None else choice.least
    return [[tag for tag, score in pairs if score >= least][: choice.count] for pairs in ranking]


def tune(variants: Variants, gold: TagLists) -> Choice:
    """The choice with the best NLPCC F1 on questions whose tags are known; of equal ones the first, and simplest."""
    keys = [tuple(map(match_key, tags)) for tags in gold]
    best, best_f1 = None, -1.0
    for variant, ranking in variants.items():
        keyed = [[(match_key(tag), score) for tag, score in pairs] for pairs in ranking]
        for least in (None, *_cut_offs(keyed)):
            for count in range(1, POSITIONS + 1):
                choice = Choice(variant, count, least)
                f1 = nlpcc_score(keep(keyed, choice), keys).f1
                if f1 > best_f1:
                    best, best_f1 = choice, f1
    if best is None:
        raise ValueError("there is no ranking to choose from")
    return best


def _cut_offs(ranking: Ranking) -> Sequence[float]:
    scores = [score for pairs in ranking for _, score in pairs[:POSITIONS] if np.isfinite(score)]
    if not scores:
        return ()
    return sorted(set(np.quantile(scores, np.arange(1, CUT_OFFS + 1) / (CUT_OFFS + 1), method="lower").tolist()))
