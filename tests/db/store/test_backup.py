"""Copies of a store in use, and the way back to one."""

import shutil
import sqlite3
import stat
import threading
from contextlib import closing

import pytest
from sqlalchemy import text

from db.errors import Refused, StoreError
from db.store import backup, schema
from db.store.engine import Store
from tests.db.actions import contents, decide, scalar
from tests.db.conftest import add_questions


@pytest.fixture(params=["sqlite"])
def kind(request) -> str:
    """PostgreSQL has its own tools; what this program does with them is tested with the migrations."""
    return request.param


def put(store: Store, name: str) -> None:
    with store.write() as session:
        session.execute(text(f"INSERT INTO settings (name, value) VALUES ('{name}', '1')"))


def names_in(folder) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def saved(busy_store, tmp_path):
    return backup.back_up(busy_store, tmp_path / "saved.backup")


def test_a_backup_is_one_file_that_holds_everything(busy_store, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    seen = []
    saved = backup.back_up(busy_store, folder / "saved.backup", lambda done, total: seen.append((done, total)))
    assert saved == folder / "saved.backup"
    assert names_in(folder) == {"saved.backup"}
    assert seen[-1][0] == seen[-1][1] > 0
    assert backup.check_file(saved) == ""
    assert names_in(folder) == {"saved.backup"}  # looking at it leaves nothing behind
    with Store(f"sqlite:///{saved}") as copy:
        assert contents(copy) == contents(busy_store)


def test_a_backup_never_overwrites(busy_store, saved):
    before = saved.read_bytes()
    with pytest.raises(Refused, match=r"saved\.backup exists already\. Name another file; a backup never overwrites"):
        backup.back_up(busy_store, saved)
    assert saved.read_bytes() == before


def test_a_backup_needs_a_folder(busy_store, tmp_path):
    with pytest.raises(Refused, match=r"The folder .*missing does not exist"):
        backup.back_up(busy_store, tmp_path / "missing" / "saved.backup")


def test_a_backup_that_fails_leaves_nothing_behind(busy_store, tmp_path, monkeypatch):
    def fail(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(backup.os, "fsync", fail)
    with pytest.raises(StoreError, match=r"failed \(No space left on device\); the store itself is untouched"):
        backup.back_up(busy_store, tmp_path / "saved.backup")
    assert not {name for name in names_in(tmp_path) if name.startswith("saved")}


def test_a_backup_of_a_store_that_is_not_there_fails(tmp_path):
    with Store(f"sqlite:///{tmp_path / 'missing.db'}") as store, pytest.raises(StoreError, match="the store itself"):
        backup.back_up(store, tmp_path / "saved.backup")
    assert names_in(tmp_path) == set()


def test_a_backup_comes_to_its_end_while_others_commit_after_every_page(busy_store, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "PAGES_A_STEP", 1)
    done, before = [], contents(busy_store)

    def write_meanwhile(pages: int, total: int) -> None:
        done.append(pages)
        assert len(done) <= total, "the copy began anew"
        put(busy_store, f"meanwhile {len(done)}")

    saved = backup.back_up(busy_store, tmp_path / "saved.backup", write_meanwhile)
    assert done == list(range(1, len(done) + 1))
    with Store(f"sqlite:///{saved}") as copy:
        assert contents(copy) == before  # of the moment it began
    assert scalar(busy_store, "SELECT count(*) FROM settings WHERE name LIKE 'meanwhile%'") == len(done)


def test_a_backup_beside_a_busy_writer_holds_whole_transactions_only(busy_store, team, tmp_path):
    questions = add_questions(busy_store, 300)
    stop, decided = threading.Event(), []

    def write() -> None:
        for question in questions:
            if stop.is_set():
                return
            decided.append(decide(busy_store, question, team.admin, "电影", comment="好").number)

    writer = threading.Thread(target=write)
    writer.start()
    copies = [backup.back_up(busy_store, tmp_path / f"copy{number}") for number in range(3)]
    stop.set()
    writer.join()
    for path in copies:
        with Store(f"sqlite:///{path}") as copy, copy.read() as session:
            lines = "FROM entries e LEFT JOIN {0} x ON x.entry_number = e.number WHERE e.person_id = " + str(team.admin)
            numbers = [
                session.scalars(text(f"SELECT x.entry_number {lines.format(table)} AND e.kind = 'decision'")).all()
                for table in ("verdicts", "comments")
            ]
        assert numbers[0] == numbers[1] == decided[: len(numbers[0])]


def test_what_a_backup_holds_can_be_restored(busy_store, team, saved, tmp_path):
    before = contents(busy_store)
    (question,) = add_questions(busy_store, 1)
    later = decide(busy_store, question, team.li, "后来")
    after = contents(busy_store)
    assert after != before
    kept = backup.restore(busy_store, saved, tmp_path / "kept.backup")
    assert contents(busy_store) == before
    assert kept == tmp_path / "kept.backup"
    with Store(f"sqlite:///{kept}") as copy:
        assert contents(copy) == after
        assert scalar(copy, f"SELECT count(*) FROM entries WHERE number = {later.number}") == 1
    put(busy_store, "goes on")  # and the store is as durable as before
    with busy_store.write() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"


def test_a_program_that_has_the_store_open_sees_the_restored_contents(busy_store, saved, tmp_path):
    with Store(busy_store.url) as other:
        put(other, "later")
        assert scalar(other, "SELECT count(*) FROM settings WHERE name = 'later'") == 1
        with other.read() as session:
            session.execute(text("SELECT count(*) FROM settings")).all()
        backup.restore(busy_store, saved, tmp_path / "kept.backup")
        assert scalar(other, "SELECT count(*) FROM settings WHERE name = 'later'") == 0
        put(other, "again")
        assert scalar(busy_store, "SELECT count(*) FROM settings WHERE name = 'again'") == 1
    assert backup.check_file(busy_store.path) == ""


def test_a_backup_can_be_restored_where_there_is_no_store_yet(busy_store, saved, tmp_path):
    with Store(f"sqlite:///{tmp_path / 'new.db'}") as new:
        assert backup.restore(new, saved, None) is None
        assert contents(new) == contents(busy_store)
        schema.prepare(new)
        put(new, "works")


def test_names_with_special_characters_are_just_names(busy_store, tmp_path):
    folder = tmp_path / "50% off #1?"
    folder.mkdir()
    saved = backup.back_up(busy_store, folder / "a b&c=d.backup")
    assert backup.check_file(saved) == ""
    assert names_in(folder) == {"a b&c=d.backup"}
    with Store(f"sqlite:///{tmp_path / 'new.db'}") as new:
        backup.restore(new, saved, None)
        assert contents(new) == contents(busy_store)


def test_a_backup_can_be_read_in_a_folder_where_nothing_can_be_written(busy_store, tmp_path):
    folder = tmp_path / "archive"
    folder.mkdir()
    saved = backup.back_up(busy_store, folder / "saved.backup")
    saved.chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert backup.check_file(saved) == ""
    finally:
        folder.chmod(stat.S_IRWXU)


def test_a_store_is_not_overwritten_without_a_copy_of_it(busy_store, saved):
    before = contents(busy_store)
    with pytest.raises(Refused, match=r"holds a store already\. Say where to keep a copy of it"):
        backup.restore(busy_store, saved, None)
    with pytest.raises(Refused, match="exists already"):
        backup.restore(busy_store, saved, saved)
    assert contents(busy_store) == before


def damaged(saved, tmp_path):
    """A copy with a page of nonsense in its middle."""
    path = tmp_path / "damaged.backup"
    content = bytearray(saved.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    return path


def test_a_file_that_is_no_sound_backup_is_refused(busy_store, saved, tmp_path):
    before = contents(busy_store)
    (tmp_path / "notes.txt").write_text("notes " * 200)
    (tmp_path / "half.backup").write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipes (id INTEGER)")
    shutil.copy(saved, tmp_path / "broken.backup")
    with closing(sqlite3.connect(tmp_path / "broken.backup")) as broken:
        broken.execute("DELETE FROM people WHERE name = 'li'")
        broken.commit()
    damaged(saved, tmp_path)
    for name, why in {
        "missing.backup": "no such file",
        "notes.txt": "file is not a database",
        "other.db": "it is a database, but not a store of L2A Studio",
        "broken.backup": "broken references",
        "half.backup": "is not a sound backup",
        "damaged.backup": "is not a sound backup",
    }.items():
        with pytest.raises(Refused, match=why):
            backup.restore(busy_store, tmp_path / name, tmp_path / "kept.backup")
    assert contents(busy_store) == before
    assert not (tmp_path / "kept.backup").exists()


def test_postgresql_is_restored_by_its_own_tool(tmp_path):
    with Store("postgresql://user:secret@host/name") as store:
        with pytest.raises(
            Refused, match=r"pg_restore --clean --if-exists --dbname postgresql://user@host/name"
        ) as raised:
            backup.restore(store, tmp_path / "x.dump", None)
        assert "secret" not in str(raised.value)


# --- PostgreSQL's pg_dump --------------------------------------------------------------------------------------------

SECRET = "ge%heim/1"
ADDRESSES = {
    "before the host": "postgresql://l2a:ge%25heim%2F1@db.example.org:5433/store?sslmode=require",
    "behind the question mark": "postgresql://l2a@db.example.org:5433/store?password=ge%25heim%2F1&sslmode=require",
    "in both places": "postgresql://l2a:other@db.example.org:5433/store?sslmode=require&password=ge%25heim%2F1",
}


@pytest.fixture
def pg_dump(tmp_path, monkeypatch):
    """A pg_dump that writes down how it was called, complains with the password in its words, and fails."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "pg_dump"
    program.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/arguments"\nprintf "%s" "$PGPASSWORD" > "{tmp_path}/password"\n'
        'echo "no such server: password=$PGPASSWORD postgresql://l2a:ge%25heim%2F1@db" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return tmp_path


@pytest.mark.parametrize("where", ADDRESSES)
def test_a_password_reaches_pg_dump_by_the_environment_and_no_message(pg_dump, where):
    with Store(ADDRESSES[where]) as store, pytest.raises(StoreError) as complaint:
        backup.back_up(store, pg_dump / "saved.dump")
    assert (pg_dump / "arguments").read_text().splitlines() == [
        "--no-password",
        "--format=custom",
        f"--file={pg_dump / 'saved.dump.partial'}",
        "postgresql://l2a@db.example.org:5433/store?sslmode=require",
    ]
    assert (pg_dump / "password").read_text() == SECRET
    assert str(complaint.value) == (
        "pg_dump failed: no such server: password=*** postgresql://l2a:***@db. "
        "It must be at least as new as the server."
    )


@pytest.mark.parametrize("where", ADDRESSES)
def test_the_way_to_restore_is_said_without_the_password(where, tmp_path):
    with Store(ADDRESSES[where]) as store, pytest.raises(Refused) as complaint:
        backup.restore(store, tmp_path / "saved.dump", None)
    assert "--dbname postgresql://l2a@db.example.org:5433/store?sslmode=require " in str(complaint.value)
    assert "heim" not in store.shown_url
    assert "other" not in store.shown_url
