"""Figures of the dashboard and how they are made of counts; the database is not asked here."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from db.figures.rate import Rate

BARS = 24  # of the histogram of times, the last one open
WIDTHS = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600)  # seconds; what a bar of it may stand for


@dataclass(frozen=True)
class DayCount:
    day: date
    person: str
    decisions: int


@dataclass(frozen=True)
class RankRate:
    rank: int
    rate: Rate


@dataclass(frozen=True)
class VoteRate:
    """Tags that `votes` of `beam` hypotheses held."""

    beam: int
    votes: int
    rate: Rate


@dataclass(frozen=True)
class VoteBin:
    """Tags with more than `low` and up to `high` of the votes, as shares of all hypotheses."""

    low: float
    high: float
    rate: Rate


@dataclass(frozen=True)
class VersionRate:
    version: str
    decisions: int
    rate: Rate


@dataclass(frozen=True)
class TagRate:
    """A tag under its name of today; `added`: by hand, where suggestions were shown and it was none of them."""

    tag: str
    rate: Rate
    added: int


@dataclass(frozen=True)
class TimeBar:
    low: float
    high: float | None  # None: no end
    decisions: int


@dataclass(frozen=True)
class Times:
    """Seconds a decision took, where the page measured them."""

    measured: int = 0
    median: float | None = None
    most: float | None = None  # nine of ten took no longer
    bars: tuple[TimeBar, ...] = ()


@dataclass(frozen=True)
class NewTag:
    """A tag that a decision brought into the store."""

    tag: str
    at: datetime
    person: str
    suggested: bool  # by the model; otherwise typed by hand
    decisions: int  # that hold it now


def vote_bins(rates: Sequence[VoteRate], bins: int = 8) -> tuple[VoteBin, ...]:
    """Rates by the share of the votes, in equal bins; a bin nobody was shown a tag of is left out."""
    found: dict[int, Rate] = defaultdict(Rate)
    for item in rates:
        place = -(-item.votes * bins // item.beam) - 1  # the upper end belongs to a bin, the lower one does not
        found[min(bins - 1, max(0, place))] += item.rate
    return tuple(VoteBin(place / bins, (place + 1) / bins, found[place]) for place in sorted(found))


def time_bars(seconds: Sequence[float]) -> tuple[TimeBar, ...]:
    """A histogram in bars of a round width, that a few very long times do not squeeze: the last bar has no end."""
    if not seconds:
        return ()
    long = _quantile(sorted(seconds), 0.95)
    width = next((width for width in WIDTHS if long < width * (BARS - 1)), WIDTHS[-1])
    counted = Counter(min(BARS - 1, int(second // width)) for second in seconds)
    return tuple(
        TimeBar(place * width, (place + 1) * width if place < BARS - 1 else None, counted[place])
        for place in range(max(counted) + 1)
    )


def summarise_times(seconds: list[float]) -> Times:
    if not seconds:
        return Times()
    return Times(len(seconds), median(seconds), _quantile(sorted(seconds), 0.9), time_bars(seconds))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]
