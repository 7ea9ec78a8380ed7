"""The people of the store. Every action in it carries one; db.access says who may do what."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db.access import allows, as_message, roles_needed
from db.errors import NotFound, Refused
from db.messages import Message
from db.store import locks
from db.store.free_text import storable
from db.store.moments import next_moment
from db.store.tables import ROLES, Entry, Person

MAX_NAME = 100


def add(session: Session, name: str, role: str | None = None, *, by: int | None = None) -> Person:
    """A new person. The first one is an admin and needs nobody's leave; after that an admin adds people.

    Without a role the person becomes a moderator, or the admin that the store does not have yet.
    """
    name = storable(name)
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused("person.bad_name", longest=MAX_NAME)
    if role is not None:
        _check_role(role)
    _begin_change(session, by)
    if by is None:
        if session.scalar(select(Person.id).where(Person.role == "admin", Person.active).limit(1)) is not None:
            raise Refused("person.admin_adds")
        if role not in (None, "admin"):  # nobody could ever add an admin then
            raise Refused("person.no_admin_yet", name=name, role=Message(f"role.{role}"))
    role = role or ("moderator" if by is not None else "admin")
    person = Person(name=name, role=role)
    try:
        with session.begin_nested():
            session.add(person)
    except IntegrityError as error:
        raise Refused("person.name_taken", name=name) from error
    _note(session, by or person.id, {"added": name, "role": role})
    return person


def change_role(session: Session, name: str, role: str, *, by: int) -> Person:
    _begin_change(session, by)
    _check_role(role)
    person = find(session, name)
    _keep_an_admin(session, person, role)
    _note(session, by, {"changed": name, "role": role, "was": person.role})
    person.role = role
    return person


def deactivate(session: Session, name: str, *, by: int) -> Person:
    """The person keeps their name and their decisions, and can do nothing any more."""
    _begin_change(session, by)
    person = find(session, name)
    _keep_an_admin(session, person, None)
    person.active = False
    _note(session, by, {"deactivated": name})
    return person


def reactivate(session: Session, name: str, *, by: int) -> Person:
    """Let a person who was deactivated work again, in the role they had."""
    _begin_change(session, by)
    person = find(session, name)
    if person.active:
        raise Refused("person.active_already", name=person.name)
    person.active = True
    _note(session, by, {"reactivated": person.name})
    return person


def find(session: Session, name: str) -> Person:
    person = session.scalar(select(Person).where(Person.name == name.strip()))
    if person is None:
        if not (known := list(session.scalars(select(Person.name).order_by(Person.id).limit(10)))):
            raise NotFound("person.nobody_yet", name=name)
        raise NotFound("person.not_found", name=name, known=", ".join(known))
    return person


def everyone(session: Session) -> list[Person]:
    return list(session.scalars(select(Person).order_by(Person.id)))


def require(session: Session, person_id: int, action: str | None = None) -> Person:
    """The person, if they are active and may do this; raises NotFound or Refused."""
    person = session.get(Person, person_id)
    if person is None:
        raise NotFound("person.no_number", number=person_id)
    if not person.active:
        raise Refused("person.inactive", name=person.name)
    if action is not None and not allows(person.role, action):
        raise Refused(
            "person.may_not",
            name=person.name,
            role=Message(f"role.{person.role}"),
            action=as_message(action),
            needed=roles_needed(action),
        )
    return person


def may(session: Session, person_id: int, action: str) -> bool:
    """Whether the person may do this now; nobody who is gone or no longer active may do anything."""
    person = session.get(Person, person_id)
    return person is not None and person.active and allows(person.role, action)


def _begin_change(session: Session, by: int | None) -> None:
    """One change of people at a time, by somebody who still may: another one may have ended just now."""
    locks.change_people(session)
    session.flush()
    session.scalars(select(Person).execution_options(populate_existing=True)).all()
    if by is not None:
        require(session, by, "change people")


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise Refused("person.no_such_role", role=role, roles=", ".join(ROLES))


def _keep_an_admin(session: Session, person: Person, role: str | None) -> None:
    others = select(Person.id).where(Person.role == "admin", Person.active, Person.id != person.id).limit(1)
    if person.role == "admin" and role != "admin" and session.scalar(others) is None:
        raise Refused("person.last_admin", name=person.name)


def _note(session: Session, by: int, payload: dict) -> None:
    session.add(Entry(at=next_moment(session), kind="person", person_id=by, payload=payload))
