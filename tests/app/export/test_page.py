"""The export page and what stands behind it: filters, preview, counts, files that clean up, the difference."""

import gc
import io
import json
import os
import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from app.entry.labels_seen import STATES
from app.export import contents, earlier, file_head, files, filters, formats
from app.shell.i18n import TEXTS, translate
from app.shell.settings import ROOT
from db import people
from db.queue import claims as queue
from db.store import schema
from db.store.engine import Store
from db.transfer.export import STATES as EXPORT_STATES
from db.transfer.export import ExportFilter
from db.transfer.formats import FORMATS
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.data.questions import read_questions
from l2a.errors import InputError
from tests.db.actions import decide, undo

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture
def store(tmp_path, monkeypatch, tagger):
    """Six questions; li decided about the first four, and wang does not agree about the second."""
    url = f"sqlite:///{tmp_path / 'l2a.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    with Store(url) as opened:
        schema.prepare(opened)
        rows = [
            IncomingQuestion(line=n, title=f"=问题<b>{n}</b>", source="ab"[n % 2], external_id=f"x{n}")
            for n in range(1, 7)
        ]
        import_questions(opened, rows, name="six", fingerprint="six")
        opened.run(fill)
        yield opened


def fill(session):
    chen = people.add(session, "chen", "admin").id
    for name, role in {"zhao": "researcher", "li": "moderator", "wang": "moderator"}.items():
        people.add(session, name, role, by=chen)
    queue.set_overlap(session, 2)


@pytest.fixture
def decided(store):
    ids = {}
    with store.read() as session:
        ids = {person.name: person.id for person in people.everyone(session)}
    receipts = [decide(store, question, ids["li"], "电影", "生活") for question in (1, 2, 3, 4)]
    decide(store, 2, ids["wang"], "电影")
    return ids, receipts


def open_export(name: str = "zhao", **filters) -> AppTest:
    page = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    page.session_state["as"] = name
    page.context["timezone"] = "Asia/Shanghai"
    page.switch_page("../pages/export.py")
    page.run()
    assert not page.exception
    return page


def shown(page: AppTest) -> str:
    return "\n".join(element.value for element in [*page.markdown, *page.caption, *page.info])


def test_the_filter_means_the_visitors_days():
    chosen = filters.chosen_filter(
        SHANGHAI,
        since=date(2026, 1, 1),
        until=date(2026, 1, 31),
        as_of=date(2026, 2, 1),
        min_agreement=0.0,
        people=["li"],
        states=[],
        reviewed_only=False,
    )
    assert chosen == ExportFilter(
        since=datetime(2025, 12, 31, 16, tzinfo=UTC),
        until=datetime(2026, 1, 31, 16, tzinfo=UTC),
        as_of=datetime(2026, 2, 1, 15, 59, 59, 999999, tzinfo=UTC),
        people=("li",),
    )


def test_every_format_has_a_name_and_the_stores_own_sentence():
    assert list(formats.FORMAT_NAMES) == list(formats.ESCAPES) == list(FORMATS)
    assert {name: translate("en", key) for name, key in formats.ESCAPES.items()} == {
        name: entry.escape for name, entry in FORMATS.items()
    }
    assert all(TEXTS[STATES[state]] for state in EXPORT_STATES)


def test_counts_and_preview(store, decided):
    summary = contents.count(store, ExportFilter())
    assert (summary.rows, summary.labels, dict(summary.states)) == (4, 7, {"single": 3, "conflict": 1})
    found = contents.preview(store, ExportFilter(sources=("b",)))
    assert ([row.external_id for row in found.rows], found.cut) == (["x1", "x3"], False)
    table = contents.preview_table(found.rows, SHANGHAI, lambda key, **values: translate("en", key, **values))
    assert list(table) == list(contents.COLUMNS)
    assert (table["state"], table["tags"][0]) == (["one opinion"] * 2, ["电影", "生活"])


def test_a_preview_stops_when_its_time_is_up(store, decided):
    assert contents.preview(store, ExportFilter(states=("reviewed",)), seconds=-1) == contents.Preview((), cut=True)


