"""Curated labels out of the store: streamed from one snapshot, written whole or not at all, with a manifest.

The manifest stands beside the file as `<file>.manifest.json` and says what the file holds: counts, checksum, filters,
schema, escape, model versions, and the last ledger entry it knows of.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.errors import Refused
from db.ledger.labels import ABOUT_QUESTIONS, settle_all
from db.ledger.notes import comments_about
from db.ledger.replay import Settled
from db.store.clock import read_clock
from db.store.engine import Store
from db.store.records import LabelledQuestion
from db.store.tables import ENTRY_KINDS, Entry, Person, PriorLabel, Question
from db.tags.view import TagView
from db.transfer.files import atomic_file
from db.transfer.formats import FORMATS
from db.transfer.formats.base import Cut

QUESTIONS_A_STEP = 500  # held in memory at a time
STEPS_A_VIEW = 20  # a view remembers every tag it has met, so memory stays flat only if it is renewed now and then
# Kinds are left out by what they are not: for `kind IN (...)` SQLite takes the index of kinds, and reads the whole
# ledger at every step.
OTHER_KINDS = tuple(kind for kind in ENTRY_KINDS if kind not in ABOUT_QUESTIONS)
STATES = ("single", "agreed", "conflict", "reviewed")


@dataclass(frozen=True)
class ExportFilter:
    """Which questions go out. An empty filter means all that anybody decided about; redacted ones never do."""

    since: datetime | None = None  # decided at this moment or later
    until: datetime | None = None  # decided before this moment
    as_of: datetime | None = None  # everything as it was at this moment
    people: tuple[str, ...] = ()  # one of them has an opinion that counts
    sources: tuple[str, ...] = ()
    models: tuple[str, ...] = ()  # a suggestion of one of these versions was answered
    states: tuple[str, ...] = ()
    min_agreement: float | None = None  # mean pairwise agreement; questions with one opinion have none and stay out
    reviewed_only: bool = False
    rejections: bool = True  # False: rejected and unjudged tags are left out of each row
    flagged: bool | None = None  # True: only questions that somebody flagged; False: these are held back
    commented: bool = False  # True: only questions with a comment

    def __post_init__(self):
        if unknown := set(self.states) - set(STATES):
            raise Refused(f"{', '.join(sorted(unknown))}: no such state. The states are {', '.join(STATES)}.")
        for name in ("since", "until", "as_of"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                raise Refused(f"{name} needs a time zone, as in 2026-01-31T00:00:00+08:00.")

    def wants(self, row: LabelledQuestion) -> bool:
        return (
            (self.since is None or row.decided_at >= self.since)
            and (self.until is None or row.decided_at < self.until)
            and (not self.people or not set(self.people).isdisjoint(row.people))
            and (not self.sources or row.source in self.sources)
            and (not self.models or not set(self.models).isdisjoint(row.model_versions))
            and (not self.states or row.state in self.states)
            and (not self.reviewed_only or row.state == "reviewed")
            and (not self.flagged or bool(row.flags))
            and (not self.commented or bool(row.comments))
            and (self.min_agreement is None or (row.agreement is not None and row.agreement >= self.min_agreement))
        )

    def holds_back(self, row: LabelledQuestion) -> bool:
        """A row that would go out if nobody had flagged it."""
        return self.flagged is False and bool(row.flags)


@dataclass(frozen=True)
class Manifest:
    """What an export file holds."""

    file: str
    format: str
    rows: int
    labels: int
    rejected: int
    sha256: str
    bytes: int
    created_at: str
    last_entry: int  # number of the newest ledger entry in the snapshot
    filters: dict
    schema: list[str]
    escape: str
    states: dict[str, int]
    model_versions: dict[str, int]  # rows that answered a suggestion of this version
    redacted_left_out: int
    flagged: int  # rows that somebody flagged
    commented: int  # rows with a comment
    flagged_held_back: int
    flags_and_comments_in_file: bool  # False: the format has no place for them
    manifest_version: int = 1


@dataclass
class Tally:
    """What an export holds, and what it leaves out; `labelled_questions` counts the latter."""

    rows: int = 0
    labels: int = 0
    rejected: int = 0
    redacted: int = 0
    flagged: int = 0
    commented: int = 0
    held_back: int = 0
    states: Counter = field(default_factory=Counter)
    versions: Counter = field(default_factory=Counter)

    def add(self, row: LabelledQuestion) -> None:
        self.rows += 1
        self.labels += len(row.tags)
        self.rejected += len(row.rejected)
        self.flagged += bool(row.flags)
        self.commented += bool(row.comments)
        self.states[row.state] += 1
        self.versions.update(row.model_versions)


def export(
    store: Store,
    path: str | Path,
    format_name: str,
    chosen: ExportFilter | None = None,
    *,
    cut: Cut,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Manifest:
    """Write the labels and their manifest; raises ExportError, and then the files that were there are untouched.

    `cut` cuts texts into words, for formats that want it: app.transfer.exporter brings the engine's. `progress` is
    called with (questions looked at, questions to look at).
    """
    if format_name not in FORMATS:
        raise Refused(f"{format_name} is not an export format. The formats are {', '.join(FORMATS)}.")
    chosen = chosen or ExportFilter()
    written = FORMATS[format_name]
    tally = Tally()
    path = Path(path)
    with store.read() as session:
        last_entry = session.scalar(select(func.max(Entry.number))) or 0
        now = read_clock(session)
        with atomic_file(path) as stream:
            writer = written.open(stream, cut)
            for row in labelled_questions(session, chosen, tally, progress):
                writer.write(row)
                tally.add(row)
            writer.close()
    manifest = Manifest(
        file=path.name,
        format=format_name,
        rows=tally.rows,
        labels=tally.labels,
        rejected=tally.rejected,
        sha256=stream.sha256,
        bytes=stream.size,
        created_at=now.isoformat(),
        last_entry=last_entry,
        filters={name: _plain(value) for name, value in asdict(chosen).items() if value not in (None, (), [])},
        schema=list(written.columns),
        escape=written.escape,
        states=dict(sorted(tally.states.items())),
        model_versions=dict(sorted(tally.versions.items())),
        redacted_left_out=tally.redacted,
        flagged=tally.flagged,
        commented=tally.commented,
        flagged_held_back=tally.held_back,
        flags_and_comments_in_file=written.keeps_notes,
    )
    with atomic_file(manifest_path(path)) as stream:
        stream.write(json.dumps(asdict(manifest), ensure_ascii=False, indent=2).encode() + b"\n")
    return manifest


def manifest_path(path: str | Path) -> Path:
    return Path(path).with_name(Path(path).name + ".manifest.json")


def labelled_questions(
    session: Session,
    chosen: ExportFilter,
    tally: Tally | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[LabelledQuestion]:
    """The rows of an export, oldest question first, a few hundred in memory at a time."""
    names = dict(session.execute(select(Person.id, Person.name)).all())
    about = (Entry.question_id.is_not(None), Entry.kind.not_in(OTHER_KINDS))
    total = session.scalar(select(func.count(func.distinct(Entry.question_id))).where(*about))
    done, last = 0, -1
    while ids := _next_questions(session, last):
        last = ids[-1]
        if done % (STEPS_A_VIEW * QUESTIONS_A_STEP) == 0:
            view = TagView(session, chosen.as_of)
        settled = settle_all(session, ids, chosen.as_of, view)
        prior = _prior_tags(session, ids, view)
        comments = comments_about(session, ids)
        for question in _questions(session, ids, chosen.sources):
            if question.redacted_at is not None:
                if tally is not None:
                    tally.redacted += 1
                continue
            about_it = settled.get(question.id)
            if about_it is None or about_it.state == "none":
                continue
            row = _row(question, about_it, prior.get(question.id, ()), names, comments, chosen)
            if not chosen.wants(row):
                continue
            if chosen.holds_back(row):
                if tally is not None:
                    tally.held_back += 1
                continue
            yield row
        done += len(ids)
        progress(done, total)


def _next_questions(session: Session, after: int) -> list[int]:
    return list(
        session.scalars(
            select(Entry.question_id)
            .where(Entry.question_id > after, Entry.kind.not_in(OTHER_KINDS))
            .distinct()
            .order_by(Entry.question_id)
            .limit(QUESTIONS_A_STEP)
        )
    )


def _questions(session: Session, ids: Sequence[int], sources: tuple[str, ...]):
    query = select(
        Question.id,
        Question.title,
        Question.description,
        Question.source,
        Question.external_id,
        Question.redacted_at,
    ).where(Question.id.in_(ids))
    if sources:
        query = query.where(Question.source.in_(sources))
    return session.execute(query.order_by(Question.id)).all()


def _prior_tags(session: Session, ids: Sequence[int], view: TagView) -> dict[int, tuple[str, ...]]:
    rows = session.execute(
        select(PriorLabel.question_id, PriorLabel.key, PriorLabel.text)
        .where(PriorLabel.question_id.in_(ids))
        .order_by(PriorLabel.question_id, PriorLabel.place)
    ).all()
    view.load(key for _, key, _ in rows)
    found: dict[int, dict[str, None]] = {}
    for question, key, text in rows:
        found.setdefault(question, {})[view.resolve(key, text)[1]] = None
    return {question: tuple(tags) for question, tags in found.items()}


def _row(question, settled: Settled, prior: tuple[str, ...], names: dict, comments: dict, chosen: ExportFilter):
    # Versions, picks and flags are those of the opinions, also where a review settled the labels.
    flagged = [line for line in settled.opinions if line.flag]
    spoken = {line.number: line for line in (*settled.opinions, *settled.counting) if line.number in comments}
    return LabelledQuestion(
        question_id=question.id,
        title=question.title,
        description=question.description,
        source=question.source,
        external_id=question.external_id,
        tags=settled.tags,
        rejected=settled.rejected if chosen.rejections else (),
        unjudged=settled.unjudged if chosen.rejections else (),
        prior_tags=prior,
        people=tuple(names[line.person_id] for line in settled.counting),
        entries=tuple(line.number for line in settled.counting),
        model_versions=tuple(dict.fromkeys(o.model_version for o in settled.opinions if o.model_version)),
        state=settled.state,
        agreement=settled.agreement,
        decided_at=max(line.at for line in settled.counting),
        picks=tuple(opinion.pick for opinion in settled.opinions),
        flags=tuple(line.flag for line in flagged),
        flagged_by=tuple(names[line.person_id] for line in flagged),
        comments=tuple(comments[number] for number in spoken),
        commented_by=tuple(names[line.person_id] for line in spoken.values()),
    )


def _plain(value):
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
