"""Migrations of stores that hold something: nothing is lost, and what fails leaves all as it was.

One more migration of the tests' own alters tables that others refer to, which SQLite does by building them anew.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db import people
from db.errors import Refused, SchemaError, StoreError
from db.models import decodings, registry, suggestions, training_runs
from db.store import schema
from db.store.engine import Store
from db.store.tables import Base
from db.tags import planning as tags
from tests.db.actions import change_tags, contents, decide, scalar, suggest, tags_of, undo
from tests.db.conftest import add_questions, execute, with_database

NEWEST = schema.newest_revision()
OLD_STORE = Path(__file__).parents[2] / "stores" / "version_0_1_0.sql"

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
        answer_as_then(store, first, admin, decide(store, first, admin, "影片").number)
        undo(store, decide(store, second, admin, "音乐"), admin)
        change_tags(store, admin, tags.plan_merge, "影片", "电影")
        yield store


def answer_as_then(store: Store, question: int, person: int, before: int) -> None:
    """A suggestion of v1, and a change of mind that answers it, in tables that the program knows no more."""
    with store.write() as session:
        for statement in (
            "INSERT INTO suggestions (question_id, model_id, beam, threshold, created_at) VALUES "
            f"({question}, (SELECT id FROM model_versions WHERE version = 'v1'), 4, 0.5, 1)",
            "INSERT INTO suggested_tags (suggestion_id, rank, text, key, votes, probability, kept, is_new, cues, "
            "hypothesis) VALUES (1, 1, '影片', '影片', 4, 1, true, false, '[]', '[\"影片\"]'), "
            "(1, 2, '导演', '导演', 2, 0.5, true, false, '[\"导\"]', '[]')",
            "INSERT INTO entries (at, kind, person_id, question_id, suggestion_id, target, standing, pick, "
            f"model_version, payload) SELECT at + 1, 'decision', {person}, {question}, 1, {before}, 'answer', "
            f"'direct', 'v1', '{{}}' FROM entries WHERE number = {before}",
            *(
                "INSERT INTO verdicts (entry_number, key, text, verdict, place) "
                f"SELECT max(number), '{tag}', '{tag}', '{verdict}', {place} FROM entries"
                for place, (tag, verdict) in enumerate({"影片": "accepted", "导演": "rejected"}.items())
            ),
        ):
            session.connection().exec_driver_sql(statement)


NEWER_TABLES = ("training_runs", "queue_counts", "distinct_tags", "decodings", "refused_names")
NEWER_COLUMNS = {
    "suggestions": {"decoding_id", "ledger_number", "cut", "shown", "mixed_votes", "precedents"},
    "suggested_tags": {"chance", "evidence", "figures"},
}


def first_contents(store: Store) -> dict[str, list]:
    """Every row of every table that the first schema has, in its columns."""
    with store.read() as session:
        return {
            table.name: sorted(map(repr, session.execute(sqlalchemy.select(*columns)).all()))
            for table in Base.metadata.sorted_tables
            if table.name not in NEWER_TABLES
            and (columns := [c for c in table.columns if c.name not in NEWER_COLUMNS.get(table.name, ())])
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


# --- votes, evidence and chance, up and down


@pytest.fixture
def fourth_store(first_store):
    schema.migrate(first_store, "0004", make_backup=False)
    return first_store


def suggested(store: Store) -> list:
    with store.read() as session:
        return session.execute(text("SELECT id, threshold FROM suggestions ORDER BY id")).all()


def test_suggestions_of_before_keep_every_value_and_are_marked_as_mixed(fourth_store):
    before = first_contents(fourth_store)
    schema.migrate(fourth_store, "0005", make_backup=False)
    assert first_contents(fourth_store) == before
    question = scalar(fourth_store, "SELECT min(id) FROM questions")
    with fourth_store.read() as session:
        (old,) = suggestions.history(session, question)
    assert (old.mixed_votes, old.cut, old.ledger_number, old.shown, old.precedents) == (True, None, None, None, ())
    assert [(tag.tag, tag.votes, tag.chance, tag.evidence, tag.figures) for tag in old.tags] == [
        ("影片", 4, None, (), {}),
        ("导演", 2, None, (), {}),
    ]
    new = suggest(fourth_store, question, {"影片": 1})  # what the same model says by votes alone stands beside it
    assert (new != old.id, fresh_of(fourth_store, question).id) == (True, new)
    check_sound(fourth_store)
    check_refused(fourth_store, "UPDATE suggestions SET decoding_id = 4711", "FOREIGN KEY|foreign key")
    again = "INSERT INTO suggestions (question_id, model_id, beam, threshold, created_at, ledger_number, mixed_votes) "
    check_refused(
        fourth_store, again + f"SELECT {question}, model_id, 4, 0.5, 1, 0, false FROM suggestions", "UNIQUE|uq_"
    )


def fresh_of(store: Store, question: int):
    with store.read() as session:
        return suggestions.fresh(session, question)


def test_a_suggestion_that_an_older_program_writes_meanwhile_is_mixed(fourth_store):
    schema.migrate(fourth_store, make_backup=False)
    write(
        fourth_store,
        "INSERT INTO suggestions (question_id, model_id, beam, threshold, created_at) "
        "SELECT max(id), (SELECT min(id) FROM model_versions), 4, 0.5, 1 FROM questions",
    )
    with fourth_store.read() as session:
        assert suggestions.find(session, 2).mixed_votes


def test_on_the_way_back_the_newest_suggestions_stay_and_those_that_were_answered(fourth_store):
    known = indexes(fourth_store)
    schema.migrate(fourth_store, "0005", make_backup=False)
    question, person = (
        scalar(fourth_store, "SELECT min(id) FROM questions"),
        scalar(fourth_store, "SELECT id FROM people"),
    )
    found = fourth_store.run(lambda session: decodings.record(session, question, "v1", 4, [(("影片",), -1.0, "")]))
    options = {"version": "v1", "figures": True, "decoding_id": found}
    made = [suggest(fourth_store, question, {"影片": 3}, ledger_number=number, **options) for number in range(5, 9)]
    decide(fourth_store, question, person, verdicts={"影片": "accepted"}, suggestion_id=made[1])
    ledger = [rows for table, rows in first_contents(fourth_store).items() if table in ("entries", "verdicts")]
    schema.migrate(fourth_store, "0004", make_backup=False)
    # The first one was answered by an older program, the second of the new ones by this one.
    assert suggested(fourth_store) == [(1, 0.5 + 2e-9), (made[1], 0.5 + 1e-9), (made[3], 0.5)]
    assert scalar(fourth_store, "SELECT count(*) FROM suggested_tags") == 4
    assert [rows for table, rows in first_contents(fourth_store).items() if table in ("entries", "verdicts")] == ledger
    assert indexes(fourth_store) == known
    assert "decodings" not in tables(fourth_store)
    assert not NEWER_COLUMNS["suggestions"] & columns(fourth_store, "suggestions")
    check_sound(fourth_store)
    again = "INSERT INTO suggestions (question_id, model_id, beam, threshold, created_at) "
    check_refused(
        fourth_store,
        again + f"SELECT question_id, model_id, 4, 0.5, 1 FROM suggestions WHERE id = {made[3]}",
        "UNIQUE|uq_",
    )
    schema.migrate(fourth_store, make_backup=False)
    with fourth_store.read() as session:
        assert [old.mixed_votes for old in suggestions.history(session, question)] == [True] * 3
    check_sound(fourth_store)


def tables(store: Store) -> set[str]:
    with store.read() as session:
        return set(sqlalchemy.inspect(session.connection()).get_table_names())


def test_a_store_of_version_0_1_0_comes_up_with_its_suggestions_marked(tmp_path):
    """As it was dumped from SQLite; see its first lines."""
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript(OLD_STORE.read_text(encoding="utf-8"))
    with Store(f"sqlite:///{tmp_path / 'old.db'}") as store:
        schema.prepare(store)
        with store.read() as session:
            found = [old for question in range(1, 5) for old in suggestions.history(session, question)]
        assert [(old.mixed_votes, old.fresh, len(old.tags) > 0) for old in found] == [(True, True, True)] * len(found)
        assert found
        assert scalar(store, "SELECT count(*) FROM pragma_foreign_key_check") == 0
        check_refused(store, "DELETE FROM entries", "append-only")
