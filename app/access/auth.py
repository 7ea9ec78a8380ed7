"""Who the visitor is. Local mode: a name, asked for by nobody. Team mode: who Streamlit's sign-in says it is."""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound
from db.store.engine import Store
from db.store.tables import Person

FALLBACK_NAME = "me"
DENIED = (False, "false", "False", 0)  # some providers send their booleans as strings


@dataclass(frozen=True)
class Visitor:
    """The person a session acts for."""

    id: int
    name: str
    role: str


def user_name() -> str:
    """The name of whoever started the program; a machine may not know one."""
    try:
        return getpass.getuser() or FALLBACK_NAME
    except (OSError, KeyError):
        return FALLBACK_NAME


def local_visitor(store: Store, name: str | None) -> Visitor:
    """The person of this name; made if there is none: the first an admin, others moderators. For local mode only."""
    name = (name or "").strip() or user_name()

    def find_or_add(session: Session) -> Person:
        try:
            return people.find(session, name)
        except NotFound:
            admin = session.scalar(
                select(Person.id).where(Person.role == "admin", Person.active).order_by(Person.id).limit(1)
            )
            return people.add(session, name, "admin" if admin is None else "moderator", by=admin)

    with store.read() as session:  # every run of every page comes here: writers must not wait for it
        person = session.scalar(select(Person).where(Person.name == name))
    return _visitor(person if person is not None else store.run(find_or_add))


def signed_in_address(claims: Mapping[str, object]) -> str:
    """The e-mail address of whoever the sign-in speaks of; empty if they have not signed in, or with none that is
    known to be theirs: with some providers anybody can register with the address of somebody else."""
    if claims.get("is_logged_in") is not True or claims.get("email_verified") in DENIED:
        return ""
    return str(claims.get("email") or "").strip()


def known_visitor(store: Store, name: str, first_admin: str | None) -> Visitor | None:
    """The active person of this name, or None. `first_admin` is let in as an admin, so that a new store has one.

    Upper and lower case of an e-mail address count as one, as they do for every provider.
    """

    def add_first(session: Session) -> Person | None:
        if people.everyone(session):  # somebody was quicker
            return _find(session, name)
        return people.add(session, name, "admin")

    with store.read() as session:
        person = _find(session, name)
        is_new = person is None and not people.everyone(session)
    if is_new and first_admin and _fold(name) == _fold(first_admin.strip()):
        person = store.run(add_first)
    return _visitor(person) if person is not None and person.active else None


def _find(session: Session, name: str) -> Person | None:
    """The person spelt exactly so, or the only one who differs in the case of ASCII letters."""
    exact = session.scalar(select(Person).where(Person.name == name))
    # Beyond ASCII, lower case would make different people one: the Kelvin sign becomes a k.
    if exact is not None or not name.isascii():
        return exact
    found = session.scalars(select(Person).where(func.lower(Person.name) == name.lower()))
    alike = [person for person in found if person.name.isascii()]
    return alike[0] if len(alike) == 1 else None


def _fold(name: str) -> str:
    return name.lower() if name.isascii() else name


def _visitor(person: Person) -> Visitor:
    return Visitor(person.id, person.name, person.role)
