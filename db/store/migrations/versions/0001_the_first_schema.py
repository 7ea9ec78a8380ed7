"""The first schema"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from db.store import triggers

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "model_versions",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("parent_id", BIG_ID, nullable=True),
        sa.Column("training_data", sa.String(), nullable=True),
        sa.Column("metrics", JSON, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("registered_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('candidate', 'live', 'retired')", name="ck_model_versions_state_is_known"),
        sa.ForeignKeyConstraint(["parent_id"], ["model_versions.id"], name="fk_model_versions_parent_id"),
        sa.PrimaryKeyConstraint("id", name="pk_model_versions"),
        sa.UniqueConstraint("version", name="uq_model_versions_version"),
    )
    op.create_index(
        "uq_model_versions_live",
        "model_versions",
        ["state"],
        unique=True,
        sqlite_where=sa.text("state = 'live'"),
        postgresql_where=sa.text("state = 'live'"),
    )

    op.create_table(
        "people",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role IN ('moderator', 'researcher', 'admin')", name="ck_people_role_is_known"),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("name", name="uq_people_name"),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "imports",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("rows_done", sa.Integer(), nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("duplicates", sa.Integer(), nullable=False),
        sa.Column("bad", sa.Integer(), nullable=False),
        sa.Column("person_id", BIG_ID, nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('running', 'finished')", name="ck_imports_state_is_known"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_imports_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
    )
    op.create_index("ix_imports_fingerprint", "imports", ["fingerprint"], unique=False)

    op.create_table(
        "tags",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("merged_into_id", BIG_ID, nullable=True),
        sa.Column("parent_id", BIG_ID, nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("definition", sa.String(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("first_seen_by", BIG_ID, nullable=True),
        sa.Column("revision", BIG_ID, nullable=False),
        sa.CheckConstraint("status IN ('active', 'deprecated', 'merged')", name="ck_tags_status_is_known"),
        sa.ForeignKeyConstraint(["first_seen_by"], ["people.id"], name="fk_tags_first_seen_by"),
        sa.ForeignKeyConstraint(["merged_into_id"], ["tags.id"], name="fk_tags_merged_into_id"),
        sa.ForeignKeyConstraint(["parent_id"], ["tags.id"], name="fk_tags_parent_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tags"),
    )
    op.create_index("ix_tags_external_id", "tags", ["external_id"], unique=False)
    op.create_index("ix_tags_merged_into_id", "tags", ["merged_into_id"], unique=False)
    op.create_index("ix_tags_parent_id", "tags", ["parent_id"], unique=False)
    op.create_index("ix_tags_revision", "tags", ["revision"], unique=False)

    op.create_table(
        "questions",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("import_id", BIG_ID, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("redacted_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["import_id"], ["imports.id"], name="fk_questions_import_id"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
        sa.UniqueConstraint("text_hash", name="uq_questions_text_hash"),
    )
    op.create_index("ix_questions_source_external_id", "questions", ["source", "external_id"], unique=False)

    op.create_table(
        "tag_names",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("tag_id", BIG_ID, nullable=False),
        sa.ForeignKeyConstraint(["tag_id"], ["tags.id"], name="fk_tag_names_tag_id"),
        sa.PrimaryKeyConstraint("key", name="pk_tag_names"),
    )
    op.create_index("ix_tag_names_tag_id", "tag_names", ["tag_id"], unique=False)

    op.create_table(
        "leases",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("question_id", BIG_ID, nullable=False),
        sa.Column("person_id", BIG_ID, nullable=False),
        sa.Column("pick", sa.String(), nullable=False),
        sa.Column("ordering", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.CheckConstraint("pick IN ('ordered', 'random', 'blind', 'direct')", name="ck_leases_pick_is_known"),
        sa.CheckConstraint(
            "state IN ('held', 'submitted', 'skipped', 'released', 'expired', 'undone')",
            name="ck_leases_state_is_known",
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_leases_person_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_leases_question_id"),
        sa.PrimaryKeyConstraint("id", name="pk_leases"),
    )
    op.create_index(
        "ix_leases_expiry",
        "leases",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("state = 'held'"),
        postgresql_where=sa.text("state = 'held'"),
    )
    op.create_index("ix_leases_person", "leases", ["person_id", "question_id", "state"], unique=False)
    op.create_index(
        "uq_leases_held",
        "leases",
        ["question_id", "person_id"],
        unique=True,
        sqlite_where=sa.text("state = 'held'"),
        postgresql_where=sa.text("state = 'held'"),
    )

    op.create_table(
        "prior_labels",
        sa.Column("question_id", BIG_ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_prior_labels_question_id"),
        sa.PrimaryKeyConstraint("question_id", "key", name="pk_prior_labels"),
    )
    op.create_index("ix_prior_labels_key", "prior_labels", ["key"], unique=False)

    op.create_table(
        "queue_items",
        sa.Column("question_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("holders", sa.Integer(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("conflict", sa.Boolean(), nullable=False),
        sa.Column("reviewed", sa.Boolean(), nullable=False),
        sa.Column("certainty", sa.Double(), nullable=False),
        sa.Column("rarest_uses", sa.Integer(), nullable=False),
        sa.Column("random_key", sa.Double(), nullable=False),
        sa.CheckConstraint("pool IN ('ordered', 'random', 'blind')", name="ck_queue_items_pool_is_known"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_queue_items_question_id"),
        sa.PrimaryKeyConstraint("question_id", name="pk_queue_items"),
    )
    op.create_index(
        "ix_queue_conflict",
        "queue_items",
        ["question_id"],
        unique=False,
        sqlite_where=sa.text("conflict = 1"),
        postgresql_where=sa.text("conflict"),
    )
    op.create_index(
        "ix_queue_oldest",
        "queue_items",
        ["pool", "answers", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_random",
        "queue_items",
        ["pool", "answers", "random_key", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_rare",
        "queue_items",
        ["pool", "answers", "rarest_uses", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_source_oldest",
        "queue_items",
        ["source", "pool", "answers", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_source_random",
        "queue_items",
        ["source", "pool", "answers", "random_key", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_source_rare",
        "queue_items",
        ["source", "pool", "answers", "rarest_uses", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_source_uncertain",
        "queue_items",
        ["source", "pool", "answers", "certainty", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "ix_queue_uncertain",
        "queue_items",
        ["pool", "answers", "certainty", "question_id"],
        unique=False,
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )

    op.create_table(
        "queue_tags",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("question_id", BIG_ID, nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_queue_tags_question_id"),
        sa.PrimaryKeyConstraint("key", "question_id", name="pk_queue_tags"),
    )
    op.create_table(
        "suggestions",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("question_id", BIG_ID, nullable=False),
        sa.Column("model_id", BIG_ID, nullable=False),
        sa.Column("beam", sa.Integer(), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["model_versions.id"], name="fk_suggestions_model_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_suggestions_question_id"),
        sa.PrimaryKeyConstraint("id", name="pk_suggestions"),
        sa.UniqueConstraint(
            "question_id", "model_id", "beam", "threshold", name="uq_suggestions_question_id_model_id_beam_threshold"
        ),
    )
    op.create_index("ix_suggestions_model_id", "suggestions", ["model_id"], unique=False)

    op.create_table(
        "entries",
        sa.Column("number", BIG_ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("person_id", BIG_ID, nullable=True),
        sa.Column("question_id", BIG_ID, nullable=True),
        sa.Column("suggestion_id", BIG_ID, nullable=True),
        sa.Column("lease_id", BIG_ID, nullable=True),
        sa.Column("target", BIG_ID, nullable=True),
        sa.Column("standing", sa.String(), nullable=True),
        sa.Column("pick", sa.String(), nullable=True),
        sa.Column("model_version", sa.String(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("flag", sa.String(), nullable=True),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("digest", sa.String(), nullable=True),
        sa.Column("payload", JSON, nullable=False),
        sa.CheckConstraint(
            "kind IN ('decision', 'review', 'undo', 'redact', 'tag', 'person', 'queue', 'register', 'promote', "
            "'rollback')",
            name="ck_entries_kind_is_known",
        ),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name="fk_entries_lease_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_entries_person_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_entries_question_id"),
        sa.ForeignKeyConstraint(["suggestion_id"], ["suggestions.id"], name="fk_entries_suggestion_id"),
        sa.ForeignKeyConstraint(["target"], ["entries.number"], name="fk_entries_target"),
        sa.PrimaryKeyConstraint("number", name="pk_entries"),
        sa.UniqueConstraint("idempotency_key", name="uq_entries_idempotency_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entries_kind_number", "entries", ["kind", "number"], unique=False)
    op.create_index("ix_entries_person_id_number", "entries", ["person_id", "number"], unique=False)
    op.create_index("ix_entries_question_id_number", "entries", ["question_id", "number"], unique=False)
    op.create_index("ix_entries_suggestion_id", "entries", ["suggestion_id"], unique=False)
    op.create_index("ix_entries_target", "entries", ["target"], unique=False)

    op.create_table(
        "suggested_tags",
        sa.Column("suggestion_id", BIG_ID, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("cues", JSON, nullable=False),
        sa.Column("hypothesis", JSON, nullable=False),
        sa.ForeignKeyConstraint(["suggestion_id"], ["suggestions.id"], name="fk_suggested_tags_suggestion_id"),
        sa.PrimaryKeyConstraint("suggestion_id", "rank", name="pk_suggested_tags"),
    )
    op.create_table(
        "comments",
        sa.Column("entry_number", BIG_ID, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["entry_number"], ["entries.number"], name="fk_comments_entry_number"),
        sa.PrimaryKeyConstraint("entry_number", name="pk_comments"),
    )
    op.create_table(
        "tag_changes",
        sa.Column("entry_number", BIG_ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("tag_id", BIG_ID, nullable=True),
        sa.Column("key", sa.String(), nullable=True),
        sa.Column("before", JSON, nullable=False),
        sa.Column("after", JSON, nullable=False),
        sa.ForeignKeyConstraint(["entry_number"], ["entries.number"], name="fk_tag_changes_entry_number"),
        sa.PrimaryKeyConstraint("entry_number", "place", name="pk_tag_changes"),
    )
    op.create_index("ix_tag_changes_key", "tag_changes", ["key"], unique=False)
    op.create_index("ix_tag_changes_tag_id", "tag_changes", ["tag_id"], unique=False)

    op.create_table(
        "verdicts",
        sa.Column("entry_number", BIG_ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('accepted', 'rejected', 'added', 'unjudged')", name="ck_verdicts_verdict_is_known"
        ),
        sa.ForeignKeyConstraint(["entry_number"], ["entries.number"], name="fk_verdicts_entry_number"),
        sa.PrimaryKeyConstraint("entry_number", "key", name="pk_verdicts"),
    )
    op.create_index("ix_verdicts_key", "verdicts", ["key"], unique=False)


def downgrade() -> None:
    triggers.drop(op.get_bind())
    op.drop_index("ix_verdicts_key", table_name="verdicts")

    op.drop_table("verdicts")
    op.drop_index("ix_tag_changes_tag_id", table_name="tag_changes")
    op.drop_index("ix_tag_changes_key", table_name="tag_changes")

    op.drop_table("tag_changes")
    op.drop_table("comments")
    op.drop_table("suggested_tags")
    op.drop_index("ix_entries_target", table_name="entries")
    op.drop_index("ix_entries_suggestion_id", table_name="entries")
    op.drop_index("ix_entries_question_id_number", table_name="entries")
    op.drop_index("ix_entries_person_id_number", table_name="entries")
    op.drop_index("ix_entries_kind_number", table_name="entries")

    op.drop_table("entries")
    op.drop_index("ix_suggestions_model_id", table_name="suggestions")

    op.drop_table("suggestions")
    op.drop_table("queue_tags")
    op.drop_index("ix_queue_uncertain", table_name="queue_items")
    op.drop_index("ix_queue_source_uncertain", table_name="queue_items")
    op.drop_index("ix_queue_source_rare", table_name="queue_items")
    op.drop_index("ix_queue_source_random", table_name="queue_items")
    op.drop_index("ix_queue_source_oldest", table_name="queue_items")
    op.drop_index("ix_queue_rare", table_name="queue_items")
    op.drop_index("ix_queue_random", table_name="queue_items")
    op.drop_index("ix_queue_oldest", table_name="queue_items")
    op.drop_index("ix_queue_conflict", table_name="queue_items")

    op.drop_table("queue_items")
    op.drop_index("ix_prior_labels_key", table_name="prior_labels")

    op.drop_table("prior_labels")
    op.drop_index("uq_leases_held", table_name="leases")
    op.drop_index("ix_leases_person", table_name="leases")
    op.drop_index("ix_leases_expiry", table_name="leases")

    op.drop_table("leases")
    op.drop_index("ix_tag_names_tag_id", table_name="tag_names")

    op.drop_table("tag_names")
    op.drop_index("ix_questions_source_external_id", table_name="questions")

    op.drop_table("questions")
    op.drop_index("ix_tags_revision", table_name="tags")
    op.drop_index("ix_tags_parent_id", table_name="tags")
    op.drop_index("ix_tags_merged_into_id", table_name="tags")
    op.drop_index("ix_tags_external_id", table_name="tags")

    op.drop_table("tags")
    op.drop_index("ix_imports_fingerprint", table_name="imports")

    op.drop_table("imports")
    op.drop_table("settings")
    op.drop_table("people")
    op.drop_index("uq_model_versions_live", table_name="model_versions")

    op.drop_table("model_versions")