@pytest.mark.parametrize("name", FORMATS)
def test_a_prepared_file_is_whole_and_goes_with_its_owner(store, decided, name):
    steps = []
    prepared = files.prepare(store, ExportFilter(), name, 9, lambda done, total: steps.append((done, total)))
    path = prepared.path
    assert path.name == f"l2a-{name}-9{FORMATS[name].suffix}"
    assert len(list(read_questions(path, fmt=name))) == 4
    assert json.loads(prepared.manifest_text()) == prepared.manifest_values
    assert steps == [(4, 4)]
    button = prepared.open  # what a download button holds on to
    del prepared
    gc.collect()
    with button() as stream:
        assert len(stream.read()) == path.stat().st_size
    del button
    gc.collect()
    assert not path.parent.exists()


def test_a_preparation_that_is_broken_off_leaves_nothing(store, decided, monkeypatch, tmp_path):
    class Rerun(BaseException):
        pass

    def stop(done, total):
        raise Rerun

    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(Rerun):
        files.prepare(store, ExportFilter(), "jsonl", 9, stop)
    assert not list(tmp_path.glob("l2a-export-*"))


def test_what_a_killed_server_left_is_removed_after_a_day(store, decided, monkeypatch, tmp_path):
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    old, fresh = tmp_path / "l2a-export-old", tmp_path / "l2a-export-fresh"
    for folder in (old, fresh):
        folder.mkdir()
    os.utime(old, (0, 0))
    prepared = files.prepare(store, ExportFilter(), "jsonl", 9)
    assert (old.exists(), fresh.exists(), prepared.path.exists()) == (False, True, True)


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet", "label-studio", "doccano", "fasttext"])
def test_the_difference_to_an_earlier_export_of_any_format(store, decided, name):
    ids, receipts = decided
    older = files.prepare(store, ExportFilter(), name, 9)
    undo(store, receipts[2], ids["li"])
    decide(store, 1, ids["li"], "电影")
    decide(store, 5, ids["li"], "音乐")
    with older.open() as stream:
        found = earlier.difference(store, ExportFilter(), stream, older.path.name)
    counts = found.counts
    assert (counts.added, counts.removed, counts.changed, counts.same, found.bad) == (1, 1, 1, 2, 0)
    assert [(one.change, one.plus, one.minus) for one in found.first if one.change == "changed"] == [
        ("changed", (), ("生活",))
    ]


def test_a_file_that_is_no_export_is_refused_by_its_own_name(store, decided):
    with pytest.raises(InputError, match=r"mine\.jsonl"):
        earlier.difference(store, ExportFilter(), io.BytesIO(b"no\nexport\n"), "mine.jsonl")
    with pytest.raises(InputError, match="an earlier export ends in"):
        earlier.difference(store, ExportFilter(), io.BytesIO(b""), "mine.gz")


def test_only_researchers_and_admins_come_in(store, decided):
    page = open_export("li")
    assert not page.download_button
    assert not [box for box in page.selectbox if box.key == "export_format"]
    assert open_export("chen").download_button(key="export_download")


def test_a_small_export_is_one_click_away(store, decided):
    page = open_export()
    assert "4 questions · 7 labels · 0 rejections" in shown(page)
    assert json.loads(page.code[0].value.splitlines()[0])["id"] == "x1"
    page.segmented_control(key="export_look").set_value("table").run()
    assert list(page.dataframe[0].value["id"]) == ["x1", "x2", "x3", "x4"]
    assert "l2a-jsonl-" in page.download_button(key="export_download").label
    page.selectbox(key="export_format").set_value("csv").run()
    assert "apostrophe" in shown(page)
    assert "Excel" in shown(page)
    assert "l2a-csv-" in page.download_button(key="export_download").label
    assert json.loads(page.json[0].value)["rows"] == 4


def test_filters_change_counts_and_file(store, decided):
    page = open_export()
    page.multiselect(key="export_states").set_value(["conflict"]).run()
    assert "1 questions · 1 labels" in shown(page)
    assert json.loads(page.json[0].value)["filters"]["states"] == ["conflict"]
    page.toggle(key="export_reviewed_only").set_value(True).run()
    assert "No question passes the filters" in shown(page)
    assert not page.exception


