"""Looks for what must not be: counts of the queue that are not what the ledger and the leases say.

The counts are kept so that claims are quick; each can be worked out again, and here they are.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from db.ledger.labels import settle_all
from db.ledger.replay import Settled
from db.messages import Message
from db.queue.claims import open_questions
from db.queue.shares import get_shares, misplaced
from db.store.clock import read_clock
from db.store.moments import AHEAD
from db.store.tables import Entry, Lease, Question, QueueItem

QUESTIONS_A_STEP = 500  # in memory at a time
MAX_FOUND = 100
NOTHING = Settled(state="none")
Place = Row[int, str, datetime | None, QueueItem]  # of a question: number, source, when it was redacted, its counts


def find_inconsistencies(
    session: Session, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Message]:
    """What is wrong, one message each, MAX_FOUND at most and then how many more; empty for a sound store.

    `progress` is called with (questions looked at, questions to look at).
    """
    found: list[Message] = []
    number = 0
    for problem in _problems(session, progress):
        number += 1
        if number <= MAX_FOUND:
            found.append(problem)
    if number > MAX_FOUND:
        found.append(Message("check.more", {"count": number - MAX_FOUND}))
    return found


def _problems(session: Session, progress: Callable[[int, int], None]) -> Iterator[Message]:
    yield from _problems_of_all(session)
    total = session.scalars(select(func.count()).select_from(Question)).one()
    done, last = 0, 0
    while rows := _next_rows(session, last):
        last = rows[-1].id
        ids = [row.id for row in rows]
        settled = settle_all(session, ids)
        held = dict(
            session.execute(
                select(Lease.question_id, func.count())
                .where(Lease.question_id.in_(ids), Lease.state == "held")
                .group_by(Lease.question_id)
            ).all()
        )
        for row in rows:
            yield from _problems_of(row, settled.get(row.id, NOTHING), held.get(row.id, 0))
        done += len(rows)
        progress(done, total)


def _problems_of_all(session: Session) -> Iterator[Message]:
    kept = open_questions(session)
    is_open = session.scalar(select(func.count()).select_from(QueueItem).where(QueueItem.is_open))
    if kept != is_open:
        yield Message("check.open_questions", {"kept": kept, "counted": is_open})
    ahead, first = session.execute(
        select(func.count(), func.min(Entry.number)).where(Entry.at > read_clock(session) + AHEAD)
    ).one()
    if ahead:
        yield Message("check.dated_ahead", {"count": ahead, "first": first})
    yield from _wrong_pools(session)


def _wrong_pools(session: Session) -> Iterator[Message]:
    """Questions that an older version put aside by shares that were changed while it imported them."""
    shares = get_shares(session)
    wrong = select(QueueItem.question_id, QueueItem.pool, QueueItem.random_key).where(*misplaced(shares))
    rows = session.execute(wrong.order_by(QueueItem.question_id)).all()
    for start in range(0, len(rows), QUESTIONS_A_STEP):
        some = rows[start : start + QUESTIONS_A_STEP]
        # Who had a question when the shares were changed kept it where it was.
        had = set(session.scalars(select(Lease.question_id).where(Lease.question_id.in_([row[0] for row in some]))))
        for question, pool, random_key in some:
            if question not in had:
                expected = {"question": question, "pool": pool, "expected": shares.pool(random_key)}
                yield Message("check.wrong_pool", {**expected, "random": shares.random, "blind": shares.blind})


def _next_rows(session: Session, after: int) -> Sequence[Place]:
    """The next questions with their places in the queue."""
    return session.execute(
        select(Question.id, Question.source, Question.redacted_at, QueueItem)
        .outerjoin(QueueItem, QueueItem.question_id == Question.id)
        .where(Question.id > after)
        .order_by(Question.id)
        .limit(QUESTIONS_A_STEP)
    ).all()


def _problems_of(row: Place, settled: Settled, held: int) -> Iterator[Message]:
    item = row.QueueItem
    if item is None:
        yield Message("check.no_place", {"question": row.id})
        return
    answers, is_reviewed = len(settled.opinions), settled.state == "reviewed"
    expected = {
        "answers": answers,
        "holders": held,
        "conflict": settled.state == "conflict",
        "reviewed": is_reviewed,
        "is_open": answers + held < item.overlap and not is_reviewed,
        "source": row.source,
    }
    for column, value in expected.items():
        if (found := getattr(item, column)) != value:
            values = {"question": row.id, "column": column, "value": found, "expected": value}
            yield Message("check.wrong_count", values)
    if row.redacted_at is not None and item.overlap != 0:
        yield Message("check.serves_redacted", {"question": row.id})
