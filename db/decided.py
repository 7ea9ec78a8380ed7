"""What people decided about questions, to train on: read as of a moment, so that it can be read again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.export import QUESTIONS_A_STEP, ExportFilter, labelled_questions
from db.models import Entry, Question, QueueItem

SETTLED = ("single", "agreed", "reviewed")  # a conflict that nobody has reviewed teaches nothing


@dataclass(frozen=True)
class DecidedQuestion:
    """A question and what was decided about it; tags are spelled as they were named at that moment."""

    question_id: int
    text_hash: str
    pool: str  # ordered, random or blind, as it is now: it stays while anybody has an opinion (db.settings)
    picks: tuple[str, ...]  # why each opinion's question was served
    title: str
    description: str
    source: str
    tags: tuple[str, ...]
    rejected: tuple[str, ...]
    unjudged: tuple[str, ...]
    state: str  # single, agreed or reviewed


def decided_questions(session: Session, as_of: datetime | None = None) -> Iterator[DecidedQuestion]:
    """Every question with settled labels, oldest question first, a few hundred in memory at a time.

    Read with the moment of `last_entry`, the same rows come again later, whatever was decided since. Only a redaction
    reaches back: its question is gone from the past too.
    """
    rows = labelled_questions(session, ExportFilter(as_of=as_of, states=SETTLED))
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
    later = (Entry.kind.in_(("decision", "review")), Entry.number > number)
    return session.scalar(select(func.count()).select_from(Entry).where(*later))


def _origins(session: Session, ids: list[int]) -> dict[int, tuple[str, str]]:
    """Question -> hash of its text, and its pool."""
    rows = session.execute(
        select(Question.id, Question.text_hash, QueueItem.pool)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(Question.id.in_(ids))
    )
    return {question: (text_hash, pool) for question, text_hash, pool in rows}
