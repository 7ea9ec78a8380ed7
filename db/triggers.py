"""Append-only, enforced by the database itself: triggers that refuse to change or delete a line of the ledger.

SQLite drops a table's triggers when a migration rebuilds the table, so `create` runs after every migration.
"""

from sqlalchemy import Connection, text

APPEND_ONLY = ("entries", "verdicts", "tag_changes")

_SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{action} BEFORE {action} ON {table}
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: {table} cannot be changed'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the ledger is append-only: % cannot be changed', TG_TABLE_NAME; END $$
"""
_POSTGRESQL = """
CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()
"""


def create(connection: Connection) -> None:
    """Make the triggers that are missing; those that are there stay."""
    if connection.dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for action in ("update", "delete"):
                connection.execute(text(_SQLITE.format(table=table, action=action)))
    else:
        connection.execute(text(_POSTGRESQL_FUNCTION))
        for table in APPEND_ONLY:
            connection.execute(text(_POSTGRESQL.format(table=table)))


def drop(connection: Connection) -> None:
    """Take the triggers away, for a downgrade that drops their tables."""
    if connection.dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for action in ("update", "delete"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{action}"))
    else:
        for table in APPEND_ONLY:
            connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_change ON {table}"))
        connection.execute(text("DROP FUNCTION IF EXISTS refuse_ledger_change()"))
