"""The tables: made by migrations, equal to the models, and a ledger that cannot be changed."""

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.errors import SchemaError
from db.store import schema
from db.store.engine import Store
from db.store.tables import Base
from tests.db.actions import contents, scalar


def differences(store: Store) -> list:
    with store.write() as session:
        return compare_metadata(MigrationContext.configure(session.connection()), Base.metadata)


def tables(store: Store) -> set[str]:
    with store.read() as session:
        return set(sqlalchemy.inspect(session.connection()).get_table_names())


def test_the_tables_made_by_migrations_equal_the_models(empty_url):
    with Store(empty_url) as store:
        assert schema.current_revision(store) == "empty"
        schema.prepare(store)
        assert differences(store) == []
        schema.migrate(store, "base", make_backup=False)
        assert tables(store) <= {"alembic_version"}
        schema.migrate(store, "head")
        assert differences(store) == []
        assert schema.current_revision(store) == schema.newest_revision()


def test_preparing_a_store_that_is_up_to_date_does_nothing(busy_store):
    said, before = [], contents(busy_store)
    schema.prepare(busy_store, say=said.append)
    assert schema.migrate(busy_store) is None
    assert (said, contents(busy_store)) == ([], before)


@pytest.mark.parametrize("table", ["entries", "verdicts", "tag_changes"])
def test_no_statement_changes_or_deletes_a_line_of_the_ledger(busy_store, table):
    column = {"entries": "kind", "verdicts": "verdict", "tag_changes": "place"}[table]
    before = contents(busy_store)
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        refused = pytest.raises(DBAPIError, match=f"the ledger is append-only: {table} cannot be changed")
        with refused, busy_store.write() as session:
            session.execute(text(statement))
    assert contents(busy_store) == before


def test_postgresql_refuses_to_empty_the_ledger_too(busy_store):
    if busy_store.is_sqlite:
        return  # it has no TRUNCATE
    with pytest.raises(DBAPIError, match="append-only"), busy_store.write() as session:
        session.execute(text("TRUNCATE entries CASCADE"))


def test_values_and_references_that_make_no_sense_are_refused(busy_store):
    for statement, constraint in {
        "UPDATE people SET role = 'king'": "role_is_known",
        "UPDATE leases SET state = 'lost'": "state_is_known",
        "UPDATE leases SET pick = 'lucky'": "pick_is_known",
        "UPDATE queue_items SET pool = 'deep'": "pool_is_known",
        "UPDATE tags SET status = 'odd'": "status_is_known",
        "UPDATE model_versions SET state = 'best'": "state_is_known",
        "DELETE FROM questions": "FOREIGN KEY|foreign key",
        "UPDATE imports SET person_id = 4711": "FOREIGN KEY|foreign key",
    }.items():
        with pytest.raises(DBAPIError, match=constraint), busy_store.write() as session:
            session.execute(text(statement))


def test_somebody_elses_database_is_refused_and_left_alone(empty_url):
    with Store(empty_url) as store:
        with store.write() as session:
            session.execute(text("CREATE TABLE recipes (id INTEGER, name TEXT)"))
        with pytest.raises(SchemaError, match=r"holds other tables \(recipes\) and is not a store of L2A Studio"):
            schema.prepare(store)
        with pytest.raises(SchemaError, match="holds other tables"):
            schema.migrate(store)
        assert tables(store) == {"recipes"}


def test_a_store_of_a_newer_program_is_refused_and_unchanged(busy_store):
    before = contents(busy_store)
    with busy_store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    known = schema.newest_revision()
    message = rf"written by a newer version of L2A Studio \(its tables are at 9999, this program knows up to {known}\)"
    for use in (schema.prepare, schema.check, schema.migrate, lambda store: schema.migrate(store, "base")):
        with pytest.raises(SchemaError, match=message):
            use(busy_store)
    assert contents(busy_store) == before
    assert scalar(busy_store, "SELECT version_num FROM alembic_version") == "9999"


def test_a_revision_that_does_not_exist_is_refused(store):
    with pytest.raises(
        SchemaError, match=r"There is no revision 0815\. Choose one of base, 0001, 0002, 0003, 0004, 0005"
    ):
        schema.migrate(store, "0815")


REPLACED = {
    "entries": "INSERT OR REPLACE INTO entries SELECT * FROM entries",
    "entries by their keys": "INSERT OR REPLACE INTO entries (at, kind, idempotency_key, payload) "
    "SELECT 1, 'decision', idempotency_key, '{}' FROM entries WHERE idempotency_key IS NOT NULL",
    "verdicts": "REPLACE INTO verdicts SELECT entry_number, key, text, 'rejected', place FROM verdicts",
    "tag_changes": "REPLACE INTO tag_changes SELECT * FROM tag_changes",
}


@pytest.mark.parametrize("what", REPLACED)
def test_no_line_of_the_ledger_is_replaced_from_outside_the_program_either(busy_store, what):
    """SQLite deletes the old row of a REPLACE without asking the triggers on deletions."""
    before = contents(busy_store)
    if busy_store.is_sqlite:
        refused = pytest.raises(sqlite3.DatabaseError, match="append-only")
        with closing(sqlite3.connect(busy_store.path)) as raw, refused:
            raw.execute(REPLACED[what])
    else:
        table = what.split()[0]
        changed = {"entries": ("number", "kind"), "verdicts": ("entry_number, key", "verdict")}
        keys, column = changed.get(table, ("entry_number, place", "tag_id"))
        statement = (
            f"INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({keys}) DO UPDATE SET {column} = {table}.{column}"
        )
        with pytest.raises(DBAPIError, match="append-only"), busy_store.write() as session:
            session.execute(text(statement))
    assert contents(busy_store) == before


def test_new_lines_are_written_as_ever(busy_store):
    newest = scalar(busy_store, "SELECT max(number) FROM entries")
    with busy_store.write() as session:
        session.execute(text("INSERT INTO entries (at, kind, payload) VALUES (1, 'queue', '{}')"))
    assert scalar(busy_store, "SELECT max(number) FROM entries") > newest
