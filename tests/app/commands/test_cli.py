"""Help for every command, what is imported, and errors that any command may meet."""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import COMMANDS, build_parser, main
from app.commands.shared import days, moment, share, whole_number
from db.queue import claims as queue

ROOT = Path(__file__).parents[3]
NOBODY_LISTENS = "postgresql://li:secret@127.0.0.1:1/store"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_that_can_be_typed(capsys, command):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    (example,) = re.findall(r"^example: python -m app (.+)$", capsys.readouterr().out, flags=re.MULTILINE)
    arguments = shlex.split(example)
    assert arguments[0] == command
    assert build_parser().parse_args(arguments).command


@pytest.mark.parametrize("file", ["docs/operations.md", "README.md"])
def test_every_command_in_the_documents_can_be_typed(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    shown = re.findall(r"python -m app ([^`\n#]+)", text)
    assert len(shown) > 10
    for example in shown:
        example = example.strip()
        if example not in ("COMMAND", "..."):
            assert build_parser().parse_args(shlex.split(example)).command, example


def test_every_command_is_documented():
    for file in ("docs/operations.md", "README.md"):
        text = (ROOT / file).read_text(encoding="utf-8")
        missing = [name for name in COMMANDS if f"python -m app {name}" not in text]
        assert missing == [], file


@pytest.mark.parametrize("arguments", [[], ["sing"], ["tags"], ["show", "x"], ["import", "f", "--overlap", "0"]])
def test_unknown_words_end_with_exit_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2


PURITY = """
import sys
from app.cli import main
def loaded(*names):
    return [name for name in names if name in sys.modules]
try:
    main(["--help"])
except SystemExit:
    pass
assert loaded("torch", "sqlalchemy", "alembic", "numpy", "jieba", "tqdm") == []
for command in sys.argv[1:]:
    assert main([*command.split(), "--quiet"]) == 0, command
assert loaded("streamlit", "torch", "app.main", "app.entry.resources") == []
"""


def test_neither_streamlit_nor_torch_is_ever_imported_and_help_loads_nothing_heavy(path, write_file):
    file = write_file({"title": "怎么学编程？", "tags": ["编程"]})
    commands = (
        f"import {file}",
        f"export {file.with_suffix('.parquet')}",
        "tags search bc",
        "stats --agreement",
        "show 1",
        f"models register {ROOT / 'models' / 'starter'}",
        "check",
    )
    done = subprocess.run([sys.executable, "-c", PURITY, *commands], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_package_is_a_program():
    done = subprocess.run([sys.executable, "-m", "app", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for command in COMMANDS:
        assert re.search(rf"^ +{command} ", done.stdout, flags=re.MULTILINE)


def test_a_new_store_is_made_and_its_first_person_is_an_admin(path, tmp_path, capsys, write_file):
    file = write_file({"title": "怎么学编程？"})
    new = tmp_path / "folder" / "new.db"
    assert main(["import", str(file), "--database", f"sqlite:///{new}"]) == 0
    err = capsys.readouterr().err
    assert f"sqlite:///{new}: there was no store; a new one is made.\n" in err
    assert "The store had no people; chen is its first admin now.\n" in err
    assert new.is_file()


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        (
            NOBODY_LISTENS,
            "The store postgresql+psycopg://li:***@127.0.0.1:1/store cannot be reached (connection failed: ",
        ),
        ("mysql://here", "mysql is not a kind of store. Give sqlite:///"),
        ("sqlite://", "A store in memory would lose every decision."),
        ("store.db", "store.db is not the URL of a store."),
    ],
)
def test_a_store_that_cannot_be_reached_is_explained(refusal, url, complaint):
    for command in (("stats",), ("export", "x.csv"), ("backup", "x"), ("migrate",), ("check",)):
        if command != ("backup", "x") or url != NOBODY_LISTENS:  # pg_dump has words of its own
            assert refusal(*command, "--database", url).startswith(complaint)
    assert "secret" not in refusal("stats", "--database", url)


def test_a_file_that_is_no_database_is_explained_and_left_alone(refusal, tmp_path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear store, " * 1000)
    complaint = refusal("stats", "--database", f"sqlite:///{file}")
    assert "is damaged or not a database" in complaint
    assert "python -m app restore FILE" in complaint
    assert file.read_text() == "Dear store, " * 1000


def test_a_newer_store_is_refused_and_left_alone(store, refusal, path, write_file):
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    before = path.read_bytes()
    file = write_file({"title": "怎么学编程？"})
    for command in (("import", file), ("stats",), ("tags", "recount"), ("migrate",), ("check",)):
        assert "was written by a newer version of L2A Studio (its tables are at 9999" in refusal(*command)
    assert path.read_bytes() == before


def test_somebody_elses_database_is_refused(refusal, tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE invoices (number INTEGER)")
    assert "holds other tables (invoices) and is not a store" in refusal(
        "stats", "--database", f"sqlite:///{tmp_path / 'other.db'}"
    )


@pytest.mark.usefixtures("filled")
def test_an_unknown_person_is_told_who_is_known(refusal, write_file, monkeypatch):
    known = "There is no person called nobody. Known: chen, zhao, li, wang. Say who you are with --as NAME."
    assert refusal("import", write_file({"title": "怎么学编程？"}), "--as", "nobody") == known
    monkeypatch.setattr("getpass.getuser", lambda: "nobody")
    assert refusal("tags", "deprecate", "编程", "--yes") == known


@pytest.mark.usefixtures("filled")
def test_whose_user_name_is_not_known_must_say_it(refusal, monkeypatch):
    def fail():
        raise KeyError("getpwuid(): uid not found: 1000")

    monkeypatch.setattr("getpass.getuser", fail)
    assert refusal("queue", "overlap", "2") == "Your user name is not known here. Say who you are with --as NAME."


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("arguments", "action", "roles"),
    [
        (["tags", "deprecate", "编程", "--yes"], "change tags", "researcher or admin"),
        (["tags", "import", "tags.txt"], "change tags", "researcher or admin"),
        (["people", "add", "sun"], "change people", "admin"),
        (["models", "promote", "v1"], "change models", "admin"),
        (["models", "rollback"], "change models", "admin"),
        (["prune", "--older-than", "9"], "change models", "admin"),
        (["queue", "shares", "--blind", "0.5"], "change the queue", "researcher or admin"),
        (["queue", "overlap", "3"], "change the queue", "researcher or admin"),
        (["redact", "1", "--reason", "asked for", "--yes"], "redact", "admin"),
        (["export", "labels.jsonl"], "export labels", "researcher or admin"),
        (["show", "1"], "see others' labels", "researcher or admin"),
    ],
)
def test_what_a_role_does_not_allow_is_refused(refusal, arguments, action, roles):
    complaint = refusal(*arguments, "--as", "li")
    assert complaint.startswith(f"li is a moderator; to {action} takes a")
    assert complaint.endswith(f" {roles}.")


def test_names_are_for_those_who_may_see_who_did_what(call, filled, store):
    """What li did stands behind the totals only, whoever of the moderators looks, or somebody unknown."""
    store.run(lambda session: queue.claim(session, filled.li))
    looks = (("stats",), ("queue", "status"), ("tags", "show", "编程"))
    for name, sees in (("chen", True), ("zhao", True), ("wang", False), ("nobody", False)):
        said = "".join(call(*look, "--as", name)[1] for look in looks)
        assert ("li (moderator)" in said, "is with li" in said) == (sees, sees), name


def test_a_new_question_takes_more_than_a_moderator(refusal, write_file, filled):
    complaint = refusal("import", write_file({"title": "谁也没问过的问题？"}), "--as", "li")
    assert "li is a moderator; to import questions takes a researcher or admin" in complaint


def test_bytes_that_are_not_utf_8_are_refused(refusal):
    assert refusal("tags", "search", "\udcff") == "'\\udcff': not UTF-8. Type it in a terminal that uses UTF-8."


def test_an_unknown_setting_is_refused(refusal, monkeypatch):
    monkeypatch.setenv("L2A_DATABSE", "sqlite:///x.db")
    assert refusal("stats").startswith("L2A_DATABSE: no such setting.")


def test_a_time_always_has_a_zone():
    assert moment("2026-01-31").tzinfo is not None
    assert (moment("2026-01-31").hour, moment("2026-01-31").minute) == (0, 0)
    assert moment("2026-01-31T18:00:00+08:00").utctimetuple()[:5] == (2026, 1, 31, 10, 0)
    for text in ("yesterday", "2026-13-01", "", "9999-12-31T23:59:59-23:00"):
        with pytest.raises(argparse.ArgumentTypeError, match="is not a date such as"):
            moment(text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [(whole_number, "0"), (whole_number, "9" * 19), (whole_number, "²"), (share, "1.1"), (share, "nan"), (days, "inf")],
)
def test_numbers_out_of_range_are_refused(kind, text):
    with pytest.raises(argparse.ArgumentTypeError):
        kind(text)
