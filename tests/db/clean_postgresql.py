"""Empties a PostgreSQL store between two tests: copying its template again would take a hundred times as long."""

import psycopg
from psycopg import sql

# Everything that a test could have done to the tables beside filling them.
SHAPE = """
    SELECT 'table', oid::text, relname, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'column', attrelid::text, attname, atttypid || ' ' || attnotnull || ' ' || atthasdef
    FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger', oid::text, tgname, tgenabled::text FROM pg_trigger
    UNION ALL
    SELECT 'function', oid::text, proname, md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'constraint', oid::text, conname, '' FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    ORDER BY 1, 2, 3
"""
OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
MANY_ROWS = 2_000  # beyond this the dead rows would slow the next tests down


class Cleaner:
    """Knows what a store looked like when it was new, and makes it so again."""

    def __init__(self, uri: str):
        self._uri = uri
        with psycopg.connect(uri, autocommit=True) as connection:
            self._shape = connection.execute(SHAPE).fetchall()
            found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            self._tables = [name for (name,) in found]
            found = connection.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'").fetchall()
            self._sequences = {name: connection.execute(_standing_of(name)).fetchone() for (name,) in found}
            self._rows = {name: connection.execute(_all_of(name)).fetchall() for name in self._tables}

    def clean(self) -> bool:
        """Whether it worked: not where tables were changed, or filled with very many rows."""
        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(OTHERS)  # of processes that a test killed or left behind
            if connection.execute(SHAPE).fetchall() != self._shape:
                return False
            with connection.transaction(), connection.cursor() as cursor:
                # Without triggers and foreign keys: the ledger lets nobody delete from it.
                cursor.execute("SET LOCAL session_replication_role = replica")
                deleted = 0
                for name in self._tables:
                    cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(name)))
                    deleted += cursor.rowcount
                    for row in self._rows[name]:
                        places = sql.SQL(", ").join(sql.Placeholder() * len(row))
                        cursor.execute(sql.SQL("INSERT INTO {} VALUES ({})").format(sql.Identifier(name), places), row)
                for name, (last, is_called) in self._sequences.items():
                    cursor.execute("SELECT setval(%s::regclass, %s, %s)", (name, last, is_called))
            return deleted <= MANY_ROWS


def _standing_of(name: str) -> sql.Composed:
    return sql.SQL("SELECT last_value, is_called FROM {}").format(sql.Identifier(name))


def _all_of(name: str) -> sql.Composed:
    return sql.SQL("SELECT * FROM {}").format(sql.Identifier(name))
