"""The numbers of the dashboard's charts: days and people, bins of votes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from app.shell.clock import A_DAY
from db.figures.counts import DayCount, VoteBin, VoteRate, vote_bins
from db.figures.dashboard import Dashboard

VOTE_BINS = 8
MOST_PEOPLE = 7  # with a colour of their own; the rest are one
LONGEST_RANGE = 750  # days that get a bar each even if nothing happened on them


def day_series(counts: Sequence[DayCount], name: Callable[[str], str]) -> tuple[list[date], dict[str, list[int]]]:
    """Every day from the first to the last, and for each name the decisions of those days, the busiest name first.

    `name` says under which name a person's decisions are shown; people of one name are added up.
    """
    if not counts:
        return [], {}
    found: dict[str, Counter[date]] = {}
    for item in counts:
        found.setdefault(name(item.person), Counter())[item.day] += item.decisions
    first, last = min(item.day for item in counts), max(item.day for item in counts)
    days = sorted({item.day for item in counts})
    if (last - first).days < LONGEST_RANGE:
        days = [first + number * A_DAY for number in range((last - first).days + 1)]
    ranked = sorted(found, key=lambda each: (-found[each].total(), each))
    return days, {each: [found[each][day] for day in days] for each in ranked}


def seen_by(found: Dashboard, person: str, others: str) -> Dashboard:
    """The dashboard for somebody who may not see who did what: everybody but them is called `others`."""

    def named(name: str) -> str:
        return name if name == person else others

    return replace(
        found,
        days=tuple(replace(day, person=named(day.person)) for day in found.days),
        new_tags=tuple(replace(tag, person=named(tag.person)) for tag in found.new_tags),
    )


def busiest(counts: Sequence[DayCount]) -> set[str]:
    """The people who get a colour of their own."""
    totals: Counter[str] = Counter()
    for item in counts:
        totals[item.person] += item.decisions
    return {person for person, _ in totals.most_common(MOST_PEOPLE)}


def labelled_bins(votes: Sequence[VoteRate]) -> list[tuple[str, VoteBin]]:
    """Bins of votes with their labels: in votes where all suggestions had as many hypotheses, otherwise in per cent."""
    beams = {item.beam for item in votes}
    beam = beams.pop() if len(beams) == 1 else None
    bins = min(VOTE_BINS, beam) if beam is not None else VOTE_BINS
    return [(_votes_label(item, beam), item) for item in vote_bins(votes, bins)]


def _votes_label(item: VoteBin, beam: int | None) -> str:
    if beam is None:
        return f"{item.low:.0%}–{item.high:.0%}"
    low, high = int(item.low * beam + 1e-9) + 1, int(item.high * beam + 1e-9)
    return str(high) if low >= high else f"{low}–{high}"
