"""The numbers of the dashboard: what people decided, and how the model's suggestions fared with them.

Only decisions in force count (db.ledger.in_force); what acceptance is a share of is said in db.figures.rate.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.figures import acceptance
from db.figures.counts import (
    DayCount,
    NewTag,
    RankRate,
    TagRate,
    Times,
    VersionRate,
    VoteRate,
    summarise_times,
)
from db.figures.rate import Rate
from db.ledger.in_force import is_none_of, out_of_force
from db.ledger.replay import POSITIVE
from db.spellings.view import TagView, parts
from db.store.input_checks import is_time
from db.store.tables import Entry, Person, Question, Tag, TagChange, TagName, Verdict

MOST_TAGS = 200  # tags listed at most
Key = TypeVar("Key")
SAME_MOMENT = timedelta(seconds=1)  # a tag is made within the transaction of the decision that needs it


@dataclass(frozen=True)
class Filters:
    """Which decisions count; None: whatever it is."""

    since: datetime | None = None
    until: datetime | None = None  # that moment itself no more
    version: str | None = None
    source: str | None = None
    random_only: bool = False  # questions picked at random: the only fair sample of the model's quality


@dataclass(frozen=True)
class Dashboard:
    ever: int  # decisions in force whatever the filters say
    decisions: int
    questions: int
    days: tuple[DayCount, ...]
    overall: Rate
    ranks: tuple[RankRate, ...]
    votes: tuple[VoteRate, ...]
    versions: tuple[VersionRate, ...]
    rejected: tuple[TagRate, ...]  # the most often rejected first
    added: tuple[TagRate, ...]  # the most often added by hand first
    times: Times
    new_tags: tuple[NewTag, ...]  # the newest first


def versions(session: Session) -> list[str]:
    """Model versions whose suggestions were ever answered, newest answer first."""
    query = select(Entry.model_version).where(Entry.kind == "decision", Entry.model_version.is_not(None))
    return list(session.scalars(query.group_by(Entry.model_version).order_by(func.max(Entry.number).desc())))


def gather(session: Session, filters: Filters, zone: tzinfo) -> Dashboard:
    """Everything the dashboard shows; days begin at midnight in `zone`."""
    gone, ever = out_of_force(session)
    counted = [*conditions(filters), is_none_of(session, Entry.number, gone)]
    days, times, questions, by_version = _read_decisions(session, counted, zone)
    rates = acceptance.rates(session, counted)
    tags = _read_tags(session, counted)
    return Dashboard(
        ever=ever,
        decisions=sum(day.decisions for day in days),
        questions=questions,
        days=days,
        overall=_sum(rate for *_, rate in rates),
        ranks=tuple(RankRate(*pair) for pair in _grouped((rank, rate) for _, _, _, rank, rate in rates)),
        votes=acceptance.by_votes(rates),
        versions=tuple(
            VersionRate(version, by_version[version], rate)
            for version, rate in _grouped((version, rate) for version, *_, rate in rates)
        ),
        rejected=_most(tags, lambda tag: tag.rate.rejected),
        added=_most(tags, lambda tag: tag.added),
        times=times,
        new_tags=_read_new_tags(session, filters, gone),
    )


def conditions(filters: Filters) -> list:
    """The filters as conditions on a decision."""
    found = [Entry.kind == "decision"]
    if filters.since is not None:
        found.append(Entry.at >= filters.since)
    if filters.until is not None:
        found.append(Entry.at < filters.until)
    if filters.version is not None:
        found.append(Entry.model_version == filters.version)
    if filters.random_only:
        found.append(Entry.pick == "random")
    if filters.source is not None:
        found.append(Entry.question_id.in_(select(Question.id).where(Question.source == filters.source)))
    return found


def _read_decisions(session: Session, counted: list, zone: tzinfo):
    """Decisions by day and person, times, questions, and decisions by version."""
    names: dict[int | None, str] = dict(session.execute(select(Person.id, Person.name)).all())
    days: Counter[tuple[date, str]] = Counter()
    by_version: Counter[str | None] = Counter()
    questions: set[int | None] = set()
    seconds: list[float] = []
    rows = select(Entry.at, Entry.person_id, Entry.question_id, Entry.seconds, Entry.model_version).where(*counted)
    for at, person, question, spent, version in session.execute(rows):
        days[at.astimezone(zone).date(), names.get(person, "")] += 1
        by_version[version] += 1
        questions.add(question)
        if spent is not None and is_time(spent):
            seconds.append(spent)
    counts = tuple(DayCount(*key, number) for key, number in sorted(days.items()))
    return counts, summarise_times(seconds), len(questions), by_version


def _read_tags(session: Session, counted: list) -> list[TagRate]:
    """Every tag that was suggested or added where suggestions were shown."""
    rows = session.execute(
        select(Verdict.key, func.max(Verdict.text), Verdict.verdict, func.count())
        .join(Entry, Entry.number == Verdict.entry_number)
        .where(*counted, Entry.suggestion_id.is_not(None))
        .group_by(Verdict.key, Verdict.verdict)
    ).all()
    view = TagView(session)
    view.load(key for key, *_ in rows)
    names: dict[str, str] = {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for key, text, verdict, number in rows:
        meant, name = view.resolve(key, text)
        names[meant] = name
        counts[meant][verdict] += number
    return [
        TagRate(names[key], Rate(found["accepted"], found["rejected"], found["unjudged"]), found["added"])
        for key, found in counts.items()
    ]


def _read_new_tags(session: Session, filters: Filters, gone: set[int]) -> tuple[NewTag, ...]:
    """Tags that came with a decision and are held by one in force."""
    rows = session.execute(
        select(Tag.id, Tag.name.label("tag"), Entry.at, Person.name.label("person"), Verdict.verdict)
        .join(TagName, TagName.tag_id == Tag.id)
        .join(Verdict, Verdict.key == TagName.key)
        .join(Entry, (Entry.number == Verdict.entry_number) & (Entry.person_id == Tag.first_seen_by))
        .join(Person, Person.id == Tag.first_seen_by)
        .where(*conditions(filters), Verdict.verdict.in_(POSITIVE), Tag.status != "merged")
        .where(Entry.at <= Tag.first_seen_at + SAME_MOMENT // timedelta(microseconds=1))
        .order_by(Entry.number.desc())
        .limit(2 * MOST_TAGS)
    ).all()
    made = {row.id: row for row in rows}  # a tag that several of them name: the first one stays
    ids = list(made)
    split = {
        tag
        for tag, before in session.execute(select(TagChange.tag_id, TagChange.before).where(TagChange.tag_id.in_(ids)))
        if not before  # made by a change of tags, out of an alias that decisions had used
    }
    held = _held(session, ids, gone)
    found = [
        NewTag(row.tag, row.at, row.person, row.verdict == "accepted", held[tag])
        for tag, row in made.items()
        if tag not in split and held[tag]
    ]
    return tuple(found[:MOST_TAGS])


def _held(session: Session, tags: Sequence[int], gone: set[int]) -> Counter[int]:
    """Tag -> decisions in force that hold it."""
    found: Counter[int] = Counter()
    for some in parts(tags):
        rows = session.execute(
            select(TagName.tag_id, func.count(func.distinct(Entry.number)))
            .join(Verdict, Verdict.key == TagName.key)
            .join(Entry, Entry.number == Verdict.entry_number)
            .where(TagName.tag_id.in_(some), Verdict.verdict.in_(POSITIVE))
            .where(Entry.kind == "decision", is_none_of(session, Entry.number, gone))
            .group_by(TagName.tag_id)
        )
        found.update(dict(rows.all()))
    return found


def _grouped(pairs: Iterable[tuple[Key, Rate]]) -> list[tuple[Key, Rate]]:
    found: dict[Key, Rate] = defaultdict(Rate)
    for key, rate in pairs:
        found[key] += rate
    return sorted(found.items())


def _sum(rates: Iterable[Rate]) -> Rate:
    return sum(rates, Rate())


def _most(tags: Sequence[TagRate], number) -> tuple[TagRate, ...]:
    return tuple(sorted((tag for tag in tags if number(tag)), key=lambda tag: (-number(tag), tag.tag))[:MOST_TAGS])
