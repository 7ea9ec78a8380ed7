"""A PostgreSQL store that was emptied is as new; where it cannot be, that is said."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from db import people
from db.store.engine import Store
from tests.db import clean_postgresql
from tests.db.clean_postgresql import Cleaner
from tests.db.conftest import add_questions, execute, with_database


@pytest.fixture
def address(postgresql_uri, postgresql_template) -> Iterator[str]:
    """A store of its own."""
    execute(postgresql_uri, f"CREATE DATABASE cleaned TEMPLATE {postgresql_template}")
    yield with_database(postgresql_uri, "cleaned")
    execute(postgresql_uri, "DROP DATABASE cleaned WITH (FORCE)")


def contents(address: str) -> dict[str, list]:
    """The rows of every table, and where every sequence stands."""
    with psycopg.connect(address) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        found = {
            name: connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name))).fetchall()
            for (name,) in tables
        }
        standing = connection.execute("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1").fetchall()
        return {**found, "sequences": standing}


def work(address: str) -> None:
    with Store(address) as store:
        store.run(lambda session: people.add(session, "chen", "admin"))
        add_questions(store, 3)


def test_an_emptied_store_is_as_new(address):
    cleaner, new = Cleaner(address), contents(address)
    work(address)
    assert contents(address) != new
    assert cleaner.clean()
    assert contents(address) == new


def test_somebody_who_was_left_behind_is_shown_out(address):
    cleaner = Cleaner(address)
    with psycopg.connect(address) as behind:
        behind.execute("LOCK TABLE questions")
        assert cleaner.clean()
        behind.close()


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE settings ADD COLUMN more TEXT",
        "ALTER TABLE tags RENAME TO others",
        "DROP TABLE leases CASCADE",
        "CREATE TABLE more (id INTEGER)",
        "ALTER TABLE entries DISABLE TRIGGER USER",
    ],
)
def test_changed_tables_are_not_taken_for_new(address, change):
    cleaner = Cleaner(address)
    execute(address, change)
    assert not cleaner.clean()


def test_very_many_rows_are_left_to_a_new_copy(address, monkeypatch):
    cleaner = Cleaner(address)
    work(address)
    monkeypatch.setattr(clean_postgresql, "MANY_ROWS", 2)
    assert not cleaner.clean()
