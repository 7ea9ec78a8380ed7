"""Time in the store: the database's own clock, kept as whole microseconds since 1970 in UTC.

A whole number compares, indexes and round-trips the same way on SQLite and PostgreSQL. The database's clock is the
only one that all moderators share: leases compare against nothing else.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import BigInteger, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone; the store keeps times in UTC.")
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(value: int) -> datetime:
    return _EPOCH + value * _MICROSECOND


class Moment(TypeDecorator):
    """A datetime in UTC, stored as microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return to_microseconds(value) if isinstance(value, datetime) else value

    def process_result_value(self, value, dialect):
        return None if value is None else from_microseconds(value)


class database_now(FunctionElement):  # named as SQL functions are
    """The database's clock at this statement, as a Moment."""

    type = Moment()
    inherit_cache = True


@compiles(database_now, "sqlite")
def _sqlite_now(element, compiler, **options) -> str:
    # SQLite tells milliseconds at best; 'now' is one moment within a statement.
    return (
        "(CAST(strftime('%s', 'now') AS INTEGER) * 1000000 + CAST(substr(strftime('%f', 'now'), 4) AS INTEGER) * 1000)"
    )


@compiles(database_now, "postgresql")
def _postgresql_now(element, compiler, **options) -> str:
    # Not now(), which stands still within a transaction: a submit may wait for a lock first.
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"


def read_clock(session: Session) -> datetime:
    return session.scalar(select(database_now()))
