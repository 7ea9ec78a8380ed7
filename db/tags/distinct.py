"""Pairs of tags that look like one and are two: what somebody said of them is remembered, and can be taken back."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, aliased

from db import people
from db.errors import Refused
from db.store.settings import insert_for
from db.store.tables import DistinctTags, Person, Tag


@dataclass(frozen=True)
class DistinctLine:
    first_id: int
    second_id: int
    first: str
    second: str
    person: str
    at: datetime


def mark(session: Session, one: int, other: int, person_id: int) -> None:
    """These two are not duplicates of each other."""
    people.require(session, person_id, "change tags")
    if one == other:
        raise Refused("tag.told_from_itself", name=session.get_one(Tag, one).name)
    first, second = sorted((one, other))
    row = insert_for(session)(DistinctTags).values(first_id=first, second_id=second, person_id=person_id)
    session.execute(row.on_conflict_do_nothing())


def unmark(session: Session, one: int, other: int, person_id: int) -> None:
    """They may be duplicates after all."""
    people.require(session, person_id, "change tags")
    first, second = sorted((one, other))
    session.execute(delete(DistinctTags).where(DistinctTags.first_id == first, DistinctTags.second_id == second))


def pairs(session: Session) -> set[tuple[int, int]]:
    """Every such pair, the smaller number first."""
    rows = session.execute(select(DistinctTags.first_id, DistinctTags.second_id))
    return {(first, second) for first, second in rows}


def listed(session: Session, limit: int = 50) -> list[DistinctLine]:
    """The newest of them, with who said so."""
    first, second = aliased(Tag), aliased(Tag)
    rows = session.execute(
        select(DistinctTags.first_id, DistinctTags.second_id, first.name, second.name, Person.name, DistinctTags.at)
        .join(first, first.id == DistinctTags.first_id)
        .join(second, second.id == DistinctTags.second_id)
        .join(Person, Person.id == DistinctTags.person_id)
        .order_by(DistinctTags.at.desc(), DistinctTags.first_id, DistinctTags.second_id)
        .limit(limit)
    )
    return [DistinctLine(*row) for row in rows]
