"""How the queue mixes its picks: parts of all questions that are set aside, and who changed them."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, case, select, update
from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.store import locks, settings
from db.store.moments import next_moment
from db.store.statements import change_rows
from db.store.tables import Entry, QueueItem

RANDOM_SHARE = "random_share"
BLIND_SHARE = "blind_share"


@dataclass(frozen=True)
class Shares:
    """Parts of all questions that are set aside: served in random order, and served with no suggestions at all."""

    random: float = 0.1
    blind: float = 0.0

    def pool(self, random_key: float) -> str:
        """Which pool a question belongs to, by its fixed random number: each pool is a fair sample of all questions."""
        if random_key < self.blind:
            return "blind"
        return "random" if random_key < self.blind + self.random else "ordered"


def get_shares(session: Session) -> Shares:
    stored = settings.values(session, (RANDOM_SHARE, BLIND_SHARE))
    default = Shares()
    return Shares(
        random=float(stored.get(RANDOM_SHARE, default.random)), blind=float(stored.get(BLIND_SHARE, default.blind))
    )


def set_shares(session: Session, shares: Shares, *, by: int | None = None) -> None:
    """Change the shares; questions nobody has ever decided or holds move to their new pool. `by` None: the program."""
    if not (0 <= shares.random <= 1 and 0 <= shares.blind <= 1 and shares.random + shares.blind <= 1):
        raise Refused("queue.bad_shares", random=shares.random, blind=shares.blind)
    locks.change_shares(session)
    note_change(session, by, {"random_share": shares.random, "blind_share": shares.blind})
    settings.put(session, RANDOM_SHARE, str(shares.random))
    settings.put(session, BLIND_SHARE, str(shares.blind))
    untouched = update(QueueItem).where(QueueItem.answers == 0, QueueItem.holders == 0, *misplaced(shares))
    change_rows(session, untouched.values(pool=_pool(shares)))


def misplaced(shares: Shares) -> tuple[ColumnElement[bool], ...]:
    """SQL: a question is in another pool than these shares say, and may be moved.

    One that was ever decided stays, even if that was taken back: some are kept from training by their pool.
    """
    decided = select(Entry.number).where(Entry.question_id == QueueItem.question_id).correlate(QueueItem).exists()
    return QueueItem.pool != _pool(shares), ~decided


def _pool(shares: Shares) -> ColumnElement[str]:
    """SQL: `Shares.pool` of a question."""
    return case(
        (QueueItem.random_key < shares.blind, "blind"),
        (QueueItem.random_key < shares.blind + shares.random, "random"),
        else_="ordered",
    )


def note_change(session: Session, by: int | None, payload: dict) -> None:
    """A change of how the queue works goes into the ledger too; raises Refused if the person may not."""
    if by is not None:
        people.require(session, by, "change the queue")
    session.add(Entry(at=next_moment(session), kind="queue", person_id=by, payload=payload))
