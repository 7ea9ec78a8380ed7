"""Who works in the store, and what everybody shares."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from db.store.clock import database_now
from db.store.tables.base import Base, BigId, one_of

ROLES = ("moderator", "researcher", "admin")


class Setting(Base):
    """A number or text the whole store shares, such as the revision of the tags (db.store.settings)."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(String, primary_key=True)
    value: Mapped[str] = mapped_column(String)


class Person(Base):
    """Who does things (db.people)."""

    __tablename__ = "people"
    __table_args__ = (one_of("role", ROLES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(String, unique=True)
    role: Mapped[str]
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=database_now())
