"""Migrations of stores that hold something: nothing is lost, and what fails leaves all as it was.

A second migration of the tests' own alters tables that others refer to, which SQLite does by building them anew.
"""

import os
import shutil
import subprocess

import pytest
import sqlalchemy
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db import schema
from db.engine import Store
from db.errors import Refused, SchemaError
from tests.db.actions import contents, decide, scalar, tags_of, undo
from tests.db.conftest import execute, with_database

SECOND = '''
"""Languages, notes and longer names"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    with op.batch_alter_table("questions") as batch:
        batch.add_column(sa.Column("language", sa.String(), nullable=False, server_default="zh"))
        batch.alter_column("title", existing_type=sa.String(), type_=sa.Text())
    with op.batch_alter_table("entries", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.add_column(sa.Column("note", sa.String(), nullable=True))
        batch.alter_column("flag", existing_type=sa.String(), type_=sa.Text())
    with op.batch_alter_table("people") as batch:
        batch.alter_column("name", existing_type=sa.String(), type_=sa.String(200))
    AFTERWARDS


def downgrade():
    with op.batch_alter_table("people") as batch:
        batch.alter_column("name", existing_type=sa.String(200), type_=sa.String())
    with op.batch_alter_table("entries", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("flag", existing_type=sa.Text(), type_=sa.String())
        batch.drop_column("note")
    with op.batch_alter_table("questions") as batch:
        batch.alter_column("title", existing_type=sa.Text(), type_=sa.String())
        batch.drop_column("language")
'''


@pytest.fixture
def second_migration(tmp_path, monkeypatch):
    """Adds revision 0002 to the migrations, for this test; `afterwards` is Python that it runs at its end."""

    def add(afterwards: str = "pass") -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(schema.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "0002_more.py").write_text(SECOND.replace("AFTERWARDS", afterwards))
        monkeypatch.setattr(schema, "MIGRATIONS", folder)

    return add


