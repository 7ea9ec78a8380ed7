"""`backup`, `restore`, `migrate`, `prune` and `check`."""

import shutil
import sqlite3

import pytest
from sqlalchemy import select, text, update

from db.models import registry
from db.queue.check import MAX_FOUND, find_inconsistencies
from db.store import schema
from db.store.backup import revision_of_file
from db.store.tables import QueueItem, Suggestion


@pytest.fixture
def kept(tmp_path):
    """The copies that restoring left beside the store."""
    return lambda: [path.name for path in tmp_path.glob("store.db.before-restore-*") if path.name[-4:-3] != "-"]


def test_a_backup_brings_everything_back(answer, decide, tmp_path, kept, path):
    decide(1, "li", "编程")
    saved = tmp_path / "monday.backup"
    out = answer("backup", saved)
    assert out == f"{saved}: {saved.stat().st_size:,} bytes. To go back to it: python -m app restore {saved}\n"
    decide(1, "li", "跑步")
    decide(2, "li", "跑步")
    out = answer("restore", saved, "--yes")
    assert out.startswith(f"Put {saved} in the place of {path}.\n  what is there now is kept as {path}.before-restore-")
    assert out.endswith(f"{path} is as it was in {saved}.\n")
    assert "  labels      编程\n" in answer("show", 1)
    assert "nobody decided yet" in answer("show", 2)
    (copy,) = kept()
    assert "  labels      跑步\n" in answer("show", 2, "--database", f"sqlite:///{tmp_path / copy}")
    answer("check")


def test_a_backup_never_overwrites_and_needs_a_store(refusal, answer, filled, tmp_path):
    answer("backup", tmp_path / "a")
    assert "exists already" in refusal("backup", tmp_path / "a")
    assert "does not exist" in refusal("backup", tmp_path / "nowhere" / "a")
    missing = f"sqlite:///{tmp_path / 'missing.db'}"
    for command in (("backup", tmp_path / "b"), ("check",)):
        assert "there is no store to " in refusal(*command, "--database", missing)
    assert not (tmp_path / "missing.db").exists()


def test_restoring_asks_first(call, refusal, answer, filled, tmp_path, path, at_terminal, kept):
    answer("backup", tmp_path / "a")
    assert "--yes" in refusal("restore", tmp_path / "a")
    at_terminal("n")
    assert call("restore", tmp_path / "a")[0] == 1
    assert kept() == []


def test_what_is_no_sound_backup_is_refused_and_the_store_stays(refusal, answer, filled, tmp_path, kept):
    (tmp_path / "letter.txt").write_text("Dear store, " * 1000)
    assert "not a sound backup" in refusal("restore", tmp_path / "letter.txt", "--yes")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE invoices (number INTEGER)")
    assert "not a store of L2A Studio" in refusal("restore", tmp_path / "other.db", "--yes")
    assert "no such file" in refusal("restore", tmp_path / "missing", "--yes")
    assert "questions     4\n" in answer("stats")
    assert kept() == []


def test_a_backup_of_a_newer_version_is_refused(refusal, answer, filled, tmp_path):
    answer("backup", tmp_path / "a")
    with sqlite3.connect(tmp_path / "a") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "was written by a newer version" in refusal("restore", tmp_path / "a", "--yes")
    assert revision_of_file(tmp_path / "a") == "9999"
    assert "questions     4\n" in answer("stats")


def test_somebody_elses_database_is_not_replaced(refusal, answer, filled, tmp_path):
    answer("backup", tmp_path / "a")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE invoices (number INTEGER)")
    url = f"sqlite:///{tmp_path / 'other.db'}"
    assert "is not a store of L2A Studio" in refusal("restore", tmp_path / "a", "--yes", "--database", url)


@pytest.mark.parametrize("damage", ["text", "pages", "empty", "gone"])
def test_a_damaged_store_is_replaced_and_kept(answer, call, filled, store, tmp_path, path, kept, damage):
    answer("backup", tmp_path / "a")
    store.close()
    if damage == "text":
        path.write_text("Dear store, " * 1000)
    elif damage == "pages":
        content = bytearray(path.read_bytes())
        content[8192:40960] = b"\xff" * (40960 - 8192)
        path.write_bytes(content)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    if damage in ("text", "pages"):
        code, out, _ = call("check")
        assert code == 1
        assert out.endswith("Go back to a backup: python -m app restore FILE\n")
    answer("restore", tmp_path / "a", "--yes")
    assert "questions     4\n" in answer("stats")
    assert "sound" in answer("check")
    assert len(kept()) == (damage != "gone")