def test_a_large_export_waits_to_be_asked(store, decided, monkeypatch):
    monkeypatch.setattr(files, "SMALL", 2)
    page = open_export()
    assert not page.download_button
    assert [json.loads(line)["id"] for line in page.code[0].value.splitlines()] == ["x1", "x2", "x3", "x4"]
    assert "the order may differ" in shown(page)
    page.button(key="export_count").click().run()
    assert "4 questions · 7 labels" in shown(page)
    page.button(key="export_prepare").click().run()
    label = page.download_button(key="export_download").label
    decide(store, 5, decided[0]["li"], "音乐")
    page.run()  # the file is not thrown away for one more decision, but the page says so
    assert page.download_button(key="export_download").label == label
    assert "there are newer entries" in shown(page)
    assert "4 questions · 7 labels" in shown(page)
    page.button(key="export_prepare").click().run()
    assert page.download_button(key="export_download").label != label
    page.button(key="export_count").click().run()
    assert "5 questions · 8 labels" in shown(page)
    page.selectbox(key="export_format").set_value("parquet").run()
    assert not page.download_button
    assert "prepare the file again" in shown(page)
    assert "5 questions · 8 labels" in shown(page)  # still known: the filter is the same


def test_an_upload_is_compared(store, decided):
    page = open_export()
    older = b'{"id": "x1", "title": "t", "tags": ["\xe7\x94\xb5\xe5\xbd\xb1"]}\n{"id": "gone", "title": "<b>g</b>"}\n'
    page.file_uploader(key="export_older").set_value(("older.jsonl", older, "application/json")).run()
    assert not page.exception
    assert "3 added · 1 removed · 1 with other labels · 0 the same (recognised by id)" in shown(page)
    page.file_uploader(key="export_older").set_value(("older.jsonl", b"nonsense", "application/json")).run()
    assert "Not done: older.jsonl" in page.error[0].value
    assert page.download_button(key="export_download")  # the rest of the page stands


def test_an_empty_store_says_so(store):
    page = open_export()
    assert "No question passes the filters" in shown(page)
    assert not page.exception


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "parquet"])
def test_the_preview_is_the_beginning_of_the_file(store, decided, name):
    decide(store, 5, decided[0]["li"], "音乐", comment='两行\n"引号"')
    prepared = files.prepare(store, ExportFilter(), name, 9)
    whole = prepared.path.read_bytes().decode("utf-8-sig")
    for rows in (1, 2, 3):
        with prepared.open() as stream:
            begins = file_head.head(stream, name, rows)
        assert whole.startswith(begins.text)
        titles = re.sub(" ", "", begins.text)  # fastText's words stand apart
        assert sum(f"问题<b>{n}</b>" in titles for n in range(1, 7)) == rows
        assert begins.text.endswith("\n")
    if name not in formats.REORDERED:  # before there is a file the rows are the same
        found = contents.preview(store, ExportFilter()).rows
        assert whole.startswith(file_head.rehearsal(found, name, 3).text.removesuffix("]\n").rstrip())


def test_the_preview_of_a_parquet_file_is_its_table(store, decided):
    prepared = files.prepare(store, ExportFilter(), "parquet", 9)
    with prepared.open() as stream:
        table = file_head.head(stream, "parquet", 2).table
    assert table.schema.names == list(FORMATS["parquet"].columns)
    assert table["id"].to_pylist() == ["x1", "x2"]
    page = open_export()
    page.selectbox(key="export_format").set_value("parquet").run()
    assert list(page.dataframe[0].value.columns) == list(FORMATS["parquet"].columns)
    assert not page.exception


def test_flagged_questions_can_be_held_back_and_formats_without_room_say_so(store, decided):
    decide(store, 5, decided[0]["li"], "音乐", flag="重复", comment="见 1 号")
    page = open_export()
    assert "1 flagged · 1 with comments · 0 held back" in shown(page)
    assert "no place for flags" not in shown(page)
    page.selectbox(key="export_flagged").set_value("without").run()
    assert "4 questions" in shown(page)
    assert "0 flagged · 0 with comments · 1 held back" in shown(page)
    manifest = json.loads(page.json[0].value)
    assert (manifest["filters"]["flagged"], manifest["flagged_held_back"]) == (False, 1)
    page.selectbox(key="export_flagged").set_value("only").run()
    page.toggle(key="export_commented").set_value(True).run()
    assert json.loads(page.code[0].value)["comments"] == ["见 1 号"]
    page.selectbox(key="export_format").set_value("fasttext").run()
    assert "no place for flags and comments" in shown(page)
    assert not page.exception
