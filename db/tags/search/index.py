"""Searches the store's tags by an index in this process, kept up to date by the store's revision number.

SQLite's trigram index cannot find tags of two hanzi, and not every PostgreSQL has pg_trgm: one index of our own
behaves the same on both.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from db.spellings.view import parts
from db.store.engine import Store
from db.store.settings import tag_revision, tags_gone
from db.store.tables import Tag, TagName
from db.tags.search.matching import TagEntry, TagIndex, TagMatch

REBUILD = 5_000  # changed tags from which building anew is quicker


class TagSearch:
    """A search over all tags of a store; one for all threads of a process."""

    def __init__(self, store: Store):
        self._store = store
        self._lock = threading.Lock()
        self._index: TagIndex | None = None
        self._tables: int | None = None  # whose tags are in the index

    def search(self, query: str, limit: int = 10, *, include_deprecated: bool = True) -> list[TagMatch]:
        """The best matches for what somebody typed; the spellings of merged tags lead to the tag they went into."""
        return self.index().search(query, limit, include_deprecated=include_deprecated)

    def index(self) -> TagIndex:
        """The index as of now; it never changes itself."""
        with self._lock, self._store.read() as session:
            revision, tables = tag_revision(session), _tables(session)
            index = self._index if tables == self._tables else None
            if index is None or (revision != index.revision and tags_gone(session) > index.revision):
                index = TagIndex(_entries(session, None), revision)
            elif revision != index.revision:
                index = self._refreshed(session, index, revision)
            self._index, self._tables = index, tables
            return index

    @staticmethod
    def _refreshed(session: Session, index: TagIndex, revision: int) -> TagIndex:
        changed = list(session.scalars(select(Tag.id).where(Tag.revision > index.revision).limit(REBUILD)))
        if len(changed) == REBUILD:
            return TagIndex(_entries(session, None), revision)
        touched = with_targets(session, changed)
        entries = list(_entries(session, touched))
        gone = touched - {entry.tag_id for entry in entries}
        return index.updated(entries, gone, revision)


def _tables(session: Session) -> int:
    """Another number after a restore, whose tags may have changed as often as ours: their revision says nothing then.

    SQLite counts up when a backup is copied into a store; PostgreSQL makes the tables anew.
    """
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    return session.scalar(text("PRAGMA schema_version" if is_sqlite else "SELECT CAST('tags'::regclass AS oid)"))


def with_targets(session: Session, ids: Iterable[int]) -> set[int]:
    """These tags and all that they were merged into."""
    found, newest = set(ids), set(ids)
    while newest:
        into: set[int] = set()
        for some in parts(newest):
            targets = session.scalars(select(Tag.merged_into_id).where(Tag.id.in_(some)))
            into |= {target for target in targets if target is not None}
        newest = into - found
        found |= newest
    return found


def with_sources(session: Session, ids: Iterable[int]) -> set[int]:
    """These tags and all that were merged into them."""
    found, newest = set(ids), set(ids)
    while newest:
        sources = set()
        for some in parts(newest):
            sources |= set(session.scalars(select(Tag.id).where(Tag.merged_into_id.in_(some))))
        newest = sources - found
        found |= newest
    return found


def _entries(session: Session, wanted: set[int] | None) -> Iterable[TagEntry]:
    """Entries for these tags (None: all) that are not merged, each with the spellings that lead to it."""
    tags = select(Tag.id, Tag.name, Tag.status, Tag.merged_into_id, Tag.uses)
    spellings = select(TagName.tag_id, TagName.text)
    if wanted is None:
        rows = session.execute(tags).all()
        names = session.execute(spellings).all()
    else:
        rows, names = [], []
        for some in parts(with_sources(session, wanted)):
            rows += session.execute(tags.where(Tag.id.in_(some))).all()
            names += session.execute(spellings.where(TagName.tag_id.in_(some))).all()
    into = {row.id: row.merged_into_id for row in rows}
    aliases: dict[int, list[str]] = defaultdict(list)
    uses: dict[int, int] = defaultdict(int)
    for tag_id, spelling in names:
        aliases[end_of(into, tag_id)].append(spelling)
    for row in rows:
        uses[end_of(into, row.id)] += row.uses
    for row in rows:
        if row.merged_into_id is None and (wanted is None or row.id in wanted):
            others = sorted(spelling for spelling in aliases[row.id] if spelling != row.name)
            yield TagEntry(row.id, row.name, tuple(others), row.status, uses[row.id])


def end_of(into: Mapping[int, int | None], tag_id: int) -> int:
    """The tag that this one was merged into, and that one, up to the last."""
    while (target := into.get(tag_id)) is not None:
        tag_id = target
    return tag_id
