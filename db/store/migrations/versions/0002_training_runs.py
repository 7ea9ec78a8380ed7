"""Training runs, pruned model versions, and the lines of the ledger that tell of both"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from db.store import triggers

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

# Table, column, what the column may say before this migration, and after it.
CHANGED_CHECKS = (
    (
        "model_versions",
        "state",
        "state IN ('candidate', 'live', 'retired')",
        "state IN ('candidate', 'live', 'retired', 'pruned')",
    ),
    (
        "entries",
        "kind",
        "kind IN ('decision', 'review', 'undo', 'redact', 'tag', 'person', 'queue', 'register', 'promote', 'rollback')",
        "kind IN ('decision', 'review', 'undo', 'redact', 'tag', 'person', 'queue', 'register', 'promote', 'rollback', "
        "'retrain', 'prune')",
    ),
)


def upgrade() -> None:
    op.create_table(
        "training_runs",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=True),
        sa.Column("pid_started", sa.Double(), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("snapshot", JSON, nullable=False),
        sa.Column("candidate", sa.String(), nullable=True),
        sa.Column("gate", JSON, nullable=True),
        sa.Column("requested_by", BIG_ID, nullable=True),
        sa.Column("requested_at", sa.BigInteger(), nullable=False),
        sa.Column("beat_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('running', 'finished', 'failed', 'cancelled', 'lost')",
            name=op.f("ck_training_runs_state_is_known"),
        ),
        sa.ForeignKeyConstraint(["requested_by"], ["people.id"], name="fk_training_runs_requested_by"),
        sa.PrimaryKeyConstraint("id", name="pk_training_runs"),
    )
    op.create_index(
        "uq_training_runs_running",
        "training_runs",
        ["state"],
        unique=True,
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )
    for table, column, _, after in CHANGED_CHECKS:
        _change_check(table, _old_name(table, column), _new_name(table, column), after)


def downgrade() -> None:
    """What the older schema has no place for goes: the runs and their lines. Pruned versions are retired again."""
    triggers.drop(op.get_bind())  # they come back after the migration (db.store.schema)
    op.execute("DELETE FROM entries WHERE kind IN ('retrain', 'prune')")
    op.execute("UPDATE model_versions SET state = 'retired' WHERE state = 'pruned'")
    for table, column, before, _ in CHANGED_CHECKS:
        _change_check(table, _new_name(table, column), _old_name(table, column), before)
    op.drop_index("uq_training_runs_running", table_name="training_runs")
    op.drop_table("training_runs")


def _change_check(table: str, name: str, new_name: str, check: str) -> None:
    # A number of the ledger is never given twice, also not after SQLite has built the table anew.
    options = {"sqlite_autoincrement": True} if table == "entries" else {}
    with op.batch_alter_table(table, table_kwargs=options) as batch:
        batch.drop_constraint(op.f(name), type_="check")
        batch.create_check_constraint(op.f(new_name), check)


def _old_name(table: str, column: str) -> str:
    """The first schema spelled its names out, and the naming convention put its beginning before them once more."""
    return f"ck_{table}_{_new_name(table, column)}"


def _new_name(table: str, column: str) -> str:
    """As the models have it."""
    return f"ck_{table}_{column}_is_known"
