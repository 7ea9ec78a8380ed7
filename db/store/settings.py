"""Settings that all users of one store share: how the queue mixes its picks, and the revision of the tags."""

from dataclasses import dataclass

from sqlalchemy import case, select, update
from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.ledger.labels import next_moment
from db.store import locks
from db.store.tables import Entry, QueueItem, Setting

RANDOM_SHARE = "random_share"
BLIND_SHARE = "blind_share"
TAG_REVISION = "tag_revision"
TAGS_GONE = "tags_gone"


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
    stored = dict(
        session.execute(select(Setting.name, Setting.value).where(Setting.name.in_((RANDOM_SHARE, BLIND_SHARE)))).all()
    )
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
    _store(session, RANDOM_SHARE, str(shares.random))
    _store(session, BLIND_SHARE, str(shares.blind))
    session.execute(
        update(QueueItem)
        .where(QueueItem.answers == 0, QueueItem.holders == 0, *misplaced(shares))
        .values(pool=_pool(shares))
        .execution_options(synchronize_session=False)
    )


def misplaced(shares: Shares) -> tuple:
    """SQL: a question is in another pool than these shares say, and may be moved.

    One that was ever decided stays, even if that was taken back: some are kept from training by their pool.
    """
    decided = select(Entry.number).where(Entry.question_id == QueueItem.question_id).correlate(QueueItem).exists()
    return QueueItem.pool != _pool(shares), ~decided


def _pool(shares: Shares):
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


def tag_revision(session: Session) -> int:
    """Grows with every change of a tag: an index built at this revision is up to date."""
    return int(session.scalar(select(Setting.value).where(Setting.name == TAG_REVISION)) or 0)


def next_tag_revision(session: Session) -> int:
    """The number for a change of the tags; until the commit nobody else gets one, so tag changes come one by one."""
    if session.scalar(select(Setting.value).where(Setting.name == TAG_REVISION)) is None:
        # Not `_store`: another first change may have come between, and its number must not be given again.
        session.execute(insert_for(session)(Setting).values(name=TAG_REVISION, value="0").on_conflict_do_nothing())
    current = session.scalar(select(Setting.value).where(Setting.name == TAG_REVISION).with_for_update())
    _store(session, TAG_REVISION, str(int(current) + 1))
    return int(current) + 1


def tags_gone(session: Session) -> int:
    """The revision at which tags went for good: an older index cannot learn from the rows that are left."""
    return int(session.scalar(select(Setting.value).where(Setting.name == TAGS_GONE)) or 0)


def note_tags_gone(session: Session, revision: int) -> None:
    _store(session, TAGS_GONE, str(revision))


def _store(session: Session, name: str, value: str) -> None:
    insert = insert_for(session)
    statement = insert(Setting).values(name=name, value=value)
    session.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def insert_for(session: Session):
    """The dialect's `insert`, which knows ON CONFLICT."""
    if session.get_bind().dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert
    return insert