def test_migrate_says_where_it_was_and_is(answer, refusal, filled, tmp_path, path):
    newest = schema.newest_revision()
    assert answer("migrate") == f"before  {newest}\nafter   {newest}\n"
    assert "there is no terminal to ask on" in refusal("migrate", "--to", "base")  # a step back is asked about
    out = answer("migrate", "--to", "base", "--yes")
    before, after, backup = out.splitlines()
    assert (before, after) == (f"before  {newest}", "after   empty")
    saved = backup.removeprefix("backup  ")
    assert saved.startswith(f"{path}.{newest}-")
    assert answer("migrate") == f"before  empty\nafter   {newest}\n"
    assert "questions     0\n" in answer("stats")
    answer("restore", saved, "--yes")
    assert "questions     4\n" in answer("stats")
    assert refusal("migrate", "--to", "1999").startswith("There is no revision 1999. Choose one of base, ")
    answer("migrate", "--to", "base", "--no-backup", "--yes")
    assert len(list(tmp_path.glob("*.backup"))) == 1


def test_migrate_makes_a_new_store(answer, tmp_path, path):
    new = f"sqlite:///{tmp_path / 'folder' / 'new.db'}"
    assert answer("migrate", "--database", new).startswith("before  empty\n")


def test_prune_takes_old_suggestions_that_nobody_answered(answer, store, suggested, filled):
    def age(session):
        session.execute(update(Suggestion).values(created_at=0))
        registry.register(session, "v2", "models/v2")

    store.run(age)
    assert answer("prune", "--older-than", 30).startswith("0 suggestions deleted")  # the model is live
    store.run(lambda session: registry.promote(session, "v2", filled.chen))
    assert answer("prune", "--older-than", 30, "--dry-run") == (
        "1 suggestions would be deleted: older than 30 days, never answered, replaced since or their model not live\n"
    )
    assert answer("prune", "--older-than", 30).startswith("1 suggestions deleted")
    with store.read() as session:
        assert session.scalar(select(Suggestion.id)) is None


def test_check_finds_counts_that_are_not_what_the_ledger_says(answer, call, decide, store):
    decide(1, "li", "编程")
    assert answer("check").startswith("The store is sound")
    with store.write() as session:
        session.execute(update(QueueItem).where(QueueItem.question_id == 1).values(answers=2, is_open=True))
        session.execute(update(QueueItem).where(QueueItem.question_id == 2).values(holders=1, source="x"))
        session.execute(text("PRAGMA defer_foreign_keys = ON"))
        session.execute(text("DELETE FROM queue_items WHERE question_id = 3"))
    code, out, _ = call("check")
    assert code == 1
    assert out.splitlines() == [
        "Question 1: the queue has answers 2, but it should be 1.",
        "Question 1: the queue has is_open True, but it should be False.",
        "Question 2: the queue has holders 1, but it should be 0.",
        "Question 2: the queue has source x, but it should be zhihu.",
        "Question 3 has no place in the queue.",
    ]


def test_check_goes_in_steps_and_lists_only_so_many(store, answer, write_file, monkeypatch, path):
    monkeypatch.setattr("db.queue.check.QUESTIONS_A_STEP", 50)
    answer("import", write_file(*({"title": f"第{n}个问题？"} for n in range(120))))
    with store.write() as session:
        session.execute(update(QueueItem).values(conflict=True))
    seen = []
    with store.read() as session:
        found = find_inconsistencies(session, lambda done, total: seen.append((done, total)))
    assert seen == [(50, 120), (100, 120), (120, 120)]
    assert len(found) == MAX_FOUND + 1
    assert str(found[-1]) == "and 20 more"


def test_the_revision_of_a_file_is_read_whatever_its_name(template, tmp_path):
    odd = tmp_path / "100% ? #1.db"
    shutil.copy(template, odd)
    assert revision_of_file(odd) == schema.newest_revision()
    assert revision_of_file(tmp_path / "missing.db") is None
