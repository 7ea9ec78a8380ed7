"""Changes of tags: planned, looked at, carried out, taken back."""

from sqlalchemy.orm import Session

from app.shell.messages import message
from db.errors import Refused
from db.messages import Message
from db.store.engine import Store
from db.tags import planning as tags
from db.tags.planning import Plan

OPERATIONS = {
    "active": ("rename", "merge", "alias", "split", "define", "deprecate"),
    "deprecated": ("rename", "merge", "alias", "split", "define", "reactivate"),
    "merged": (),
}


def plan_change(session: Session, operation: str, tag: str, other: str = "") -> Plan:
    """The plan of a change of tags, which says what it touches; for an undo `tag` is the entry's number."""
    if operation == "undo":
        if not tag.strip().isdecimal() or len(tag.strip()) > 18:
            raise Refused(message("tags.not_a_change", number=tag))
        return tags.plan_undo(session, int(tag))
    if operation == "split":
        return tags.plan_split(session, other)
    if operation in ("deprecate", "reactivate"):
        return tags.plan_status(session, tag, "deprecated" if operation == "deprecate" else "active")
    plans = {"rename": tags.plan_rename, "merge": tags.plan_merge, "alias": tags.plan_alias}
    return plans[operation](session, tag, other)


def change_tags(store: Store, seen: Plan, operation: str, tag: str, other: str, person_id: int) -> int:
    """Carry out the plan that was looked at; the number of its entry. Raises Refused if it would do more by now."""

    def work(session: Session) -> int:
        plan = plan_change(session, operation, tag, other)
        if plan.changes != seen.changes:
            raise Refused(message("tags.changed_meanwhile"))
        return tags.carry_out(session, plan, person_id)

    return store.run(work)


def take_back(store: Store, number: int, person_id: int) -> tuple[int, Message]:
    """Take a change back; the number of the new entry and what it says."""

    def work(session: Session) -> tuple[int, Message]:
        plan = tags.plan_undo(session, number)
        return tags.carry_out(session, plan, person_id), plan.summary

    return store.run(work)


def create(store: Store, name: str, parent: str, person_id: int) -> tuple[int, Message]:
    """Make a name a tag, below another if one is named. The number of the entry and what it says."""

    def work(session: Session) -> tuple[int, Message]:
        plan = tags.plan_create(session, name, parent)
        return tags.carry_out(session, plan, person_id), plan.summary

    return store.run(work)


def define(store: Store, tag: str, person_id: int, **details: str) -> tuple[int, Message]:
    """Change what is said about a tag; labels stay as they are. The number of the entry and what it says."""

    def work(session: Session) -> tuple[int, Message]:
        plan = tags.plan_details(session, tag, **details)
        return tags.carry_out(session, plan, person_id), plan.summary

    return store.run(work)
