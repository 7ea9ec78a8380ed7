"""What the store keeps counted of a question: its row in `queue_items`, locked and worked out again.

The counts follow from the ledger and the leases; they are kept so that the queue is quick (db.queue).
"""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.errors import NotFound
from db.ledger.labels import read_lines
from db.ledger.replay import settle
from db.store.tables import Lease, QueueItem
from db.tags.view import TagView


def lock_item(session: Session, question_id: int) -> QueueItem:
    """The question's place in the queue, locked until the transaction ends."""
    item = session.scalar(
        select(QueueItem)
        .where(QueueItem.question_id == question_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if item is None:
        raise NotFound("question.not_found", question=question_id)
    return item


def recount(session: Session, item: QueueItem) -> None:
    """Work the item's counts out again from leases and ledger; the caller has it locked."""
    session.flush()
    lines = read_lines(session, [item.question_id]).get(item.question_id, [])
    view = TagView(session)
    view.load(verdict.key for line in lines for verdict in line.verdicts)
    settled = settle(lines, view.resolve)
    item.answers = len(settled.opinions)
    item.conflict = settled.state == "conflict"
    item.reviewed = settled.state == "reviewed"
    held = select(func.count()).where(Lease.question_id == item.question_id, Lease.state == "held")
    item.holders = session.scalars(held).one()
    item.is_open = item.answers + item.holders < item.overlap and not item.reviewed
    session.flush()
