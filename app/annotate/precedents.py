"""Similar questions that were decided before, as the person at the desk may see them. No Streamlit here.

Who may see everybody's labels sees all of them. Others see how a question was decided once nobody is asked about it any
more: whoever may still be asked should answer for themselves. What they decided themselves they always see. Nobody's
name is told, only the role.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.annotate.desk import Item
from app.entry.labels_seen import OTHERS
from db import people
from db.ledger.labels import settle_all
from db.ledger.replay import LedgerLine, Settled, settle
from db.spellings.view import TagView
from db.store.tables import ROLES, Person, Question, QueueItem

SIMILAR = "see how similar questions were decided"
ALMOST = 0.8  # likeness from which a question is almost the same


@dataclass(frozen=True)
class Precedent:
    """A decided question that is like the one on the desk. `tags` and `rejected` are spelled as tags are named now."""

    question_id: int
    title: str
    likeness: float
    tags: tuple[str, ...]
    rejected: tuple[str, ...]
    at: datetime
    state: str  # single, agreed, conflict or reviewed
    roles: Mapping[str, int]  # of the others who decided: how many of each
    own: bool  # the person at the desk is among those who did

    @property
    def almost_identical(self) -> bool:
        return self.likeness >= ALMOST


def precedents_of(session: Session, item: Item | None, person_id: int) -> list[Precedent]:
    """Of the question on the desk, the likest first; none for a question that is to be answered blind."""
    if item is None or item.suggestion is None or item.claim.blind:
        return []
    likeness = {number: like for number, like in item.suggestion.precedents if number != item.claim.question_id}
    if not likeness or not people.may(session, person_id, SIMILAR):
        return []
    rows = session.execute(
        select(Question.id, Question.title, QueueItem.answers >= QueueItem.overlap, QueueItem.reviewed)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(Question.id.in_(likeness), Question.redacted_at.is_(None))
    ).all()
    view = TagView(session)
    settled = settle_all(session, [row[0] for row in rows], view=view)
    sees_all = people.may(session, person_id, OTHERS)
    seen: dict[int, tuple[str, Settled]] = {}
    for number, title, is_answered, is_reviewed in rows:
        found = settled.get(number)
        if found is not None and not (sees_all or is_answered or is_reviewed):
            mine = [line for line in found.opinions if line.person_id == person_id]
            found = settle(mine, view.resolve)
        if found is not None and found.counting:  # not taken back meanwhile
            seen[number] = title, found
    roles = _roles(session, [line for _, found in seen.values() for line in found.counting])
    return [
        _precedent(number, *seen[number], likeness[number], person_id, roles) for number in likeness if number in seen
    ]


def _precedent(
    number: int, title: str, settled: Settled, likeness: float, person_id: int, roles: Mapping[int, str]
) -> Precedent:
    others = Counter(roles[line.person_id] for line in settled.counting if line.person_id not in (None, person_id))
    return Precedent(
        question_id=number,
        title=title,
        likeness=likeness,
        tags=settled.tags,
        rejected=settled.rejected,
        at=max(line.at for line in settled.counting),
        state=settled.state,
        roles={role: others[role] for role in ROLES if others[role]},
        own=any(line.person_id == person_id for line in settled.counting),
    )


def _roles(session: Session, lines: Sequence[LedgerLine]) -> dict[int, str]:
    """Person -> the role they have now."""
    ids = {line.person_id for line in lines if line.person_id is not None}
    return {person.id: person.role for person in session.scalars(select(Person).where(Person.id.in_(ids)))}
