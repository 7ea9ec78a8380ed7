"""Tags, their spellings and how they changed."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from db.store.clock import database_now
from db.store.tables.base import Base, BigId, one_of

TAG_STATES = ("active", "deprecated", "merged")


class Tag(Base):
    """A tag (db.tags.planning). A merged one stays, and leads to the tag it was merged into."""

    __tablename__ = "tags"
    __table_args__ = (one_of("status", TAG_STATES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str]
    status: Mapped[str] = mapped_column(default="active")
    merged_into_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("tags.id"), index=True)
    parent_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("tags.id"), index=True)
    external_id: Mapped[str | None] = mapped_column(index=True)
    definition: Mapped[str] = mapped_column(default="")
    uses: Mapped[int] = mapped_column(default=0)  # as of the last recount
    first_seen_at: Mapped[datetime] = mapped_column(default=database_now())
    first_seen_by: Mapped[int | None] = mapped_column(BigId, ForeignKey("people.id"))
    revision: Mapped[int] = mapped_column(BigId, default=0, index=True)  # the tags' revision that last changed it


class TagName(Base):
    """A spelling and the tag it means: the name of each tag, and its aliases."""

    __tablename__ = "tag_names"
    key: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    tag_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), index=True)


class TagChange(Base):
    """What a tag operation changed, before and after: the way back, and the way to a past day; append-only."""

    __tablename__ = "tag_changes"
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    tag_id: Mapped[int | None] = mapped_column(BigId, index=True)  # a row of tags ...
    key: Mapped[str | None] = mapped_column(index=True)  # ... or a row of tag_names
    before: Mapped[dict]
    after: Mapped[dict]


class DistinctTags(Base):
    """Two tags that look like one, and somebody said that they are two (db.tags.distinct)."""

    __tablename__ = "distinct_tags"
    __table_args__ = (CheckConstraint("first_id < second_id", name="once"),)
    first_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), primary_key=True)
    second_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(BigId, ForeignKey("people.id"))
    at: Mapped[datetime] = mapped_column(default=database_now())


class RefusedName(Base):
    """A name that stands in questions, and somebody said that it shall never be a tag (db.tags.refused)."""

    __tablename__ = "refused_names"
    key: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    person_id: Mapped[int] = mapped_column(BigId, ForeignKey("people.id"))
    at: Mapped[datetime] = mapped_column(default=database_now())
