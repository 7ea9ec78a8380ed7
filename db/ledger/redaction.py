"""Where a question's words are kept beside its text, and how they go when it is redacted (db.ledger.entries)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from db.spellings.names import tag_key
from db.store.engine import Store
from db.store.free_text import REDACTED
from db.store.records import ProposedTag
from db.store.statements import change_rows, run_outside_transaction
from db.store.tables import (
    Comment,
    Decoding,
    Entry,
    Lease,
    Question,
    QueueTag,
    SuggestedTag,
    Suggestion,
    TagName,
    Verdict,
)


def lock_question(session: Session, question_id: int, *, to_redact: bool = False) -> Question | None:
    """The question as it is now. It is not redacted until the transaction ends, but by the one that asks to."""
    return session.scalar(
        select(Question)
        .where(Question.id == question_id)
        .with_for_update(read=not to_redact, key_share=to_redact)
        .execution_options(populate_existing=True)
    )


def remove_words(session: Session, question: Question, now: datetime) -> None:
    """Take the words of a question out of every table but the ledger, which holds tags only."""
    if session.get_bind().dialect.name == "sqlite":
        # Otherwise they stay in the file's free space.
        session.connection().exec_driver_sql("PRAGMA secure_delete = ON")
    question.title, question.description, question.url, question.redacted_at = REDACTED, "", "", now
    about = select(Entry.number).where(Entry.question_id == question.id)
    for table, column, condition in (
        (Comment, Comment.text, Comment.entry_number.in_(about)),
        (Lease, Lease.reason, (Lease.question_id == question.id) & Lease.reason.is_not(None)),
    ):
        change_rows(session, update(table).where(condition).values({column: REDACTED}))
    change_rows(session, delete(QueueTag).where(QueueTag.question_id == question.id))
    # What was found for it, and why, is made of its words; what it was like tells what it was about.
    change_rows(
        session, update(Suggestion).where(Suggestion.question_id == question.id).values(decoding_id=None, precedents=[])
    )
    change_rows(session, delete(Decoding).where(Decoding.question_id == question.id))
    suggested = SuggestedTag.suggestion_id.in_(select(Suggestion.id).where(Suggestion.question_id == question.id))
    change_rows(session, update(SuggestedTag).where(suggested).values(cues=[], hypothesis=[], evidence=[], figures={}))
    lies_before_somebody = exists().where(
        Lease.question_id == question.id, Lease.state == "held", Lease.expires_at > now
    )
    # A model may have made a new tag up from the words. What people were shown and answered is in the ledger.
    made_up = SuggestedTag.key.not_in(select(TagName.key))
    judged = exists().where(Verdict.entry_number.in_(about), Verdict.key == SuggestedTag.key)
    change_rows(session, delete(SuggestedTag).where(suggested, made_up, ~judged, ~lies_before_somebody))


def without_words(session: Session, tags: Sequence[ProposedTag]) -> list[ProposedTag]:
    """What may be kept of a suggestion for a question that is redacted: tags that there are already."""
    keys = {tag_key(tag.tag) for tag in tags}
    known = set(session.scalars(select(TagName.key).where(TagName.key.in_(keys))))
    kept = (tag for tag in tags if tag_key(tag.tag) in known)
    return [replace(tag, cues=(), hypothesis=(), evidence=(), figures={}) for tag in kept]


def redacted_questions(session: Session) -> set[int]:
    return set(session.scalars(select(Question.id).where(Question.redacted_at.is_not(None))))


def forget_deleted(store: Store) -> None:
    """Empty the log beside a SQLite file, which holds pages as they were before; after the redaction's commit.

    Where somebody reads at this moment, SQLite does it by itself a little later. PostgreSQL has VACUUM for this.
    """
    if store.is_sqlite:
        with store.turn(), store.writer.connect() as connection:
            run_outside_transaction(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
