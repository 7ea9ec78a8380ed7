"""Migrations: up from empty, down and up again, on populated tables, and what they refuse."""

import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from db import schema
from db.engine import Store
from db.models import Base


def differences(store: Store) -> list:
    with store.write() as session:
        return compare_metadata(MigrationContext.configure(session.connection()), Base.metadata)


def test_the_tables_made_by_migrations_equal_the_models(empty_url):
    with Store(empty_url) as store:
        schema.prepare(store)
        assert differences(store) == []
        schema.migrate(store, "base", make_backup=False)
        with store.write() as session:
            left = set(sqlalchemy.inspect(session.connection()).get_table_names())
        assert left <= {"alembic_version"}
        schema.migrate(store, "head")
        assert differences(store) == []
        assert schema.current_revision(store) == schema.newest_revision()


def test_the_ledger_cannot_be_changed_by_sql(store, team):
    for statement in ("UPDATE entries SET kind = 'undo'", "DELETE FROM entries", "DELETE FROM verdicts"):
        try:
            with store.write() as session:
                # An empty table has no rows for SQLite's row triggers to fire on.
                session.execute(text(statement + " WHERE 1 = 1"))
                count = session.scalar(text("SELECT count(*) FROM entries"))
        except Exception as error:
            assert "append-only" in str(error)
        else:
            assert store.is_sqlite
            assert count > 0
            assert "verdicts" in statement  # nothing in it
