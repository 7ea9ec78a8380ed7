"""When a new line of the ledger is dated: by the database's clock, and later than every line before it."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.store.clock import read_clock
from db.store.tables import Entry

AHEAD = timedelta(days=2)  # a line dated further ahead of the clock was written when the clock was wrong


def next_moment(session: Session, after: Iterable[datetime] = ()) -> datetime:
    """When a new line is written: the database's time, and later than the newest line and than `after`.

    A clock that tells milliseconds only, or is set back, must not let a line slip under one that was there before:
    what the past looked like would change. Lines of a clock that was far ahead once are left out of this, or every
    line to come would be dated by them.
    """
    now = read_clock(session)
    newest = session.scalars(select(Entry.at).where(Entry.at <= now + AHEAD).order_by(Entry.number.desc()).limit(1))
    before = (*newest, *(moment for moment in after if moment <= now + AHEAD))
    return max([now, *(moment + timedelta(microseconds=1) for moment in before)])
