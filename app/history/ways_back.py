"""Taking an entry back, reopening its question, settling a conflict: what can be done, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.access.auth import Visitor
from app.shell.outcome import Outcome, attempted
from db.access import allows
from db.ledger import entries as ledger
from db.ledger.history import HistoryLine
from db.queue import reopening
from db.store.engine import Store


@dataclass(frozen=True)
class WayBack:
    """What can be done about an entry: which one an undo would take back, and whether this visitor may."""

    number: int
    brings_back: int | None  # the entry that would count again; None: a plain undo
    may: bool


def way_back(line: HistoryLine, visitor: Visitor) -> WayBack:
    """An entry in force is undone; one that was taken back comes back by undoing the undo."""

    def may(owner: int | None) -> bool:
        return owner == visitor.id or allows(visitor.role, "undo for others")

    if line.undone_by is not None:
        return WayBack(line.undone_by, brings_back=line.number, may=may(line.undone_by_person))
    return WayBack(line.number, brings_back=line.target if line.kind == "undo" else None, may=may(line.person_id))


def take_back(store: Store, visitor: Visitor, way: WayBack, seen: int) -> Outcome:
    """Undo an entry. `seen`: the newest entry when the button was drawn, so that two clicks on it are one undo."""

    def work(session: Session) -> Outcome:
        key = f"history-undo-{visitor.id}-{way.number}-{seen}"
        number = ledger.undo(session, way.number, visitor.id, idempotency_key=key).number
        if way.brings_back is not None:
            return Outcome("history.brought_back", {"restored": way.brings_back, "number": number})
        return Outcome("history.undo_done", {"undone": way.number, "number": number})

    return attempted(lambda: store.run(work))


def reopen(store: Store, visitor: Visitor, number: int, seen: int) -> Outcome:
    """Undo an entry and have its question served again; says whether it is in the queue."""

    def work(session: Session) -> Outcome:
        key = f"history-reopen-{visitor.id}-{number}-{seen}"
        back = reopening.reopen(session, number, visitor.id, idempotency_key=key)
        key_of_text = "history.reopen_done" if back.in_queue else "history.reopen_closed"
        return Outcome(key_of_text, {"undone": number, "number": back.receipt.number})

    return attempted(lambda: store.run(work))


def settle(store: Store, visitor: Visitor, question_id: int, tags: Sequence[str], comment: str, seen: int) -> Outcome:
    """Settle a conflict by a review."""

    def work(session: Session) -> Outcome:
        key = f"history-review-{visitor.id}-{question_id}-{seen}"
        receipt = ledger.review(session, question_id, visitor.id, tags, comment=comment, idempotency_key=key)
        return Outcome("history.review_done", {"number": receipt.number})

    return attempted(lambda: store.run(work))
