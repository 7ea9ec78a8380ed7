"""Pairs of tags that look like one and are two"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "distinct_tags",
        sa.Column("first_id", BIG_ID, nullable=False),
        sa.Column("second_id", BIG_ID, nullable=False),
        sa.Column("person_id", BIG_ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("first_id < second_id", name=op.f("ck_distinct_tags_once")),
        sa.ForeignKeyConstraint(["first_id"], ["tags.id"], name="fk_distinct_tags_first_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_distinct_tags_person_id"),
        sa.ForeignKeyConstraint(["second_id"], ["tags.id"], name="fk_distinct_tags_second_id"),
        sa.PrimaryKeyConstraint("first_id", "second_id", name="pk_distinct_tags"),
    )


def downgrade() -> None:
    op.drop_table("distinct_tags")
