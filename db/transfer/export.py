"""Curated labels out of the store: streamed from one snapshot, written whole or not at all, with a manifest.

The manifest stands beside the file as `<file>.manifest.json` and says what the file holds: counts, checksum, filters,
schema, escape, model versions, and the last ledger entry it knows of.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.errors import Refused
from db.ledger.labelled import read_labelled
from db.store.clock import read_clock
from db.store.engine import Store
from db.store.records import LabelledQuestion
from db.store.tables import Entry
from db.transfer.files import atomic_file
from db.transfer.formats import FORMATS
from db.transfer.formats.base import Cut

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
            raise Refused("export.no_state", unknown=", ".join(sorted(unknown)), known=", ".join(STATES))
        for name in ("since", "until", "as_of"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                raise Refused("export.no_zone", name=name)

    def wants(self, row: LabelledQuestion) -> bool:
        return (
            (self.since is None or (row.decided_at is not None and row.decided_at >= self.since))
            and (self.until is None or (row.decided_at is not None and row.decided_at < self.until))
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


class LeftOut(Protocol):
    """Who counts the rows that do not go out."""

    redacted: int
    held_back: int  # for their flags


@dataclass
class Tally:
    """What went out, and what did not."""

    rows: int = 0
    labels: int = 0
    rejected: int = 0
    redacted: int = 0
    flagged: int = 0
    commented: int = 0
    held_back: int = 0
    states: Counter[str] = field(default_factory=Counter)
    versions: Counter[str] = field(default_factory=Counter)

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
        raise Refused("export.no_format", format=format_name, known=", ".join(FORMATS))
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
    left_out: LeftOut | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[LabelledQuestion]:
    """The rows of an export, oldest question first, a few hundred in memory at a time."""
    counted: LeftOut = left_out if left_out is not None else Tally()

    def count_redacted() -> None:
        counted.redacted += 1

    rows = read_labelled(
        session, as_of=chosen.as_of, sources=chosen.sources, on_redacted=count_redacted, progress=progress
    )
    for row in rows:
        if not chosen.wants(row):
            continue
        if chosen.holds_back(row):
            counted.held_back += 1
            continue
        yield row if chosen.rejections else replace(row, rejected=(), unjudged=())


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
