"""The import page: what a dry run shows, an export that comes back edited, and files of other tools."""

import json
import os
from pathlib import Path

import pytest
from sqlalchemy import func, select
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.shell.settings import Settings
from app.shell.store import open_store
from app.transfer.exporter import export_file
from app.transfer.importer import import_file
from db.ledger import entries as ledger
from db.ledger import labels
from db.ledger.submission import Submission
from db.store.tables import Entry, Import, PriorLabel, Question, Tag
from tests.app.conftest import ROOT

QUESTIONS = (
    {"id": "1", "title": "胃疼怎么办？", "tags": ["健康"]},
    {"id": "2", "title": "有什么好看的电影？", "tags": ["电影", "生活"]},
    {"id": "3", "title": "怎么学会游泳？", "tags": []},
)
PRODIGY = {"title": "牙疼怎么办？", "tags": ["健康"], "answer": "reject"}


@pytest.fixture
def write(tmp_path):
    def write(name: str, *rows: dict | str) -> Path:
        lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def store(monkeypatch, tmp_path, store_url, write):
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    monkeypatch.setenv("L2A_IMPORT_FOLDER", str(tmp_path))
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "starter"))  # not there, so it is not offered
    opened = open_store(Settings(database=store_url))
    import_file(opened, str(write("first.jsonl", *QUESTIONS)))
    local_visitor(opened, "chen")
    yield opened
    opened.close()


def open_page(path: Path, language: str = "en") -> AppTest:
    """The page with a file on the server chosen."""
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = "chen"
    app.session_state["lang"] = language
    app.switch_page("../pages/queue.py").run()
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(path)).run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    """All that the page says, without the marks that keep Markdown from being read in it."""
    parts = (*app.error, *app.warning, *app.info, *app.success, *app.caption, *app.markdown, *app.text, *app.code)
    return "\n".join(part.value for part in parts).replace("\\", "")


def counts(store) -> tuple[int, ...]:
    """How much of everything that an import can bring is in the store."""
    with store.read() as session:
        tables = (Question, PriorLabel, Tag, Entry, Import)
        return tuple(session.scalar(select(func.count()).select_from(table)) for table in tables)


# --- dry runs --------------------------------------------------------------------------------------------------------


def test_a_dry_run_shows_the_first_rows_as_they_were_read(store, write):
    rows = [{"title": f"第{n}个新问题是什么？", "tags": ["新", f"第{n}"]} for n in range(1, 8)]
    before = counts(store)
    app = press(open_page(write("new.jsonl", *rows)), "queue_dry_run")
    (table,) = (frame.value for frame in app.dataframe)
    assert table["Title"].to_list() == [row["title"] for row in rows[:5]]
    assert [list(tags) for tags in table["Tags"]] == [row["tags"] for row in rows[:5]]
    assert table[""].to_list() == [1, 2, 3, 4, 5]
    said = words(app)
    assert "The first 5 rows, as they were read:" in said
    assert "What an import would do (nothing was stored)" in said
    assert "If this is what you want, press Import." in said
    assert counts(store) == before


def test_the_rows_are_gone_once_the_file_is_imported(store, write):
    app = press(open_page(write("new.jsonl", {"title": "一个新问题是什么？", "tags": ["新"]})), "queue_dry_run")
    press(app, "queue_import")
    assert not app.dataframe
    said = words(app)
    assert "Imported" in said
    assert "nothing was stored" not in said
    assert "press Import" not in said


@pytest.mark.parametrize(
    ("language", "ending", "advice", "elsewhere"),
    [
        (
            "en",
            "Nothing was stored, this is a dry run.",
            "Correct the file and try again, or leave bad lines out by the switch above.",
            ("stored and stay", "press Import", "Imported"),
        ),
        (
            "zh",
            "这是试运行，没有保存任何内容。",
            "请改正文件后再试运行，或打开上面的“跳过坏行”。",
            ("已经保存", "请点“导入”", "导入完成"),
        ),
    ],
)
def test_a_dry_run_that_meets_a_bad_line_says_one_thing(store, write, language, ending, advice, elsewhere):
    path = write("bad.jsonl", {"title": "一个新问题是什么？"}, {"title": 3})
    app = press(open_page(path, language), "queue_dry_run")
    said = words(app)
    (error,) = app.error
    assert "bad.jsonl" in error.value
    assert error.value.endswith(ending)
    assert advice in said
    assert not any(other in said for other in elsewhere)
    assert "skip-bad" not in said
    assert not app.metric
    assert app.button(key="queue_import").disabled


