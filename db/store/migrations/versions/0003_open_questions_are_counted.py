"""The number of open questions is kept, what somebody did today is found by an index, and redactions go further"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.store import triggers

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "queue_counts",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("open", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_queue_counts"),
    )
    # The triggers come after the migration (db.store.schema), in the same transaction.
    if op.get_bind().dialect.name == "postgresql":
        op.execute("LOCK TABLE queue_items IN SHARE ROW EXCLUSIVE MODE")  # an older program may still be running
    op.execute("INSERT INTO queue_counts (open) SELECT count(*) FROM queue_items WHERE is_open")
    op.create_index("ix_entries_person_id_at", "entries", ["person_id", "at"], unique=False)
    op.execute(
        "UPDATE suggested_tags SET cues = '[]', hypothesis = '[]' WHERE suggestion_id IN (SELECT suggestions.id FROM "
        "suggestions JOIN questions ON questions.id = suggestions.question_id WHERE questions.redacted_at IS NOT NULL)"
    )


def downgrade() -> None:
    triggers.drop_counting(op.get_bind())
    op.drop_index("ix_entries_person_id_at", table_name="entries")
    op.drop_table("queue_counts")
