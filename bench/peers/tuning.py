"""Which setting of a peer is used, and how many candidates it keeps: chosen on dev, then applied everywhere."""

from dataclasses import asdict, dataclass
from typing import Any

from bench.peers.material import Ranking, Variants
from l2a.measure.cutoff import Cutoff, choose_cutoff
from l2a.measure.metrics import TagLists


@dataclass(frozen=True)
class Choice:
    """A peer's setting, the number of tags it may keep, and the score that a tag needs (None: any)."""

    variant: str
    count: int
    least: float | None

    @property
    def cutoff(self) -> Cutoff:
        return Cutoff(self.count, self.least)

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.variant, str(self.cutoff))))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def keep(ranking: Ranking, choice: Choice) -> list[list[str]]:
    """The tags of each question under a choice."""
    return choice.cutoff.keep(ranking)


def tune(variants: Variants, gold: TagLists) -> Choice:
    """The choice with the best NLPCC F1 on questions whose tags are known; of equal ones the first, and simplest."""
    best, best_f1 = None, -1.0
    for variant, ranking in variants.items():
        cutoff, f1 = choose_cutoff(ranking, gold)
        if f1 > best_f1:
            best, best_f1 = Choice(variant, cutoff.count, cutoff.least), f1
    if best is None:
        raise ValueError("there is no ranking to choose from")
    return best
