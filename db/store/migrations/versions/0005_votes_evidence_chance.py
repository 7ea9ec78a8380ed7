"""Votes, evidence and chance apart: hypotheses are stored ahead, and a model may suggest again when it knows more"""

from collections import Counter
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

OLD_KEY = ("question_id", "model_id", "beam", "threshold")
OLD_NAME = "uq_suggestions_question_id_model_id_beam_threshold"
NEW_KEY = (*OLD_KEY, "ledger_number", "mixed_votes")
NEW_NAME = "uq_suggestions_known"
A_LITTLE = 1e-9  # of a threshold


def upgrade() -> None:
    op.create_table(
        "decodings",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("question_id", BIG_ID, nullable=False),
        sa.Column("model_id", BIG_ID, nullable=False),
        sa.Column("beam", sa.Integer(), nullable=False),
        sa.Column("hypotheses", JSON, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["model_versions.id"], name="fk_decodings_model_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_decodings_question_id"),
        sa.PrimaryKeyConstraint("id", name="pk_decodings"),
        sa.UniqueConstraint("question_id", "model_id", "beam", name="uq_decodings_question_id_model_id_beam"),
    )
    op.create_index("ix_decodings_model_id", "decodings", ["model_id"], unique=False)
    with op.batch_alter_table("suggestions") as batch:
        batch.add_column(sa.Column("decoding_id", BIG_ID, nullable=True))
        batch.add_column(sa.Column("ledger_number", BIG_ID, nullable=False, server_default=sa.text("0")))
        batch.add_column(sa.Column("cut", sa.Double(), nullable=True))
        batch.add_column(sa.Column("shown", sa.Integer(), nullable=True))
        # The rows that are there have other evidence among their votes.
        batch.add_column(sa.Column("mixed_votes", sa.Boolean(), nullable=False, server_default=sa.text("true")))
        batch.add_column(sa.Column("precedents", JSON, nullable=False, server_default=sa.text("'[]'")))
        batch.create_foreign_key(op.f("fk_suggestions_decoding_id"), "decodings", ["decoding_id"], ["id"])
        batch.drop_constraint(op.f(OLD_NAME), type_="unique")
        batch.create_unique_constraint(op.f(NEW_NAME), list(NEW_KEY))
    op.create_index("ix_suggestions_decoding_id", "suggestions", ["decoding_id"], unique=False)
    # One by one: SQLite adds these without building the table anew, which holds some million rows.
    op.add_column("suggested_tags", sa.Column("chance", sa.Double(), nullable=True))
    op.add_column("suggested_tags", sa.Column("evidence", JSON, nullable=False, server_default=sa.text("'[]'")))
    op.add_column("suggested_tags", sa.Column("figures", JSON, nullable=False, server_default=sa.text("'{}'")))


def downgrade() -> None:
    """What the older schema has no place for goes. Of what a model suggested several times for a question only the
    newest stays, and what was answered."""
    _thin_out()
    for column in ("figures", "evidence", "chance"):
        op.drop_column("suggested_tags", column)
    op.drop_index("ix_suggestions_decoding_id", table_name="suggestions")
    with op.batch_alter_table("suggestions") as batch:
        batch.drop_constraint(op.f(NEW_NAME), type_="unique")
        batch.create_unique_constraint(op.f(OLD_NAME), list(OLD_KEY))
        batch.drop_constraint(op.f("fk_suggestions_decoding_id"), type_="foreignkey")
        for column in ("precedents", "mixed_votes", "shown", "cut", "ledger_number", "decoding_id"):
            batch.drop_column(column)
    op.drop_index("ix_decodings_model_id", table_name="decodings")
    op.drop_table("decodings")


def _thin_out() -> None:
    """Let no two suggestions have the same of OLD_KEY. Of those that were answered, the older ones get a threshold
    that is a little greater: the ledger, which never changes, refers to them."""
    same = " AND ".join(f"later.{column} = suggestions.{column}" for column in OLD_KEY)
    superseded = f"EXISTS (SELECT 1 FROM suggestions AS later WHERE {same} AND later.id > suggestions.id)"
    answered = "EXISTS (SELECT 1 FROM entries WHERE entries.suggestion_id = suggestions.id)"
    gone = f"SELECT id FROM suggestions WHERE {superseded} AND NOT {answered}"
    op.execute(f"DELETE FROM suggested_tags WHERE suggestion_id IN ({gone})")
    op.execute(f"DELETE FROM suggestions WHERE id IN ({gone})")
    connection = op.get_bind()
    left = sa.text(f"SELECT id, {', '.join(OLD_KEY)} FROM suggestions WHERE {superseded} ORDER BY id DESC")
    later: Counter[tuple] = Counter()
    for number, *key in connection.execute(left).all():
        later[tuple(key)] += 1
        threshold = key[-1] + later[tuple(key)] * A_LITTLE
        connection.execute(
            sa.text("UPDATE suggestions SET threshold = :threshold WHERE id = :id"),
            {"threshold": threshold, "id": number},
        )
