"""A question's labels at some moment, as far as a visitor may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.access.auth import Visitor
from db.errors import NotFound
from db.ledger.labels import QuestionView, look_at
from db.ledger.replay import POSITIVE, LedgerLine

FLAGS = ("flag.spam", "flag.duplicate", "flag.privacy", "flag.other")  # what a question can be flagged as
OTHERS = "see others' labels"
STATES = {  # and what the interface calls them
    "none": "history.state_none",
    "single": "history.state_single",
    "agreed": "history.state_agreed",
    "conflict": "history.state_conflict",
    "reviewed": "history.state_reviewed",
}


@dataclass(frozen=True)
class Snapshot:
    """A question's labels at some moment. For a moderator: what they themselves held then."""

    state: str
    tags: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def snapshot(
    session: Session,
    question_id: int,
    at: datetime | None,
    names: Mapping[int, str],
    visitor: Visitor,
    *,
    sees_all: bool,
) -> Snapshot | None:
    """The Snapshot of a question; None if it was not in the store yet. `sees_all`: the visitor may see OTHERS."""
    try:
        view = look_at(session, question_id, at)
    except NotFound:
        return None
    if not sees_all:
        return _own(view, visitor.id)
    settled = view.settled
    return Snapshot(
        state=settled.state,
        tags=settled.tags,
        rejected=settled.rejected,
        people=tuple(_name(line, names) for line in settled.counting),
    )


def _name(line: LedgerLine, names: Mapping[int, str]) -> str:
    return "" if line.person_id is None else names.get(line.person_id, "")


def _own(view: QuestionView, person_id: int) -> Snapshot:
    mine = next((line for line in view.settled.opinions if line.person_id == person_id), None)
    if mine is None:
        return Snapshot("none")
    return Snapshot("single", tags=_texts(mine, POSITIVE), rejected=_texts(mine, ("rejected",)))


def _texts(line: LedgerLine, verdicts: Sequence[str]) -> tuple[str, ...]:
    return tuple(verdict.text for verdict in line.verdicts if verdict.verdict in verdicts)
