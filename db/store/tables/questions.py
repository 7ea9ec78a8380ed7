"""Questions as they came in."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.store.clock import database_now
from db.store.tables.base import Base, BigId, one_of

IMPORT_STATES = ("running", "finished")


class Import(Base):
    """A file that was read in, and how far: what makes a broken import resumable (db.transfer.importing)."""

    __tablename__ = "imports"
    __table_args__ = (one_of("state", IMPORT_STATES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str]
    fingerprint: Mapped[str] = mapped_column(index=True)  # of the file and the options that change what is stored
    state: Mapped[str] = mapped_column(default="running")
    rows_done: Mapped[int] = mapped_column(default=0)
    added: Mapped[int] = mapped_column(default=0)
    duplicates: Mapped[int] = mapped_column(default=0)
    bad: Mapped[int] = mapped_column(default=0)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    started_at: Mapped[datetime] = mapped_column(default=database_now())
    finished_at: Mapped[datetime | None]


class Question(Base):
    """A question's text, once. Only a redaction ever changes it (db.transfer.importing, db.ledger.entries)."""

    __tablename__ = "questions"
    __table_args__ = (Index(None, "source", "external_id"),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    source: Mapped[str] = mapped_column(default="")
    external_id: Mapped[str] = mapped_column(default="")
    url: Mapped[str] = mapped_column(default="")  # of the original; only http and https
    title: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    # Stays after a redaction, so that importing the old file again does not bring the text back.
    text_hash: Mapped[str] = mapped_column(String(64), unique=True)
    import_id: Mapped[int | None] = mapped_column(ForeignKey("imports.id"))
    created_at: Mapped[datetime] = mapped_column(default=database_now())
    redacted_at: Mapped[datetime | None]


class PriorLabel(Base):
    """A tag the question came with (db.transfer.importing)."""

    __tablename__ = "prior_labels"
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, index=True)
    text: Mapped[str]
    place: Mapped[int]
