"""Names that shall never be a tag, though they stand in questions: who said so is remembered, and can be taken back."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.spellings.names import check_new_tag, tag_key
from db.store.settings import insert_for
from db.store.tables import Person, RefusedName, Tag, TagName


@dataclass(frozen=True)
class RefusedLine:
    name: str
    person: str
    at: datetime


def refuse(session: Session, name: str, person_id: int) -> None:
    """This name is not to be proposed as a tag again; whoever wants it can still make it one."""
    people.require(session, person_id, "change tags")
    name = check_new_tag(name)
    tag = session.scalar(select(Tag.name).join(TagName, TagName.tag_id == Tag.id).where(TagName.key == tag_key(name)))
    if tag is not None:
        raise Refused("tag.there_already", name=name, tag=tag)
    row = insert_for(session)(RefusedName).values(key=tag_key(name), text=name, person_id=person_id)
    session.execute(row.on_conflict_do_nothing())


def allow(session: Session, name: str, person_id: int) -> None:
    """It may be proposed after all. Raises NotFound if nobody refused it."""
    people.require(session, person_id, "change tags")
    gone = session.execute(delete(RefusedName).where(RefusedName.key == tag_key(name)).returning(RefusedName.key))
    if gone.first() is None:
        raise NotFound("tag.not_refused", name=name)


def listed(session: Session, limit: int = 50) -> list[RefusedLine]:
    """The newest of them, with who said so."""
    rows = session.execute(
        select(RefusedName.text, Person.name, RefusedName.at)
        .join(Person, Person.id == RefusedName.person_id)
        .order_by(RefusedName.at.desc(), RefusedName.key)
        .limit(limit)
    )
    return [RefusedLine(*row) for row in rows]


def taken_keys(session: Session) -> set[str]:
    """The keys of all names that need not be proposed: every spelling of every tag, and what was refused."""
    return {*session.scalars(select(TagName.key)), *session.scalars(select(RefusedName.key))}
