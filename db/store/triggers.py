"""What the database itself sees to, whoever writes: an append-only ledger, and the number of open questions.

SQLite drops a table's triggers when a migration rebuilds the table, so `create` runs after every migration. One that
rebuilds `queue_counts` must take the triggers that write into it away first (`drop_counting`).
"""

from sqlalchemy import Connection, inspect, text

# Each table of the ledger, and what tells one of its rows from another.
APPEND_ONLY = {
    "entries": (("number",), ("idempotency_key",)),
    "verdicts": (("entry_number", "key"),),
    "tag_changes": (("entry_number", "place"),),
}

_SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{action} BEFORE {action} ON {table}
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: {table} cannot be changed'); END
"""
# INSERT OR REPLACE deletes the old row without asking the triggers on deletions.
_SQLITE_REPLACE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} WHEN {taken}
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

# SQLite has one writer at a time, so one row is changed in place.
_SQLITE_COUNTING = {
    "insert": ("AFTER INSERT ON queue_items WHEN NEW.is_open", "open + 1"),
    "delete": ("AFTER DELETE ON queue_items WHEN OLD.is_open", "open - 1"),
    "update": (
        "AFTER UPDATE OF is_open ON queue_items WHEN NEW.is_open <> OLD.is_open",
        "open + NEW.is_open - OLD.is_open",
    ),
}
# On PostgreSQL people would wait for each other at that row; so each statement adds a row with what it changed, and
# one in a hundred adds up those that nobody else is adding up.
_POSTGRESQL_COUNTING_FUNCTION = """
CREATE OR REPLACE FUNCTION count_open_questions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change BIGINT := 0;
    place BIGINT;
BEGIN
    IF TG_OP <> 'DELETE' THEN change := change + (SELECT count(*) FROM rows_after WHERE is_open); END IF;
    IF TG_OP <> 'INSERT' THEN change := change - (SELECT count(*) FROM rows_before WHERE is_open); END IF;
    IF change <> 0 THEN
        INSERT INTO queue_counts (open) VALUES (change) RETURNING id INTO place;
        IF place % 100 = 0 THEN
            WITH gone AS (
                DELETE FROM queue_counts WHERE id IN (SELECT id FROM queue_counts FOR UPDATE SKIP LOCKED) RETURNING open
            )
            INSERT INTO queue_counts (open) SELECT sum(open) FROM gone HAVING count(*) > 0;
        END IF;
    END IF;
    RETURN NULL;
END $$
"""
_POSTGRESQL_COUNTING = {
    "insert": "REFERENCING NEW TABLE AS rows_after",
    "delete": "REFERENCING OLD TABLE AS rows_before",
    "update": "REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after",
}


def create(connection: Connection) -> None:
    """Make the triggers that are missing; those that are there stay."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.execute(text(_POSTGRESQL_FUNCTION))
    for table, keys in APPEND_ONLY.items():
        if is_sqlite:
            for action in ("update", "delete"):
                connection.execute(text(_SQLITE.format(table=table, action=action)))
            connection.execute(text(_SQLITE_REPLACE.format(table=table, taken=_taken(table, keys))))
        else:
            connection.execute(text(_POSTGRESQL.format(table=table)))
    if inspect(connection).has_table("queue_counts"):  # not in the older schemas that a downgrade goes back to
        _create_counting(connection)


def _create_counting(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        for action, (when, number) in _SQLITE_COUNTING.items():
            connection.execute(
                text(
                    f"CREATE TRIGGER IF NOT EXISTS queue_items_counted_{action} {when} "
                    f"BEGIN UPDATE queue_counts SET open = {number}; END"
                )
            )
        return
    connection.execute(text(_POSTGRESQL_COUNTING_FUNCTION))
    for action, rows in _POSTGRESQL_COUNTING.items():
        connection.execute(
            text(
                f"CREATE OR REPLACE TRIGGER queue_items_counted_{action} AFTER {action} ON queue_items {rows} "
                "FOR EACH STATEMENT EXECUTE FUNCTION count_open_questions()"
            )
        )


def _taken(table: str, keys: tuple[tuple[str, ...], ...]) -> str:
    """SQL: a row with one of the new row's keys is there already; no key is equal to NULL."""
    same = (" AND ".join(f"{column} = NEW.{column}" for column in columns) for columns in keys)
    return " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {condition})" for condition in same)


def drop(connection: Connection) -> None:
    """Take the ledger's triggers away, for a downgrade that drops or changes their tables."""
    if connection.dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for action in ("update", "delete", "replace"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{action}"))
    else:
        for table in APPEND_ONLY:
            connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_change ON {table}"))
        connection.execute(text("DROP FUNCTION IF EXISTS refuse_ledger_change()"))


def drop_counting(connection: Connection) -> None:
    """Take the triggers that count open questions away."""
    where = "" if connection.dialect.name == "sqlite" else " ON queue_items"
    for action in _SQLITE_COUNTING:
        connection.execute(text(f"DROP TRIGGER IF EXISTS queue_items_counted_{action}{where}"))
    if where:
        connection.execute(text("DROP FUNCTION IF EXISTS count_open_questions()"))
