"""The ledger: decisions, and everything else that was done."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.store.tables.base import Base, BigId, one_of

ENTRY_KINDS = (
    "decision",
    "review",
    "undo",
    "redact",
    "tag",
    "person",
    "queue",
    "register",
    "promote",
    "rollback",
    "retrain",
    "prune",
)
VERDICTS = ("accepted", "rejected", "added", "unjudged")
STANDINGS = ("answer", "second_opinion")


class Entry(Base):
    """A line of the ledger; its number is the receipt. Never changed and never deleted: triggers see to it (db.ledger).

    `target` is the entry that this one takes back (undo) or replaces (a change of mind).
    """

    __tablename__ = "entries"
    __table_args__ = (
        one_of("kind", ENTRY_KINDS),
        Index(None, "question_id", "number"),
        Index(None, "person_id", "number"),
        Index(None, "person_id", "at"),
        Index(None, "kind", "number"),
        {"sqlite_autoincrement": True},  # a number is never given twice
    )
    number: Mapped[int] = mapped_column(BigId, primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str]
    person_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("people.id"))
    question_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("questions.id"))
    suggestion_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("suggestions.id"), index=True)
    lease_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("leases.id"))
    target: Mapped[int | None] = mapped_column(BigId, ForeignKey("entries.number"), index=True)
    standing: Mapped[str | None]  # of a decision, or of the one that an undo brings back
    pick: Mapped[str | None]
    model_version: Mapped[str | None]
    seconds: Mapped[float | None]  # time spent
    flag: Mapped[str | None]
    idempotency_key: Mapped[str | None] = mapped_column(unique=True)
    digest: Mapped[str | None]  # of the request, to tell a repetition from a key used twice
    payload: Mapped[dict] = mapped_column(default=dict)


class Verdict(Base):
    """What one entry says about one tag; append-only like its entry."""

    __tablename__ = "verdicts"
    __table_args__ = (one_of("verdict", VERDICTS),)
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, index=True)
    text: Mapped[str]
    verdict: Mapped[str]
    place: Mapped[int]


class Comment(Base):
    """Free text of an entry, apart from it, so that a redaction can empty it without touching the ledger."""

    __tablename__ = "comments"
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    text: Mapped[str]
