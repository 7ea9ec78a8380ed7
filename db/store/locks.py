"""What must not happen at the same time, said once: who waits for whom on PostgreSQL.

On SQLite there is one writer at a time, which is enough. On PostgreSQL rows can be locked, but not the rows that are
not there yet, nor what another transaction is about to read; these locks stand for such things. They end with the
transaction, and come before any lock of a row.
"""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

_OURS = 12_201_812  # any number, as long as nobody else in the database uses it
_PEOPLE, _TAGS, _SHARES = 1, 2, 3


def change_people(session: Session) -> None:
    """One change of people at a time: who is an admin is counted before one of them goes."""
    _lock(session, func.pg_advisory_xact_lock, _PEOPLE)


def change_tags(session: Session) -> None:
    """Wait for all who read what tags mean in order to store it, and let none begin until the change is there."""
    _lock(session, func.pg_advisory_xact_lock, _TAGS)


def keep_tags(session: Session) -> None:
    """What each tag means stays as it is to the end of this transaction; any number may hold on to it at once."""
    _lock(session, func.pg_advisory_xact_lock_shared, _TAGS)


def change_shares(session: Session) -> None:
    """Wait for all who put questions into pools, and let none begin until the new shares are there."""
    _lock(session, func.pg_advisory_xact_lock, _SHARES)


def keep_shares(session: Session) -> None:
    """The shares of the pools stay as they are to the end of this transaction."""
    _lock(session, func.pg_advisory_xact_lock_shared, _SHARES)


def _lock(session: Session, function, number: int) -> None:
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(function(_OURS, number)))
