"""What was done to the store itself, read from the ledger: tags, people, queue, models."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from db.ledger.stored_text import StoredText
from db.store.tables import Entry, Person


@dataclass(frozen=True)
class LogLine:
    """An entry of the ledger that is not about a question; `payload` says what was done."""

    number: int
    at: datetime
    kind: str
    person: str | None  # None: the program itself
    payload: dict
    undone_by: int | None  # the newest entry that takes it back

    @property
    def summary(self) -> StoredText:
        """What a change of tags says of itself; other entries say nothing."""
        return StoredText(self.payload.get("summary", ""))


def recent(session: Session, kinds: Sequence[str], limit: int = 50) -> list[LogLine]:
    """The newest entries of these kinds, newest first; an import of tags is its first one."""
    later = aliased(Entry)
    undone_by = select(later.number).where(later.target == Entry.number).order_by(later.number.desc()).limit(1)
    rows = session.execute(
        select(Entry.number, Entry.at, Entry.kind, Person.name, Entry.payload, undone_by.scalar_subquery())
        .outerjoin(Person, Person.id == Entry.person_id)
        .where(Entry.kind.in_(kinds), Entry.payload["part_of"].as_integer().is_(None))
        .order_by(Entry.number.desc())
        .limit(limit)
    )
    return [LogLine(*row) for row in rows]
