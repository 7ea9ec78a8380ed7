"""What people decided about questions, to train on: read as of a moment, so that it can be read again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from db.ledger.in_force import is_none_of, undone_entries
from db.ledger.labelled import QUESTIONS_A_STEP, read_labelled
from db.ledger.labels import settle_all
from db.store.tables import Entry, Question, QueueItem, Verdict

_SAYING = ("decision", "review")  # lines that say which tags a question has
SETTLED = ("single", "agreed", "reviewed")  # a conflict that nobody has reviewed teaches nothing


@dataclass(frozen=True)
class DecidedQuestion:
    """A question and what was decided about it; tags are spelled as they were named at that moment."""

    question_id: int
    text_hash: str
    pool: str  # ordered, random or blind, as it is now: it stays while anybody has an opinion (db.queue.shares)
    picks: tuple[str, ...]  # why each opinion's question was served
    title: str
    description: str
    source: str
    tags: tuple[str, ...]
    rejected: tuple[str, ...]
    unjudged: tuple[str, ...]
    state: str  # single, agreed or reviewed


@dataclass(frozen=True)
class Material:
    """How many questions there are to train on and to test with."""

    train: int
    rejected: int  # rejected tags of those to train on
    held_out: int
    reserved: int  # kept back, but asked for by somebody: neither trained on nor tested


def decided_questions(session: Session, as_of: datetime | None = None) -> Iterator[DecidedQuestion]:
    """Every question with settled labels, oldest question first, a few hundred in memory at a time.

    Read with the moment of `last_entry`, the same rows come again later, whatever was decided since. Only a redaction
    reaches back: its question is gone from the past too.
    """
    rows = (row for row in read_labelled(session, as_of=as_of) if row.state in SETTLED)
    while some := list(islice(rows, QUESTIONS_A_STEP)):
        known = _origins(session, [row.question_id for row in some])
        for row in some:
            text_hash, pool = known[row.question_id]
            yield DecidedQuestion(
                question_id=row.question_id,
                text_hash=text_hash,
                pool=pool,
                picks=row.picks,
                title=row.title,
                description=row.description,
                source=row.source,
                tags=row.tags,
                rejected=row.rejected,
                unjudged=row.unjudged,
                state=row.state,
            )


def last_entry(session: Session) -> tuple[int, datetime] | None:
    """Number and moment of the newest line of the ledger; None if there is none.

    On PostgreSQL two lines written at the same time may be numbered against the order of their moments, so each of
    the two is the greatest there is.
    """
    number, moment = session.execute(select(func.max(Entry.number), func.max(Entry.at))).one()
    return None if number is None else (number, moment)


def decisions_since(session: Session, number: int) -> int:
    """How many decisions and reviews the ledger has after this line."""
    later = (Entry.kind.in_(_SAYING), Entry.number > number)
    return session.scalars(select(func.count()).select_from(Entry).where(*later)).one()


def decided_first_after(session: Session, number: int) -> set[int]:
    """Questions about which nobody had decided anything up to this line, and somebody has since."""
    return {question for question in session.scalars(first_decided_after(number)) if question is not None}


def count_decided_first_after(session: Session, number: int) -> int:
    return session.scalars(select(func.count()).select_from(first_decided_after(number).subquery())).one()


def first_decided_after(number: int) -> Select[int | None]:
    """SQL: those questions."""
    earlier = aliased(Entry)
    before = (earlier.question_id == Entry.question_id, earlier.number <= number, earlier.kind.in_(_SAYING))
    later = (Entry.kind.in_(_SAYING), Entry.number > number, Entry.question_id.is_not(None))
    return select(Entry.question_id).where(*later, ~exists().where(*before)).distinct()


def count_material(session: Session, set_aside: tuple[str, ...], digits: tuple[str, ...]) -> Material:
    """Counted by the database, from the queue's own counts; no text is read.

    Kept back from training are questions of these pools whose text's hash ends with one of these digits.
    """
    settled = (
        or_(QueueItem.answers > 0, QueueItem.reviewed),
        ~QueueItem.conflict,
        Question.redacted_at.is_(None),
    )
    last_digit = func.substr(Question.text_hash, func.length(Question.text_hash), 1)
    kept_back = and_(QueueItem.pool.in_(set_aside), last_digit.in_(digits))
    together = Question.id == QueueItem.question_id
    numbers = select(kept_back, func.count()).select_from(QueueItem).join(Question, together).where(*settled)
    counted = dict(session.execute(numbers.group_by(kept_back)).all())
    asked_for = or_(Entry.pick.is_(None), Entry.pick.not_in(set_aside))
    doubtful = (
        select(Entry.question_id)
        .join(QueueItem, QueueItem.question_id == Entry.question_id)
        .join(Question, together)
        .where(Entry.kind == "decision", asked_for, kept_back, *settled)
        .distinct()
    )
    reserved = _count_asked_for(session, list(session.scalars(doubtful)), set_aside)
    return Material(
        train=counted.get(False, 0),
        rejected=_count_rejected(session, (*settled, ~kept_back), together),
        held_out=counted.get(True, 0) - reserved,
        reserved=reserved,
    )


def _count_asked_for(session: Session, ids: list[int], set_aside: tuple[str, ...]) -> int:
    """Those of the questions for whom it was an opinion that still stands; they are few, so the ledger is read."""
    found = 0
    for start in range(0, len(ids), QUESTIONS_A_STEP):
        some = settle_all(session, ids[start : start + QUESTIONS_A_STEP])
        found += sum(any(line.pick not in set_aside for line in settled.opinions) for settled in some.values())
    return found


def _count_rejected(session: Session, chosen: tuple, together) -> int:
    """Rejected tags in lines that stand: not taken back, unless that was taken back too, and not replaced."""
    later = aliased(Entry)
    stands = is_none_of(session, later.number, undone_entries(session))
    over = select(later.number).where(later.target == Entry.number, stands).exists()
    counts = or_(
        and_(QueueItem.reviewed, Entry.kind == "review"),
        and_(~QueueItem.reviewed, Entry.kind == "decision", Entry.standing == "answer"),
    )
    tags = (
        select(Entry.question_id, Verdict.key)
        .select_from(Verdict)
        .join(Entry, Entry.number == Verdict.entry_number)
        .join(QueueItem, QueueItem.question_id == Entry.question_id)
        .join(Question, together)
        .where(Verdict.verdict == "rejected", counts, ~over, *chosen)
        .distinct()
    )
    return session.scalars(select(func.count()).select_from(tags.subquery())).one()


def _origins(session: Session, ids: list[int]) -> dict[int, tuple[str, str]]:
    """Question -> hash of its text, and its pool."""
    rows = session.execute(
        select(Question.id, Question.text_hash, QueueItem.pool)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(Question.id.in_(ids))
    )
    return {question: (text_hash, pool) for question, text_hash, pool in rows}
