"""What the dashboard page draws and hands out, without Streamlit: time ranges, labels, tables for charts and CSV."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.learning import calibration
from app.learning.calibration import Bin, Outcome, Threshold
from db.figures.counts import DayCount, TagRate, Times, VoteBin, VoteRate, vote_bins
from db.figures.dashboard import Dashboard
from db.figures.rate import AMONG, SHOWN, Rate
from db.figures.statistics import Agreement
from db.transfer.formats.escape import guard

RANGES = ("week", "month", "quarter", "all", "custom")
DAYS = {"week": 7, "month": 30, "quarter": 90}
VOTE_BINS = 8
MOST_PEOPLE = 7  # with a colour of their own; the rest are one
LONGEST_RANGE = 750  # days that get a bar each even if nothing happened on them


@dataclass(frozen=True)
class Table:
    """The numbers of a chart. The heads are for programs: the same in every language."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple, ...]

    def csv(self) -> bytes:
        """UTF-8 with the mark that Excel needs for hanzi; a tag that looks like a formula is made harmless."""
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow(self.heads)
        writer.writerows([guard(cell) if isinstance(cell, str) else cell for cell in row] for row in self.rows)
        return stream.getvalue().encode("utf-8-sig")


def zone_of(name: str | None, offset: int | None) -> tzinfo:
    """The visitor's time zone by its name, or by the minutes that the browser says UTC is ahead."""
    try:
        return ZoneInfo(name) if name else timezone(-timedelta(minutes=offset or 0))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return timezone(-timedelta(minutes=offset or 0))


def period(
    chosen: str, zone: tzinfo, now: datetime, days: Sequence[date] = ()
) -> tuple[datetime | None, datetime | None]:
    """From when until when (not included) a time range goes; `days`: the first and last one of a custom range."""
    today = now.astimezone(zone).date()
    if chosen in DAYS:
        return _midnight(today - timedelta(days=DAYS[chosen] - 1), zone), None
    if chosen == "custom" and days:
        return _midnight(days[0], zone), _midnight(days[-1] + timedelta(days=1), zone) if len(days) > 1 else None
    return None, None


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
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
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


@dataclass(frozen=True)
class Reliability:
    """How the live version's votes relate to what people accepted, and the threshold that would have suited them."""

    version: str
    tags: int  # that were shown or judged, as `among` says
    bins: tuple[Bin, ...]
    among: str = SHOWN
    beam: int = 0
    votes: int = 0  # a tag needs more than so many now
    now: Threshold | None = None
    proposed: Threshold | None = None  # None while there are too few tags

    @property
    def proposed_votes(self) -> int:
        return round(self.proposed.share * self.beam)


def reliability(
    version: str, outcomes: Sequence[Outcome], missed: int, settings: tuple[int, float] | None, among: str = SHOWN
) -> Reliability:
    """`outcomes` of the tags that `among` counts; `missed`: right tags that were not suggested; `settings`: the
    version's beam and threshold, if they are known."""
    tags = calibration.total(outcomes)
    bins = tuple(calibration.reliability(outcomes))
    if settings is None:
        return Reliability(version, tags, bins, among)
    beam, threshold = settings
    votes = min(beam - 1, int(threshold * beam + 1e-9))
    return Reliability(
        version,
        tags,
        bins,
        among,
        beam,
        votes,
        calibration.thresholds(outcomes, missed, beam)[votes],
        calibration.propose_threshold(outcomes, missed, beam),
    )


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


# --- tables ----------------------------------------------------------------------------------------------------------

# Both shares whatever the page shows: a file that was taken along must say of what its numbers are.
RATE_HEADS = (
    *("accepted", "rejected", "unjudged"),
    *(f"{number}_of_{among}" for among in AMONG for number in ("share", "low_95", "high_95")),
)


def days_table(counts: Sequence[DayCount], name: Callable[[str], str]) -> Table:
    added: Counter[tuple[date, str]] = Counter()
    for item in counts:
        added[item.day, name(item.person)] += item.decisions
    rows = tuple((day.isoformat(), person, number) for (day, person), number in sorted(added.items()))
    return Table("decisions_a_day", ("day", "person", "decisions"), rows)


def ranks_table(found: Dashboard) -> Table:
    rows = tuple((item.rank, *_rate_cells(item.rate)) for item in found.ranks)
    return Table("acceptance_by_rank", ("rank", *RATE_HEADS), rows)


def votes_table(found: Dashboard) -> Table:
    """Every number of votes on its own: bins can be made of it as one likes."""
    rows = tuple((item.beam, item.votes, *_rate_cells(item.rate)) for item in found.votes)
    return Table("acceptance_by_votes", ("hypotheses", "votes", *RATE_HEADS), rows)


def versions_table(found: Dashboard) -> Table:
    rows = tuple((item.version, item.decisions, *_rate_cells(item.rate)) for item in found.versions)
    return Table("acceptance_by_version", ("version", "decisions", *RATE_HEADS), rows)


def reliability_table(found: Reliability) -> Table:
    rows = tuple((_cell(b.low), _cell(b.high), b.count, b.accepted, _cell(b.rate)) for b in found.bins)
    heads = ("votes_over", "votes_up_to", found.among, "accepted", f"share_of_{found.among}")
    return Table("reliability", heads, rows)


def tags_table(name: str, tags: Sequence[TagRate]) -> Table:
    rows = tuple((item.tag, item.added, *_rate_cells(item.rate)) for item in tags)
    return Table(name, ("tag", "added_by_hand", *RATE_HEADS), rows)


def times_table(times: Times) -> Table:
    rows = tuple((bar.low, "" if bar.high is None else bar.high, bar.decisions) for bar in times.bars)
    return Table("seconds_a_decision", ("from_seconds", "to_seconds", "decisions"), rows)


def new_tags_table(found: Dashboard, zone: tzinfo) -> Table:
    rows = tuple(
        (
            item.tag,
            item.at.astimezone(zone).isoformat(timespec="seconds"),
            item.person,
            "model" if item.suggested else "hand",
            item.decisions,
        )
        for item in found.new_tags
    )
    return Table("new_tags", ("tag", "at", "person", "from", "decisions"), rows)


def agreement_table(found: Agreement) -> Table:
    """Alpha and the model's measures, over everything and over random picks alone."""
    fair = found.model.unbiased
    measures = ("answers", "acceptance_of_shown", "acceptance_of_judged", "precision", "recall", "similarity")
    rows = [
        (name, _cell(getattr(found.model, name)), "" if fair is None else _cell(getattr(fair, name)))
        for name in measures
    ]
    return Table(
        "agreement", ("measure", "all", "random_picks"), (("krippendorff_alpha", _cell(found.alpha.value), ""), *rows)
    )


def kappas_table(found: Agreement) -> Table:
    rows = tuple((item.tag, _cell(item.kappa), item.positive, item.questions) for item in found.tags)
    return Table("kappa_by_tag", ("tag", "kappa", "opinions", "questions"), rows)


def _rate_cells(rate: Rate) -> tuple:
    numbers = [number for among in AMONG for number in (rate.share(among), *(rate.interval(among) or (None, None)))]
    return rate.accepted, rate.rejected, rate.unjudged, *map(_cell, numbers)


def _cell(number: float | None) -> float | str:
    return "" if number is None else round(number, 4)
