"""The queue: who gets which question next, and for how long.

A question is with at most as many people as its overlap asks. Locks are taken in one order everywhere: those
of db.store.locks, the person who claims, the queue item, then its leases, then the ledger, then the tags.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from db import people
from db.errors import NotFound, Refused
from db.ledger.tally import lock_item
from db.messages import Message
from db.queue.serving import Served, next_item, open_with, pools
from db.queue.shares import note_change
from db.store.clock import read_clock
from db.store.free_text import REDACTED, fit
from db.store.moments import AHEAD
from db.store.statements import change_rows
from db.store.tables import QUEUE_ORDERS, Lease, Person, PriorLabel, Question, QueueCount, QueueItem

LEASE_SECONDS = 15 * 60
SWEEP = 100  # expired leases that one claim clears away at most
ORDERS = tuple(QUEUE_ORDERS)


@dataclass(frozen=True)
class Claim:
    """A question in a person's hands. `blind`: show no suggestions, they anchor people."""

    lease_id: int
    question_id: int
    title: str
    description: str
    source: str
    url: str
    prior_tags: tuple[str, ...]
    pick: str  # why it was served: ordered, random, blind or direct
    expires_at: datetime
    resumed: bool = False  # it was in this person's hands already

    @property
    def blind(self) -> bool:
        return self.pick == "blind"


@dataclass(frozen=True)
class Holder:
    question_id: int
    person: str
    since: datetime
    expires_at: datetime


def claim(
    session: Session,
    person_id: int,
    *,
    order: str = "oldest",
    source: str | None = None,
    tag: str | None = None,
    seconds: float = LEASE_SECONDS,
    another: bool = False,
    choose: Callable[[], float] = random.random,
) -> Claim | None:
    """The next question for a person, or None when nothing is left for them.

    What they already hold comes back first (a page may have been reloaded), unless `another` is asked for. Questions
    they skipped come last. `choose` draws from [0, 1) which pool is served, in proportion to its share.
    """
    if order not in ORDERS:
        raise Refused("queue.no_such_order", order=order, orders=", ".join(ORDERS))
    # One claim of a person at a time: two windows opened at once must not take a question each.
    session.get(Person, person_id, with_for_update={"key_share": True})
    people.require(session, person_id)
    now = read_clock(session)
    return_expired(session, now)
    if not another and (held := _held(session, person_id, seconds)) is not None:
        return held
    served = Served(session, source, tag)
    for skipped_too in (False, True):
        for pool in pools(session, choose()):
            item = next_item(session, person_id, pool, order, served, skipped_too)
            if item is not None:
                return _lease(session, item, person_id, item.pool, order if pool == "ordered" else None, seconds)
    return None


def claim_question(session: Session, person_id: int, question_id: int, *, seconds: float = LEASE_SECONDS) -> Claim:
    """One certain question, asked for by its id; raises Refused if others have it."""
    people.require(session, person_id)
    now = read_clock(session)
    return_expired(session, now)
    item = lock_item(session, question_id)
    mine = session.scalar(
        select(Lease).where(Lease.question_id == question_id, Lease.person_id == person_id, Lease.state == "held")
    )
    if mine is not None:
        mine.expires_at = now + timedelta(seconds=seconds)
        return _as_claim(session, mine, resumed=True)
    if not item.is_open:
        if item.overlap == 0:
            raise Refused("queue.redacted", question=question_id)
        if held := [holder.person for holder in holders(session, question_id)]:
            raise Refused("queue.with_others", question=question_id, people=", ".join(held))
        raise Refused("queue.has_its_answers", question=question_id)
    return _lease(session, item, person_id, "blind" if item.pool == "blind" else "direct", None, seconds)


def heartbeat(session: Session, lease_id: int, person_id: int, *, seconds: float = LEASE_SECONDS) -> datetime | None:
    """Hold on to a question for longer. Returns the new expiry, or None if the lease has ended or run out."""
    people.require(session, person_id)
    now = read_clock(session)
    until = now + timedelta(seconds=seconds)
    is_mine = (Lease.id == lease_id, Lease.person_id == person_id, Lease.state == "held", Lease.expires_at > now)
    return until if change_rows(session, update(Lease).where(*is_mine).values(expires_at=until)) else None


def skip(session: Session, lease_id: int, person_id: int, reason: str) -> None:
    """Put a question back, for others to take, with a reason. It comes back to this person only after all others."""
    if not (reason := fit(reason, "reason")):
        raise Refused("queue.skip_without_reason")
    _give_back(session, lease_id, person_id, "skipped", reason)


def release(session: Session, lease_id: int, person_id: int) -> None:
    """Put a question back as if it had never been claimed, for example when the page is left."""
    _give_back(session, lease_id, person_id, "released", None)


def holders(session: Session, question_id: int | None = None) -> list[Holder]:
    """Who has which question now, or who has this one, oldest first."""
    now = read_clock(session)
    query = (
        select(Lease.question_id, Person.name, Lease.claimed_at, Lease.expires_at)
        .join(Person, Person.id == Lease.person_id)
        .where(Lease.state == "held", ~_is_over(now))
        .order_by(Lease.id)
    )
    if question_id is not None:
        query = query.where(Lease.question_id == question_id)
    return [Holder(*row) for row in session.execute(query)]