def test_with_bad_lines_left_out_they_are_listed_and_no_command_is_named(store, write):
    path = write("bad.jsonl", {"title": "一个新问题是什么？"}, {"title": 3}, "{not json")
    app = open_page(path)
    app.toggle(key="queue_skip_bad").set_value(True).run()
    press(app, "queue_dry_run")
    assert not app.error
    assert {metric.label: metric.value for metric in app.metric}["Bad lines"] == "2"
    said = words(app)
    assert "2 bad lines, the first 2:" in said
    assert "bad.jsonl, line 2: " in said
    assert "skip-bad" not in said
    assert not app.button(key="queue_import").disabled


@pytest.mark.parametrize(("good", "stored"), [(1, "This run stored nothing."), (400, "rows are stored and stay.")])
def test_an_import_that_stops_says_what_is_stored_in_a_whole_sentence(store, write, good, stored):
    path = write("bad.jsonl", *({"title": f"第{n}个新问题是什么？"} for n in range(good)), {"title": "好"})
    app = press(open_page(path), "queue_dry_run")
    changed = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace('"好"', "33333"), encoding="utf-8")  # as many bytes
    os.utime(path, ns=(changed.st_atime_ns, changed.st_mtime_ns))
    press(app, "queue_import")
    (error,) = app.error
    assert error.value.endswith(stored)
    said = words(app)
    assert "dry run." not in said
    assert "skip-bad" not in said
    assert "Correct the file and import it again, nothing comes in twice" in said


# --- an export of our own, edited elsewhere --------------------------------------------------------------------------


@pytest.fixture
def edited(store, tmp_path) -> Path:
    """Two decided questions, of which one has another tag by now."""
    li = local_visitor(store, "li").id
    for question, tag in ((1, "健康"), (2, "电影")):
        submission = Submission(question, li, {tag: "added"})
        store.run(lambda session, submission=submission: ledger.submit(session, submission))
    path = tmp_path / "labels.jsonl"
    export_file(store, path, "jsonl")
    content = path.read_text(encoding="utf-8")
    assert content.count('"tags": ["健康"]') == 1
    path.write_text(content.replace('"tags": ["健康"]', '"tags": ["医院"]'), encoding="utf-8")
    return path


def test_an_edited_export_says_how_many_rows_carry_other_labels(store, edited):
    before = counts(store)
    app = press(open_page(edited), "queue_dry_run")
    numbers = {metric.label: metric.value for metric in app.metric}
    assert (numbers["Duplicates"], numbers["New questions"]) == ("2", "0")
    (warning,) = app.warning
    assert warning.value.startswith("1 of the duplicates carry other labels than the store, which stays as it is.")
    assert "switch on “Record other labels as my decisions”" in warning.value
    assert counts(store) == before
    press(app, "queue_import")
    assert [shown.value for shown in app.warning] == [warning.value]
    assert counts(store)[:4] == before[:4]


def test_by_the_switch_they_become_the_visitors_decisions_with_receipts(store, edited):
    before = counts(store)
    app = open_page(edited)
    app.toggle(key="queue_record").set_value(True).run()
    press(app, "queue_dry_run")
    assert [info.value for info in app.info] == [
        "1 of the duplicates carry other labels; they would become your decisions."
    ]
    assert counts(store) == before
    press(app, "queue_import")
    with store.read() as session:
        opinions = labels.look_at(session, 1).settled.opinions
    assert [(line.person_id, [verdict.text for verdict in line.verdicts]) for line in opinions] == [
        (local_visitor(store, "li").id, ["健康"]),
        (local_visitor(store, "chen").id, ["医院"]),
    ]
    receipt = opinions[-1].number
    assert [info.value for info in app.info] == [
        f"1 of the duplicates carried other labels; they are your decisions now, receipts {receipt} to {receipt}. "
        "The history page takes them back."
    ]
    assert not app.warning


# --- files of other tools --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("prodigy.jsonl", [PRODIGY]),
        ("prodigy.csv", ["title,tags,answer", "牙疼怎么办？,健康,reject"]),
    ],
)
def test_a_file_of_prodigy_is_refused_by_name_and_nothing_is_stored(store, write, name, rows, skip_bad):
    before = counts(store)
    app = open_page(write(name, *rows))
    app.toggle(key="queue_skip_bad").set_value(skip_bad).run()
    press(app, "queue_dry_run")
    (error,) = app.error
    assert f"{name}, line " in error.value
    assert "this looks like a file of Prodigy, which cannot be read as it is." in error.value
    assert "Correct the file and try again" not in words(app)  # no line of it is any good
    assert not app.metric
    assert app.button(key="queue_import").disabled
    assert counts(store) == before
