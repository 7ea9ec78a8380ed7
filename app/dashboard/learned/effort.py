"""Keys that people's decisions take, with what was suggested and without: by the rule of l2a.simulation.keys."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from app.dashboard.tables import Table
from db.figures.servings import Judged
from l2a.simulation.keys import TagSearch, keys_for, keys_without
from l2a.text.cleaning import match_key

MOST = 1_000  # decisions


@dataclass(frozen=True)
class Effort:
    """Of each decision, in their order."""

    before: int  # decisions that were left out, because they are too old
    numbers: tuple[int, ...]
    with_suggestions: tuple[int, ...]
    without: tuple[int, ...]

    @property
    def mean(self) -> float:
        return fmean(self.with_suggestions)

    @property
    def mean_without(self) -> float:
        return fmean(self.without)


def search_over(uses: Mapping[str, int]) -> TagSearch:
    """uses: of the store's tags of today; what a model was trained with is not looked at."""
    counts: Counter[str] = Counter()
    for tag, times in uses.items():
        counts[match_key(tag)] += times
    return TagSearch({}, counts, uses)


def effort(judged: Sequence[Judged], search: TagSearch) -> Effort:
    """What the newest decisions would have taken, whatever way people went to them."""
    before = max(0, len(judged) - MOST)
    judged = judged[before:]
    kept = [set(map(match_key, one.kept)) for one in judged]
    taken = [
        keys_for({tag: match_key(tag) in over for tag in one.shown}, one.tags, search)
        for one, over in zip(judged, kept, strict=True)
    ]
    typed = [keys_without(one.tags, search) for one in judged]
    return Effort(before, tuple(one.number for one in judged), tuple(taken), tuple(typed))


def table(found: Effort) -> Table:
    rows = tuple(zip(found.numbers, found.with_suggestions, found.without, strict=True))
    return Table("keys_a_question", ("receipt", "keys", "keys_without_suggestions"), rows)
