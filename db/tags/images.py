"""Rows of tags and spellings before and after a change: many are read at once, and written at once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from db.spellings.view import MANY, parts
from db.store.settings import note_names_gone, note_tags_gone
from db.store.tables import DistinctTags, Tag, TagChange, TagName

# The columns of a tag that a change may touch; a change keeps all of them, before and after.
COLUMNS = ("name", "status", "merged_into_id", "parent_id", "external_id", "definition")


@dataclass(frozen=True)
class Change:
    """One row before and after; an empty row is not there. Either of `tags` (by id) or of `tag_names` (by key)."""

    before: dict
    after: dict
    tag_id: int | None = None
    key: str | None = None


class AboutRow(Protocol):
    """What is about one row, of either table."""

    @property
    def tag_id(self) -> int | None: ...

    @property
    def key(self) -> str | None: ...


class RowsNow:
    """The rows that some changes are about, as they stand."""

    def __init__(self, session: Session, changes: Iterable[AboutRow]):
        changes = list(changes)
        self.tags = tags_now(session, {change.tag_id for change in changes if change.tag_id is not None})
        self.names = names_now(session, {change.key for change in changes if change.key is not None})

    def row(self, change: AboutRow) -> dict:
        if change.tag_id is not None:
            return self.tags.get(change.tag_id, {})
        return self.names.get(change.key, {}) if change.key is not None else {}


def tags_now(session: Session, ids: Collection[int]) -> dict[int, dict]:
    query = select(Tag.id, *(getattr(Tag, column) for column in COLUMNS))
    found = (row for some in parts(ids) for row in session.execute(query.where(Tag.id.in_(some))))
    return {number: dict(zip(COLUMNS, row, strict=True)) for number, *row in found}


def names_now(session: Session, keys: Collection[str]) -> dict[str, dict]:
    query = select(TagName.key, TagName.text, TagName.tag_id)
    found = (row for some in parts(keys) for row in session.execute(query.where(TagName.key.in_(some))))
    return {key: {"text": text, "tag_id": tag_id} for key, text, tag_id in found}


def difference(old: Mapping, new: Mapping) -> dict:
    """What `new` has that `old` has not, or has otherwise."""
    return {column: value for column, value in new.items() if column not in old or old[column] != value}


def still(expected: Mapping, now: Mapping, other: Mapping) -> bool:
    """Whether a row is still as a change expects it, in the columns that the change is about."""
    about = difference(other, expected)
    return bool(now) == bool(expected) and all(now[column] == value for column, value in about.items())


def write_down(session: Session, entry_number: int, changes: Sequence[Change]) -> None:
    """The rows of an entry of the ledger, in their order."""
    rows = [{"entry_number": entry_number, "place": place, **vars(change)} for place, change in enumerate(changes)]
    for start in range(0, len(rows), MANY):
        session.execute(insert(TagChange), rows[start : start + MANY])


def apply(session: Session, changes: Sequence[Change], revision: int, person_id: int) -> None:
    """Let the rows be as they are after the changes."""
    of_tags = {change.tag_id: change for change in changes if change.tag_id is not None}
    _make_tags(session, {number: c.after for number, c in of_tags.items() if not c.before}, revision, person_id)
    _move_names(session, [change for change in changes if change.key is not None], revision)
    for some in parts(of_tags):
        loaded = session.scalars(select(Tag).where(Tag.id.in_(some))).all()
        for tag in loaded:
            for column, value in difference(of_tags[tag.id].before, of_tags[tag.id].after).items():
                setattr(tag, column, value)
        session.flush()
    _remove_tags(session, [number for number, change in of_tags.items() if not change.after], revision)
    # Indexes must look again at tags whose spellings changed; those of a merged tag are found under the other.
    rows = [row for change in changes for row in (change.before, change.after)]
    touched = {*of_tags, *(row.get("merged_into_id") for row in rows), *(row.get("tag_id") for row in rows)} - {None}
    for some in parts(touched):
        session.execute(update(Tag).where(Tag.id.in_(some)).values(revision=revision))


def _make_tags(session: Session, new: Mapping[int, dict], revision: int, person_id: int) -> None:
    """What they belong to may not be there yet: that follows with the other columns."""
    there = tags_now(session, new.keys())
    rows = [
        {"id": number, "name": row["name"], "first_seen_by": person_id, "revision": revision}
        for number, row in new.items()
        if number not in there  # a split has made its own
    ]
    for start in range(0, len(rows), MANY):
        session.execute(insert(Tag), rows[start : start + MANY])


def _move_names(session: Session, changes: Sequence[Change], revision: int) -> None:
    gone = [change.key for change in changes if not change.after]
    for some in parts(gone):
        session.execute(delete(TagName).where(TagName.key.in_(some)))
    if gone:
        note_names_gone(session, revision)
    moved = {change.key: change.after for change in changes if change.after}
    for some in parts(moved):
        there = {name.key: name for name in session.scalars(select(TagName).where(TagName.key.in_(some)))}
        for key, name in there.items():
            name.text, name.tag_id = moved[key]["text"], moved[key]["tag_id"]
        session.flush()
        if new := [{"key": key, **moved[key]} for key in some if key not in there]:
            session.execute(insert(TagName), new)


def _remove_tags(session: Session, ids: Collection[int], revision: int) -> None:
    if not ids:
        return
    for some in parts(ids):  # among themselves they may stand one below the other
        session.execute(update(Tag).where(Tag.id.in_(some)).values(parent_id=None))
        pairs = or_(DistinctTags.first_id.in_(some), DistinctTags.second_id.in_(some))
        session.execute(delete(DistinctTags).where(pairs))
    for some in parts(ids):
        session.execute(delete(Tag).where(Tag.id.in_(some)))
    note_tags_gone(session, revision)
