"""The numbers of each chart as a table to take along. The heads are for programs: the same in every language."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from app.dashboard.vote_reliability import Reliability
from app.shell import clock
from db.figures.counts import DayCount, TagRate, Times
from db.figures.dashboard import Dashboard
from db.figures.rate import AMONG, Rate
from db.figures.servings import ChanceRate
from db.figures.statistics import Agreement
from db.transfer.formats.escape import guard


@dataclass(frozen=True)
class Table:
    """The numbers of a chart. The heads are for programs: the same in every language."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def csv(self) -> bytes:
        """UTF-8 with the mark that Excel needs for hanzi; a tag that looks like a formula is made harmless."""
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow(self.heads)
        writer.writerows([guard(cell) if isinstance(cell, str) else cell for cell in row] for row in self.rows)
        return stream.getvalue().encode("utf-8-sig")


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


def chances_table(found: Sequence[ChanceRate]) -> Table:
    rows = tuple((_cell(b.low), _cell(b.high), _cell(b.mean), *_rate_cells(b.rate)) for b in found)
    return Table("acceptance_by_chance", ("chance_over", "chance_up_to", "mean_chance", *RATE_HEADS), rows)


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
            clock.with_offset(item.at, zone),
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


def _rate_cells(rate: Rate) -> tuple[float | str, ...]:
    numbers = [number for among in AMONG for number in (rate.share(among), *(rate.interval(among) or (None, None)))]
    return rate.accepted, rate.rejected, rate.unjudged, *map(_cell, numbers)


def _cell(number: float | None) -> float | str:
    return "" if number is None else round(number, 4)
