"""Takes in a list of tags with their ids, definitions, aliases and parents: a controlled vocabulary or a hierarchy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.ledger.stored_text import keep
from db.messages import Message
from db.store.engine import Store
from db.store.moments import next_moment
from db.store.settings import next_tag_revision
from db.store.tables import Entry, Tag, TagName
from db.tags.images import Change, names_now, tags_now, write_down
from db.tags.names import check_new_tag, tag_key
from db.tags.planning import ensure_tags
from db.tags.view import MANY

ROWS_A_TRANSACTION = 300
MAX_MESSAGES = 20


@dataclass(frozen=True)
class IncomingTag:
    """A row of a tag list; what the file does not say is empty. A tag with several parents has several rows."""

    line: int
    name: str
    external_id: str = ""
    parent: str = ""
    parent_external_id: str = ""
    aliases: tuple[str, ...] = ()
    definition: str = ""


@dataclass
class TagImportReport:
    """What an import of tags did, or in a dry run would do."""

    name: str
    dry_run: bool = False
    rows: int = 0
    tags: int = 0  # new ones
    aliases: int = 0
    parents: int = 0
    bad: int = 0
    entry: int | None = None  # its first entry in the ledger, by which all of it is taken back; None: nothing changed
    messages: list[Message] = field(default_factory=list)

    def complain(self, line: int, complaint: Message | Refused) -> None:
        self.bad += 1
        if len(self.messages) < MAX_MESSAGES:
            self.messages.append(Message("import.line", {"file": self.name, "line": line, "complaint": complaint}))


class _DryRun(Exception):
    """Rolls a transaction back that only wanted to know what would happen."""


def import_tags(
    store: Store,
    rows: Iterable[IncomingTag],
    person_id: int,
    *,
    name: str,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> TagImportReport:
    """Add the tags that are missing and fill in what is not known about those that are there; nothing is overwritten.

    Importing the same file again adds nothing. A dry run does everything in one transaction and takes it back.
    """
    report = TagImportReport(name=name, dry_run=dry_run)
    incoming = iter(rows)
    if dry_run:
        try:
            with store.write() as session:
                _all_chunks(session, incoming, person_id, report, progress)
                raise _DryRun
        except _DryRun:
            report.entry = None
            return report
    while chunk := list(islice(incoming, ROWS_A_TRANSACTION)):
        before = {**vars(report), "messages": list(report.messages)}

        def store_chunk(session: Session, chunk=chunk, before=before) -> None:
            vars(report).update(before, messages=list(before["messages"]))
            _store_chunk(session, chunk, person_id, report)

        store.run(store_chunk)
        progress(report.rows)
    return report


def _all_chunks(session, incoming, person_id, report, progress) -> None:
    while chunk := list(islice(incoming, ROWS_A_TRANSACTION)):
        _store_chunk(session, chunk, person_id, report)
        progress(report.rows)


def _store_chunk(session: Session, chunk: list[IncomingTag], person_id: int, report: TagImportReport) -> None:
    people.require(session, person_id, "change tags")
    report.rows += len(chunk)
    good: list[IncomingTag] = []
    for row in chunk:
        try:
            check_new_tag(row.name)
            for text in (row.parent, *row.aliases):
                if text:
                    check_new_tag(text)
        except Refused as error:
            report.complain(row.line, error)
        else:
            good.append(row)
    wanted = {tag_key(row.name): check_new_tag(row.name) for row in reversed(good)}
    wanted |= {tag_key(row.parent): check_new_tag(row.parent) for row in good if row.parent}
    revision = next_tag_revision(session)  # from here on nobody else changes tags
    known = _ids(session, wanted)
    before = tags_now(session, set(known.values()))
    ensure_tags(session, wanted.values(), person_id)
    ids = _ids(session, wanted)
    new = {key: wanted[key] for key in wanted.keys() - known.keys()}
    report.tags += len(new)
    for row in good:
        tag = session.get_one(Tag, ids[tag_key(row.name)])
        tag.external_id = tag.external_id or row.external_id or None
        tag.definition = tag.definition or row.definition.replace("\0", "").strip()
        new |= _add_aliases(session, row, tag, report)
        _set_parent(session, row, tag, ids, report)
        tag.revision = revision
    session.flush()
    _note(session, before, set(ids.values()), new, person_id, report)


def _note(
    session: Session,
    before: dict[int, dict],
    ids: set[int],
    new: Iterable[str],
    person_id: int,
    report: TagImportReport,
) -> None:
    """What has changed goes into the ledger: the way back, and the way to a past day."""
    changes = [
        Change(tag_id=number, before=before.get(number, {}), after=after)
        for number, after in sorted(tags_now(session, ids).items())
        if before.get(number) != after
    ]
    changes += [Change(key=key, before={}, after=row) for key, row in sorted(names_now(session, set(new)).items())]
    if not changes:
        return
    payload: dict = {"operation": "import", "summary": keep(Message("tag_change.import", {"file": report.name}))}
    if report.entry is not None:
        payload["part_of"] = report.entry
    entry = Entry(at=next_moment(session), kind="tag", person_id=person_id, payload=payload)
    session.add(entry)
    session.flush()
    write_down(session, entry.number, changes)
    report.entry = report.entry or entry.number


def _ids(session: Session, keys: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    ordered = sorted(keys)
    for start in range(0, len(ordered), MANY):
        query = select(TagName.key, TagName.tag_id).where(TagName.key.in_(ordered[start : start + MANY]))
        found.update(dict(session.execute(query).all()))
    return found


def _add_aliases(session: Session, row: IncomingTag, tag: Tag, report: TagImportReport) -> dict[str, str]:
    added = {}
    for alias in row.aliases:
        text = check_new_tag(alias)
        owner = session.get(TagName, tag_key(text))
        if owner is None:
            session.add(TagName(key=tag_key(text), text=text, tag_id=tag.id))
            session.flush()
            added[tag_key(text)] = text
        elif owner.tag_id != tag.id:
            report.complain(row.line, Message("tag_import.alias_taken", {"alias": text}))
    report.aliases += len(added)
    return added


def _set_parent(session: Session, row: IncomingTag, tag: Tag, ids: dict[str, int], report: TagImportReport) -> None:
    """The first parent stays: a tag has one place in the hierarchy."""
    parent_id = ids.get(tag_key(row.parent)) if row.parent else None
    if parent_id is None and row.parent_external_id:
        parent_id = session.scalar(select(Tag.id).where(Tag.external_id == row.parent_external_id).limit(1))
    if parent_id is None or tag.parent_id is not None:
        return
    above: int | None = parent_id
    while above is not None:
        if above == tag.id:
            parent = row.parent or row.parent_external_id
            report.complain(row.line, Message("tag_import.stands_below", {"parent": parent, "name": row.name}))
            return
        above = session.scalar(select(Tag.parent_id).where(Tag.id == above))
    tag.parent_id = parent_id
    session.flush()
    report.parents += 1
