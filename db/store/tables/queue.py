"""Where each question stands in the queue, and in whose hands it is."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.store.tables.base import Base, BigId, one_of, partial_index

POOLS = ("ordered", "random", "blind")
PICKS = (*POOLS, "direct")  # direct: asked for by its id, not served by the queue
LEASE_STATES = ("held", "submitted", "skipped", "released", "expired", "undone")

# Each order of the queue and the columns it sorts by, after the answers so far: first opinions come before second
# ones, so that nobody wades through what they answered themselves.
QUEUE_ORDERS = {
    "oldest": ("question_id",),
    "uncertain": ("certainty", "question_id"),
    "rare": ("rarest_uses", "question_id"),
    "random": ("random_key", "question_id"),
}
NO_TAGS = 2**31 - 1  # in `rarest_uses`: nothing is known of its tags, so it comes last


class QueueItem(Base):
    """Where a question stands in the queue; every count here can be worked out again from leases and ledger.

    Its own narrow table, because a claim rewrites the row and all its indexes. `is_open` is
    `answers + holders < overlap` unless a review settled the question (db.queue.claims).
    """

    __tablename__ = "queue_items"
    __table_args__ = (
        one_of("pool", POOLS),
        *(
            partial_index(f"ix_queue_{'source_' * bool(first)}{name}", "is_open", *first, "pool", "answers", *keys)
            for first in ((), ("source",))
            for name, keys in QUEUE_ORDERS.items()
        ),
        partial_index("ix_queue_conflict", "conflict", "question_id"),
    )
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True, autoincrement=False)
    source: Mapped[str] = mapped_column(default="")
    pool: Mapped[str]
    overlap: Mapped[int] = mapped_column(default=1)
    answers: Mapped[int] = mapped_column(default=0)
    holders: Mapped[int] = mapped_column(default=0)
    is_open: Mapped[bool] = mapped_column(default=True)
    conflict: Mapped[bool] = mapped_column(default=False)
    reviewed: Mapped[bool] = mapped_column(default=False)
    # Both are small for what should come first: every order is ascending, so that each has a plain index.
    certainty: Mapped[float] = mapped_column(default=0.0)  # minus the vote entropy of the live model's suggestion
    rarest_uses: Mapped[int] = mapped_column(default=NO_TAGS)  # uses of its rarest suggested or prior tag
    random_key: Mapped[float]  # uniform in [0, 1), fixed when the question comes in


class QueueCount(Base):
    """The number of open questions is the sum of these rows; triggers on `queue_items` write them (triggers.py)."""

    __tablename__ = "queue_counts"
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    open: Mapped[int] = mapped_column(BigInteger)


class QueueTag(Base):
    """Which questions a queue filtered by tag serves: those that came with the tag or were suggested it."""

    __tablename__ = "queue_tags"
    key: Mapped[str] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True)


class Lease(Base):
    """A question in somebody's hands, now or once (db.queue.claims)."""

    __tablename__ = "leases"
    __table_args__ = (
        one_of("state", LEASE_STATES),
        one_of("pick", PICKS),
        partial_index("ix_leases_expiry", "state = 'held'", "expires_at"),
        partial_index("uq_leases_held", "state = 'held'", "question_id", "person_id", unique=True),
        Index("ix_leases_person", "person_id", "question_id", "state"),
    )
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"))
    person_id: Mapped[int] = mapped_column(BigId, ForeignKey("people.id"))
    pick: Mapped[str]
    ordering: Mapped[str | None]  # the order asked for, where the pick is "ordered"
    state: Mapped[str] = mapped_column(default="held")
    claimed_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    reason: Mapped[str | None]  # of a skip