def count_waiting(session: Session, person_id: int, at_most: int) -> int:
    """How many questions the queue has for a person, whatever their source and tags; counted no further than asked."""
    mine = aliased(Lease)
    had = (
        select(mine.id)
        .where(mine.person_id == person_id, mine.question_id == QueueItem.question_id)
        .where(mine.state.in_(("held", "submitted")))
    )
    some = select(QueueItem.question_id).where(QueueItem.is_open, ~had.exists()).limit(at_most)
    return session.scalars(select(func.count()).select_from(some.subquery())).one()


def open_questions(session: Session) -> int:
    """How many questions are open: kept by the store, so it costs the same however many there are."""
    return int(session.scalars(select(func.coalesce(func.sum(QueueCount.open), 0))).one())


def set_overlap(
    session: Session,
    overlap: int,
    *,
    source: str | None = None,
    question_id: int | None = None,
    by: int | None = None,
) -> int:
    """How many opinions questions shall get; returns how many questions were changed."""
    if overlap < 1:
        raise Refused("queue.bad_overlap", overlap=overlap)
    note_change(session, by, {"overlap": overlap, "source": source, "question": question_id})
    chosen = [QueueItem.overlap > 0]  # 0: redacted, never to be served again
    if source is not None:
        chosen.append(QueueItem.source == source)
    if question_id is not None:
        chosen.append(QueueItem.question_id == question_id)
    is_open = open_with(QueueItem.answers, QueueItem.holders, overlap)
    return change_rows(session, update(QueueItem).where(*chosen).values(overlap=overlap, is_open=is_open))


def return_expired(session: Session, now: datetime) -> int:
    """Put questions whose lease is over back into the queue."""
    expired = session.execute(
        select(Lease.id, Lease.question_id)
        .join(QueueItem, QueueItem.question_id == Lease.question_id)
        .where(Lease.state == "held", _is_over(now))
        .order_by(Lease.expires_at)
        .limit(SWEEP)
        .with_for_update(of=QueueItem, skip_locked=True)  # the item first: a submit locks in that order too
    ).all()
    returned = 0
    for lease_id, question_id in expired:
        still_over = update(Lease).where(Lease.id == lease_id, Lease.state == "held", _is_over(now))
        if change_rows(session, still_over.values(state="expired", ended_at=now)):  # or a heartbeat was quicker
            _count_holders(session, question_id, -1)
            returned += 1
    return returned


def _is_over(now: datetime) -> ColumnElement[bool]:
    """SQL, of a lease: it has run out, or its person has gone, or it was made when the clock was wrong."""
    gone = select(Person.id).where(~Person.active)
    return or_(Lease.expires_at <= now, Lease.claimed_at > now + AHEAD, Lease.person_id.in_(gone))


def _held(session: Session, person_id: int, seconds: float) -> Claim | None:
    lease = session.scalar(
        select(Lease).where(Lease.person_id == person_id, Lease.state == "held").order_by(Lease.id).limit(1)
    )
    if lease is None or heartbeat(session, lease.id, person_id, seconds=seconds) is None:
        return None
    session.refresh(lease)
    return _as_claim(session, lease, resumed=True)


def _lease(session: Session, item: QueueItem, person_id: int, pick: str, order: str | None, seconds: float) -> Claim:
    now = read_clock(session)  # again: only now is the item locked, and whoever had it before has ended
    lease = Lease(
        question_id=item.question_id,
        person_id=person_id,
        pick=pick,
        ordering=order,
        claimed_at=now,
        expires_at=now + timedelta(seconds=seconds),
    )
    session.add(lease)
    _count_holders(session, item.question_id, +1)
    session.flush()
    return _as_claim(session, lease)


def _as_claim(session: Session, lease: Lease, *, resumed: bool = False) -> Claim:
    question = session.get_one(Question, lease.question_id)
    prior = session.scalars(
        select(PriorLabel.text).where(PriorLabel.question_id == lease.question_id).order_by(PriorLabel.place)
    )
    return Claim(
        lease_id=lease.id,
        question_id=question.id,
        title=question.title,
        description=question.description,
        source=question.source,
        url=question.url,
        prior_tags=tuple(prior),
        pick=lease.pick,
        expires_at=lease.expires_at,
        resumed=resumed,
    )


def _give_back(session: Session, lease_id: int, person_id: int, state: str, reason: str | None) -> None:
    people.require(session, person_id)
    lease = session.get(Lease, lease_id)
    if lease is None or lease.person_id != person_id:
        raise NotFound("lease.not_yours", lease=lease_id)
    item = lock_item(session, lease.question_id)
    session.refresh(lease)
    if lease.state not in ("held", "expired"):
        raise Refused("lease.ended", question=lease.question_id, state=Message(f"lease.{lease.state}"))
    if lease.state == "held":
        _count_holders(session, lease.question_id, -1)
    if reason is not None and item.overlap == 0:  # redacted: the reason would quote what is gone
        reason = REDACTED
    # A skip of a lease that has run out is still worth its reason.
    lease.state, lease.reason, lease.ended_at = state, reason, read_clock(session)
    session.flush()


def _count_holders(session: Session, question_id: int, change: int) -> None:
    holders = QueueItem.holders + change
    is_open = open_with(QueueItem.answers, holders, QueueItem.overlap)
    counted = update(QueueItem).where(QueueItem.question_id == question_id)
    change_rows(session, counted.values(holders=holders, is_open=is_open))
