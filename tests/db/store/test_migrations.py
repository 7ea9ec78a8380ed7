"""Migrations of stores that hold something: nothing is lost, and what fails leaves all as it was.

One more migration of the tests' own alters tables that others refer to, which SQLite does by building them anew.
"""

import os
import shutil
import subprocess

import pytest
import sqlalchemy
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db import people
from db.errors import Refused, SchemaError, StoreError
from db.models import registry, training_runs
from db.store import schema
from db.store.engine import Store
from db.store.tables import Base
from db.tags import planning as tags
from tests.db.actions import change_tags, contents, decide, scalar, suggest, tags_of, undo
from tests.db.conftest import add_questions, execute, with_database

NEWEST = schema.newest_revision()

MORE = '''
"""Languages, notes and longer names"""

import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "NEWEST"


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
def one_more_migration(tmp_path, monkeypatch):
    """Adds revision 9000 to the migrations, for this test; `afterwards` is Python that it runs at its end."""

    def add(afterwards: str = "pass") -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(schema.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        script = MORE.replace("AFTERWARDS", afterwards).replace("NEWEST", NEWEST)
        (folder / "versions" / "9000_more.py").write_text(script)
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


def test_a_migration_of_a_full_store_loses_nothing_up_and_down(busy_store, team, one_more_migration):
    before, known = contents(busy_store), indexes(busy_store)
    one_more_migration()
    said = []
    saved = schema.migrate(busy_store, say=said.append)
    assert said == [f"Backed up to {saved}.", "The store's tables are now at 9000."]
    assert schema.current_revision(busy_store) == "9000"
    assert {"language"} <= columns(busy_store, "questions")
    assert {"note"} <= columns(busy_store, "entries")
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    check_sound(busy_store)
    assert scalar(busy_store, "SELECT DISTINCT language FROM questions") == "zh"
    schema.migrate(busy_store, NEWEST, make_backup=False)
    assert schema.current_revision(busy_store) == NEWEST
    assert not {"language", "note"} & (columns(busy_store, "questions") | columns(busy_store, "entries"))
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    check_sound(busy_store)


def test_a_migrated_store_works_on(busy_store, team, one_more_migration):
    one_more_migration()
    newest = scalar(busy_store, "SELECT max(number) FROM entries")
    schema.prepare(busy_store)
    question = scalar(busy_store, "SELECT min(question_id) FROM queue_items WHERE is_open")
    receipt = decide(busy_store, question, team.admin, "电影")
    assert receipt.number > newest
    undo(busy_store, receipt, team.admin)
    assert tags_of(busy_store, question, receipt.at) == ["电影"]


def test_the_backup_before_a_migration_holds_the_store_as_it_was(busy_store, one_more_migration, tmp_path, request):
    before = contents(busy_store)
    one_more_migration()
    saved = schema.migrate(busy_store)
    if busy_store.is_sqlite:
        assert saved.parent == busy_store.path.parent
        assert saved.name.startswith(f"store.db.{NEWEST}-")
        address = f"sqlite:///{saved}"
    else:
        assert saved.resolve().parent == tmp_path / "dumps"
        uri = request.getfixturevalue("postgresql_uri")
        execute(uri, "CREATE DATABASE restored")
        address = with_database(uri, "restored")
        subprocess.run(["pg_restore", "--exit-on-error", f"--dbname={address}", str(saved)], check=True)
    with Store(address) as old:
        assert contents(old) == before
        assert scalar(old, "SELECT version_num FROM alembic_version") == NEWEST
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
def test_a_migration_that_fails_leaves_the_store_as_it_was(busy_store, one_more_migration, failure):
    before, known = contents(busy_store), indexes(busy_store)
    afterwards, error, message = FAILURES[failure]
    one_more_migration(afterwards)
    with pytest.raises(error, match=message):
        schema.migrate(busy_store)
    assert schema.current_revision(busy_store) == NEWEST
    assert contents(busy_store) == before
    assert indexes(busy_store) == known
    assert "language" not in columns(busy_store, "questions")
    check_sound(busy_store)


def test_without_a_backup_there_is_no_migration(busy_store, one_more_migration, monkeypatch, tmp_path):
    """On PostgreSQL where pg_dump is not installed, on SQLite where the copy cannot be written."""
    before = contents(busy_store)
    one_more_migration()
    monkeypatch.setenv("PATH", str(tmp_path))
    if busy_store.is_sqlite:
        from datetime import UTC, datetime

        class OneMoment(datetime):
            @classmethod
            def now(cls, zone=None):
                return datetime(2026, 1, 31, 12, tzinfo=UTC)

        monkeypatch.setattr(schema, "datetime", OneMoment)
        (busy_store.path.parent / f"store.db.{NEWEST}-20260131-120000.backup").write_text("taken")
    with pytest.raises(Refused, match=r"pg_dump is not installed|exists already"):
        schema.migrate(busy_store)
    assert contents(busy_store) == before
    assert schema.current_revision(busy_store) == NEWEST
    assert schema.migrate(busy_store, make_backup=False) is None
    assert schema.current_revision(busy_store) == "9000"


def test_two_programs_that_prepare_one_store_at_once_make_its_tables_once(empty_url):
    from concurrent.futures import ThreadPoolExecutor

    with Store(empty_url) as store, ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: schema.prepare(store), range(4)))
        assert schema.current_revision(store) == schema.newest_revision()
        assert scalar(store, "SELECT count(*) FROM alembic_version") == 1


# --- from the first schema to training runs, and back


@pytest.fixture
def first_store(empty_url):
    """A store of the first schema with something in its ledger, two questions, and two versions, one of them live."""
    with Store(empty_url) as store:
        schema.migrate(store, "0001")
        admin = store.run(lambda session: people.add(session, "chen", "admin").id)
        for version in ("v1", "v2"):
            store.run(lambda session, version=version: registry.register(session, version, f"models/{version}"))
        store.run(lambda session: registry.promote(session, "v1", admin))
        first, second = add_questions(store, 2)
        suggestion = suggest(store, first, {"影片": 4, "导演": 2})
        decide(store, first, admin, verdicts={"影片": "accepted", "导演": "rejected"}, suggestion_id=suggestion)
        undo(store, decide(store, second, admin, "音乐"), admin)
        change_tags(store, admin, tags.plan_merge, "影片", "电影")
        yield store


def first_contents(store: Store) -> dict[str, list]:
    """Every row of every table that the first schema has."""
    with store.read() as session:
        return {
            table.name: sorted(map(repr, session.execute(sqlalchemy.select(*table.columns)).all()))
            for table in Base.metadata.sorted_tables
            if table.name not in ("training_runs", "queue_counts", "distinct_tags")
        }


def write(store: Store, statement: str) -> None:
    with store.write() as session:
        session.execute(text(statement))


def check_refused(store: Store, statement: str, constraint: str) -> None:
    with pytest.raises(DBAPIError, match=constraint):
        write(store, statement)


ENTRY_OF_KIND = "INSERT INTO entries (at, kind, payload) VALUES (1, '{}', '{{}}')"


def test_a_full_store_of_the_first_schema_gets_training_runs_and_keeps_every_row(first_store):
    before, known = first_contents(first_store), indexes(first_store)
    newest = scalar(first_store, "SELECT max(number) FROM entries")
    check_refused(first_store, ENTRY_OF_KIND.format("retrain"), "kind_is_known")
    schema.migrate(first_store, "0002", make_backup=False)
    assert first_contents(first_store) == before
    assert known <= indexes(first_store)
    assert {name.split(" ON ")[0].split()[-1] for name in indexes(first_store) - known} <= {
        "uq_training_runs_running",
        "pk_training_runs",
    }
    check_sound(first_store)
    check_refused(first_store, ENTRY_OF_KIND.format("odd"), "kind_is_known")
    check_refused(first_store, "UPDATE model_versions SET state = 'best'", "state_is_known")
    check_refused(first_store, "UPDATE model_versions SET state = 'live'", r"UNIQUE|uq_model_versions_live")
    question = scalar(first_store, "SELECT min(id) FROM questions")
    assert tags_of(first_store, question) == ["电影"]  # through the merge of that time
    run = first_store.run(lambda session: training_runs.begin(session, None, {}))
    first_store.run(lambda session: registry.prune(session, "v2", None))
    assert run.state == "running"
    check_refused(first_store, "UPDATE training_runs SET state = 'odd'", "state_is_known")
    # Numbers that a transaction took and gave back are not given again on PostgreSQL, so only the order is known.
    assert scalar(first_store, "SELECT min(number) FROM entries WHERE kind IN ('retrain', 'prune')") > newest
    if first_store.is_sqlite:
        assert "AUTOINCREMENT" in scalar(first_store, "SELECT sql FROM sqlite_master WHERE name = 'entries'")


def test_back_to_the_first_schema_only_what_is_newer_is_lost(first_store):
    before, known = first_contents(first_store), indexes(first_store)
    schema.migrate(first_store, "0002", make_backup=False)
    first_store.run(lambda session: training_runs.begin(session, None, {}))
    first_store.run(lambda session: registry.prune(session, "v2", None))
    schema.migrate(first_store, "0001", make_backup=False)
    retired = {
        **before,
        "model_versions": [row.replace("'candidate'", "'retired'") for row in before["model_versions"]],
    }
    assert first_contents(first_store) == retired
    assert indexes(first_store) == known
    check_sound(first_store)
    check_refused(first_store, ENTRY_OF_KIND.format("retrain"), "kind_is_known")
    check_refused(first_store, "UPDATE model_versions SET state = 'pruned'", "state_is_known")
    schema.migrate(first_store, "0002", make_backup=False)
    assert first_contents(first_store) == retired
    check_sound(first_store)


def test_the_backup_goes_to_the_folder_that_is_set_and_it_is_made(busy_store, one_more_migration, tmp_path):
    """As under systemd: the working folder is not to be written."""
    one_more_migration()
    saved = schema.migrate(busy_store, backups=tmp_path / "kept" / "backups")
    assert saved.parent == tmp_path / "kept" / "backups"
    assert saved.parent.stat().st_mode & 0o777 == 0o700
    assert list((tmp_path / "dumps").iterdir()) == []
    if busy_store.is_sqlite:
        assert saved.read_bytes().startswith(b"SQLite format 3\0")
    else:
        assert saved.read_bytes().startswith(b"PGDMP")


def test_a_backup_folder_that_cannot_be_made_is_named(busy_store, one_more_migration, tmp_path):
    one_more_migration()
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(StoreError, match=r"but not in .*kept/backups \(.*\)\. Set L2A_BACKUPS to a folder that can be"):
        schema.migrate(busy_store, backups=tmp_path / "kept" / "backups")
    assert schema.current_revision(busy_store) == NEWEST
