"""Which question is served next: of which pool, in which order, of which source and tag."""

from functools import cached_property

from sqlalchemy import ColumnElement, ColumnExpressionArgument, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from db.queue.shares import get_shares
from db.store.tables import QUEUE_ORDERS, Lease, QueueItem, QueueTag
from db.tags.names import tag_key
from db.tags.view import TagView, spellings

Number = ColumnElement[int] | InstrumentedAttribute[int]  # SQL
FEW = 500  # questions of a tag: sorted quicker than found by walking through the whole queue in its order
FRONT = 500  # next questions of the queue, among which a common tag is looked for first


def pools(session: Session, drawn: float) -> tuple[str, ...]:
    """The pools in the order to try them; an empty pool gives way to the next."""
    first = get_shares(session).pool(drawn)
    return (first, *(pool for pool in ("ordered", "random", "blind") if pool != first))


class Served:
    """The questions that a claim may serve, whatever their pool and whoever asks: open, of the source, with the tag."""

    def __init__(self, session: Session, source: str | None, tag: str | None):
        self._session = session
        self.of_source = [] if source is None else [QueueItem.source == source]
        self._tagged: Select[int] | None = None
        if tag is not None:
            self._tagged = select(QueueTag.question_id).where(QueueTag.key.in_(_spellings(session, tag)))
        # Said by its definition `is_open` has no index: then the databases begin with the questions that are listed.
        self.is_open = open_with(QueueItem.answers, QueueItem.holders, QueueItem.overlap)

    @cached_property
    def is_common(self) -> bool:
        """Whether many questions have the tag, done ones too: then it is likely to be among the next in any order."""
        return self._tagged is not None and len(self._session.scalars(self._tagged.limit(FEW + 1)).all()) > FEW

    @property
    def has_tag(self) -> ColumnElement[bool]:
        """SQL: the question has the tag; there must be one."""
        assert self._tagged is not None
        return self._tagged.where(QueueTag.question_id == QueueItem.question_id).exists()

    @cached_property
    def conditions(self) -> list[ColumnExpressionArgument[bool]]:
        """For a tag this goes through all its questions until it has found some that are open: at times very many."""
        if self._tagged is None:
            return [QueueItem.is_open, *self.of_source]
        some = self._session.scalars(
            self._tagged.join(QueueItem, QueueItem.question_id == QueueTag.question_id)
            .where(self.is_open, *self.of_source)
            .limit(FEW + 1)
        ).all()
        if len(some) <= FEW:
            return [self.is_open, QueueItem.question_id.in_(some)]
        return [QueueItem.is_open, *self.of_source, self.has_tag]


def next_item(
    session: Session, person_id: int, pool: str, order: str, served: Served, skipped_too: bool
) -> QueueItem | None:
    """The question of a pool to serve to this person next, locked; None if there is none for them."""
    mine = aliased(Lease)
    had = ("held", "submitted") if skipped_too else ("held", "submitted", "skipped")
    not_had = (
        ~select(mine.id)
        .where(mine.person_id == person_id, mine.question_id == QueueItem.question_id, mine.state.in_(had))
        .exists()
    )
    # The pools set aside are served in their own random order, whatever order was asked for.
    columns = QUEUE_ORDERS[order if pool == "ordered" else "random"]
    ordering = [QueueItem.answers, *(getattr(QueueItem, column) for column in columns)]

    def first(*conditions: ColumnExpressionArgument[bool]) -> QueueItem | None:
        return session.scalar(
            select(QueueItem)
            .where(*conditions, QueueItem.pool == pool, not_had)
            .order_by(*ordering)
            .limit(1)
            .with_for_update(of=QueueItem, skip_locked=True)
            .execution_options(populate_existing=True)
        )

    if served.is_common:
        front = (
            select(QueueItem.question_id)
            .where(QueueItem.is_open, *served.of_source, QueueItem.pool == pool, not_had)
            .order_by(*ordering)
            .limit(FRONT)
            .correlate(None)
        )
        item = first(served.is_open, QueueItem.question_id.in_(front), served.has_tag)
        if item is not None or session.scalars(select(func.count()).select_from(front.subquery())).one() < FRONT:
            return item  # or there are no more in this pool
    return first(*served.conditions)


def _spellings(session: Session, tag: str) -> list[str]:
    """Every key that means the tag of this name; a tag that nobody made yet may still have been suggested."""
    tag_id = TagView(session).tag_id(tag_key(tag))
    return [tag_key(tag)] if tag_id is None else spellings(session, tag_id)


def open_with(answers: Number, holders: Number, overlap: Number | int) -> ColumnElement[bool]:
    """SQL: whether a question with these counts asks for more opinions."""
    return (answers + holders < overlap) & ~QueueItem.reviewed