@pytest.fixture(autouse=True)
def dump_tools(monkeypatch, tmp_path, postgresql_server):
    """PostgreSQL's programs on the path, and a working folder for the dumps they write."""
    monkeypatch.setenv("PATH", f"{postgresql_server.bin_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "dumps").mkdir()
    monkeypatch.chdir(tmp_path / "dumps")


def columns(store: Store, table: str) -> set[str]:
    with store.read() as session:
        return {column["name"] for column in sqlalchemy.inspect(session.connection()).get_columns(table)}


def indexes(store: Store) -> set[str]:
    """Every index as the database would make it again, with what makes it partial."""
    if store.is_sqlite:
        query = "SELECT replace(sql, '\"', '') FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    else:
        query = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
    with store.read() as session:
        return {" ".join(definition.split()) for definition in session.scalars(text(query))}


def check_sound(store: Store) -> None:
    """References hold, the ledger is append-only, and foreign keys are watched over again."""
    if store.is_sqlite:
        with store.read() as session:
            assert session.execute(text("PRAGMA foreign_key_check")).all() == []
    for table in ("entries", "verdicts", "tag_changes"):
        with pytest.raises(DBAPIError, match="append-only"), store.write() as session:
            session.execute(text(f"DELETE FROM {table}"))
    with pytest.raises(DBAPIError, match=r"FOREIGN KEY|foreign key"), store.write() as session:
        session.execute(text("UPDATE imports SET person_id = 4711"))


def test_a_migration_of_a_full_store_loses_nothing_up_and_down(busy_store, team, second_migration):
    before, known = contents(busy_store), indexes(busy_store)
    second_migration()
    said = []
    saved = schema.migrate(busy_store, say=said.append)
    assert said == [f"Backed up to {saved}.", "The store's tables are now at 0002."]
    assert schema.current_revision(busy_store) == "0002"
    assert {"language"} <= columns(busy_store, "questions")
    assert {"note"} <= columns(busy_store, "entries")
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    check_sound(busy_store)
    assert scalar(busy_store, "SELECT DISTINCT language FROM questions") == "zh"
    schema.migrate(busy_store, "0001", make_backup=False)
    assert schema.current_revision(busy_store) == "0001"
    assert not {"language", "note"} & (columns(busy_store, "questions") | columns(busy_store, "entries"))
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    check_sound(busy_store)


def test_a_migrated_store_works_on(busy_store, team, second_migration):
    second_migration()
    newest = scalar(busy_store, "SELECT max(number) FROM entries")
    schema.prepare(busy_store)
    question = scalar(busy_store, "SELECT min(question_id) FROM queue_items WHERE is_open")
    receipt = decide(busy_store, question, team.admin, "电影")
    assert receipt.number > newest
    undo(busy_store, receipt, team.admin)
    assert tags_of(busy_store, question, receipt.at) == ["电影"]


def test_the_backup_before_a_migration_holds_the_store_as_it_was(busy_store, second_migration, tmp_path, request):
    before = contents(busy_store)
    second_migration()
    saved = schema.migrate(busy_store)
    if busy_store.is_sqlite:
        assert saved.parent == busy_store.path.parent
        assert saved.name.startswith("store.db.0001-")
        address = f"sqlite:///{saved}"
    else:
        assert saved.resolve().parent == tmp_path / "dumps"
        uri = request.getfixturevalue("postgresql_uri")
        execute(uri, "CREATE DATABASE restored")
        address = with_database(uri, "restored")
        subprocess.run(["pg_restore", "--exit-on-error", f"--dbname={address}", str(saved)], check=True)
    with Store(address) as old:
        assert contents(old) == before
        assert scalar(old, "SELECT version_num FROM alembic_version") == "0001"
        check_sound(old)
    if not busy_store.is_sqlite:
        execute(uri, "DROP DATABASE restored WITH (FORCE)")


FAILURES = {
    "statement": ('op.execute("INSERT INTO nowhere VALUES (1)")', SchemaError, "failed and was taken back: .*nowhere"),
    "program": ('raise RuntimeError("half way")', RuntimeError, "half way"),
    "reference": (
        'op.execute("DELETE FROM suggestions")',
        SchemaError,
        "would break [0-9]+ references in entries, suggested_tags; it was taken back|violates foreign key",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_migration_that_fails_leaves_the_store_as_it_was(busy_store, second_migration, failure):
    before, known = contents(busy_store), indexes(busy_store)
    afterwards, error, message = FAILURES[failure]
    second_migration(afterwards)
    with pytest.raises(error, match=message):
        schema.migrate(busy_store)
    assert schema.current_revision(busy_store) == "0001"
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    assert "language" not in columns(busy_store, "questions")
    check_sound(busy_store)


def test_without_a_backup_there_is_no_migration(busy_store, second_migration, monkeypatch, tmp_path):
    """On PostgreSQL where pg_dump is not installed, on SQLite where the copy cannot be written."""
    before = contents(busy_store)
    second_migration()
    monkeypatch.setenv("PATH", str(tmp_path))
    if busy_store.is_sqlite:
        from datetime import UTC, datetime

        class OneMoment(datetime):
            @classmethod
            def now(cls, zone=None):
                return datetime(2026, 1, 31, 12, tzinfo=UTC)

        monkeypatch.setattr(schema, "datetime", OneMoment)
        (busy_store.path.parent / "store.db.0001-20260131-120000.backup").write_text("taken")
    with pytest.raises(Refused, match=r"pg_dump is not installed|exists already"):
        schema.migrate(busy_store)
    assert contents(busy_store) == before
    assert schema.current_revision(busy_store) == "0001"
    assert schema.migrate(busy_store, make_backup=False) is None
    assert schema.current_revision(busy_store) == "0002"


def test_two_programs_that_prepare_one_store_at_once_make_its_tables_once(empty_url):
    from concurrent.futures import ThreadPoolExecutor

    with Store(empty_url) as store, ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: schema.prepare(store), range(4)))
        assert schema.current_revision(store) == schema.newest_revision()
        assert scalar(store, "SELECT count(*) FROM alembic_version") == 1
