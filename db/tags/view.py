"""Which tag a spelling means, now or on a past day."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.store.tables import Entry, Tag, TagChange, TagName
from db.tags.names import tag_key

MANY = 500  # keys asked for in one statement


class TagView:
    """Resolves spellings to tags, following merges. Loads what it is asked for and remembers it.

    At a past day every row is as it was then: where it changed since, the first change after that day says what it
    was before.
    """

    def __init__(self, session: Session, at: datetime | None = None):
        self._session = session
        self._then_tags, self._then_names = _past(session, at) if at is not None else ({}, {})
        self._names: dict[str, int | None] = {}  # key -> tag id; None: no tag has this spelling
        self._tags: dict[int, tuple[str, int | None]] = {}  # tag id -> (name, merged into)

    def load(self, keys: Iterable[str]) -> None:
        """Fetch these spellings and their tags in a few statements."""
        missing = sorted({key for key in keys if key not in self._names})
        for start in range(0, len(missing), MANY):
            some = missing[start : start + MANY]
            self._names.update(dict.fromkeys(some))
            found = select(TagName.key, TagName.tag_id).where(TagName.key.in_(some))
            self._names.update(self._session.execute(found).all())
        for key in missing:
            if key in self._then_names:
                self._names[key] = self._then_names[key].get("tag_id")
        wanted = self._unknown(self._names[key] for key in missing)
        while wanted:
            self._load_tags(wanted)
            wanted = self._unknown(self._tags[tag][1] for tag in wanted)

    def _unknown(self, tags: Iterable[int | None]) -> set[int]:
        return {tag for tag in tags if tag is not None and tag not in self._tags}

    def _load_tags(self, ids: set[int]) -> None:
        ordered = sorted(ids)
        for start in range(0, len(ordered), MANY):
            some = ordered[start : start + MANY]
            rows = select(Tag.id, Tag.name, Tag.merged_into_id).where(Tag.id.in_(some))
            self._tags.update({tag: (name, into) for tag, name, into in self._session.execute(rows)})
        for tag in ordered:
            if self._then_tags.get(tag):
                then = self._then_tags[tag]
                self._tags[tag] = (then["name"], then["merged_into_id"])

    def tag_id(self, key: str) -> int | None:
        """The tag a spelling means in the end, after merges; None if it is nobody's."""
        if key not in self._names:
            self.load([key])
        tag = self._names[key]
        seen = set()
        while tag is not None and self._tags[tag][1] is not None and tag not in seen:
            seen.add(tag)
            tag = self._tags[tag][1]
        return tag

    def resolve(self, key: str, text: str) -> tuple[str, str]:
        """(key, name) of the tag a spelling means; a spelling that is nobody's stands for itself."""
        tag = self.tag_id(key)
        if tag is None:
            return key, text
        name = self._tags[tag][0]
        return tag_key(name), name


def spellings(session: Session, tag_id: int) -> list[str]:
    """Every key that means this tag: its name, its aliases, and those of the tags merged into it."""
    family, newest = {tag_id}, {tag_id}
    while newest:
        newest = set(session.scalars(select(Tag.id).where(Tag.merged_into_id.in_(newest)))) - family
        family |= newest
    return list(session.scalars(select(TagName.key).where(TagName.tag_id.in_(family)).order_by(TagName.key)))


def _past(session: Session, at: datetime) -> tuple[dict[int, dict], dict[str, dict]]:
    """Rows that changed after `at`, as they were then: {tag id: row}, {key: row}; an empty row was not there yet."""
    tags: dict[int, dict] = {}
    names: dict[str, dict] = {}
    changes = (
        select(TagChange.tag_id, TagChange.key, TagChange.before)
        .join(Entry, Entry.number == TagChange.entry_number)
        .where(Entry.at > at)
        .order_by(TagChange.entry_number, TagChange.place)
    )
    for tag_id, key, before in session.execute(changes):
        if tag_id is not None:
            tags.setdefault(tag_id, before)
        else:
            names.setdefault(key, before)
    return tags, names
