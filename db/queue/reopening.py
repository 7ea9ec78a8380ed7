"""A decision taken back so that its question is served again."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.ledger import entries as ledger
from db.ledger.entries import Receipt
from db.ledger.tally import lock_item
from db.queue.claims import set_overlap


@dataclass(frozen=True)
class Reopened:
    receipt: Receipt
    in_queue: bool  # False: the opinions of others are as many as the question asks for


def reopen(session: Session, number: int, person_id: int, *, idempotency_key: str | None = None) -> Reopened:
    """Take an entry back and have its question served again, also where others' opinions would be enough.

    Nobody's opinion but this one is touched: the question asks for one opinion more instead, if the person may change
    the queue. A question that a review has settled stays out of the queue until that review is taken back.
    """
    entry = ledger.find_entry(session, number)
    if entry.kind not in ("decision", "review"):
        raise Refused("queue.nothing_to_reopen", number=number)
    receipt = ledger.undo(session, number, person_id, idempotency_key=idempotency_key)
    item = lock_item(session, ledger.question_of(entry))
    may_change = people.may(session, person_id, "change the queue")
    closed = not item.is_open and not item.reviewed and item.overlap > 0  # 0: redacted
    if closed and may_change and not receipt.repeated:
        needed = item.answers + item.holders + 1
        set_overlap(session, needed, question_id=item.question_id, by=person_id)
        session.refresh(item)
    return Reopened(receipt, item.is_open)
