"""`export`: formats, filters, round trip, and disks that have no room."""

import errno
import io
import json
import os
import re
import shutil
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from app.commands.labels import export as command
from app.shell.settings import ROOT
from db.store.engine import Store
from db.store.tables import PriorLabel, Question
from db.transfer.formats import FORMATS
from tests.app.commands.conftest import QUESTIONS, submit

ODD_TAGS = ["C++", "a|b", "=SUM(A1)", "100%", "back\\slash", "two words", "“引号”", "'quoted"]


@pytest.fixture(scope="module")
def decided_template(filled_template, tmp_path_factory):
    file, team = filled_template
    copy = shutil.copy(file, tmp_path_factory.mktemp("decided") / "store.db")
    with Store(f"sqlite:///{copy}") as store:
        submit(store, team, 1, "li", *ODD_TAGS)
        submit(store, team, 2, "li", "跑步", "健康")
        submit(store, team, 2, "wang", "跑步")
        submit(store, team, 4, "wang", "电影")
    return copy


@pytest.fixture
def decided(decided_template, path):
    """Three questions with labels: one with odd tags, one in conflict, one by wang alone."""
    shutil.copy(decided_template, path)


def rows(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("decided")
def test_fasttext_has_the_words_of_the_engine(answer, tmp_path):
    answer("export", tmp_path / "labels.fasttext")
    assert (tmp_path / "labels.fasttext").read_text(encoding="utf-8").splitlines()[2] == (
        "__label__电影 ▁ 有 什么 好看 的 电影 ？"
    )


@pytest.mark.usefixtures("decided")
def test_the_labels_and_a_manifest_are_written_and_summed_up(answer, tmp_path):
    file = tmp_path / "labels.jsonl"
    out = answer("export", file)
    # Of question 2 li's opinion is the answer, and wang's came second.
    assert [(row["id"], row["tags"]) for row in rows(file)] == [
        ("a1", ODD_TAGS),
        ("a2", ["跑步", "健康"]),
        ("b2", ["电影"]),
    ]
    manifest = json.loads((tmp_path / "labels.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert out.startswith(
        f"{file}: 3 questions, 11 labels, 0 rejections\n  format jsonl, {manifest['bytes']:,} bytes, "
    )
    assert manifest["sha256"] in out
    assert "  states: conflict 1, single 2\n" in out
    assert "filters" not in out


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_comes_back_as_prior_labels_of_a_fresh_store(answer, tmp_path, template, name):
    file = tmp_path / f"labels{FORMATS[name].suffix}"
    answer("export", file, "--format", name)
    shutil.copy(template, tmp_path / "fresh.db")
    url = f"sqlite:///{tmp_path / 'fresh.db'}"
    assert ": 3 added, 0 duplicates, 0 bad; 11 prior labels" in answer("import", file, "--database", url)
    with Store(url) as fresh, fresh.read() as session:
        found = {}
        for title, tag in session.execute(
            select(Question.title, PriorLabel.text)
            .join(PriorLabel, PriorLabel.question_id == Question.id)
            .order_by(Question.id, PriorLabel.place)
        ):
            found.setdefault(title, []).append(tag)
        ids = list(session.scalars(select(Question.external_id).order_by(Question.id)))
    titles = [question["title"] for question in QUESTIONS]
    if name == "fasttext":  # which has no place for ids, and one text only
        assert ids == ["", "", ""]
        titles[1] += " 体重一百七。"
    else:
        assert ids == ["a1", "a2", "b2"]
    assert found == {titles[0]: ODD_TAGS, titles[1]: ["跑步", "健康"], titles[3]: ["电影"]}


def test_the_document_states_each_escape_as_its_format_does():
    shown = re.sub(r"\\([\\|_])", r"\1", (ROOT / "docs" / "operations.md").read_text(encoding="utf-8"))
    assert [name for name in FORMATS if f"| `{name}` |" not in shown or FORMATS[name].escape not in shown] == []


def test_the_formats_of_the_command_line_are_those_of_the_store():
    assert tuple(FORMATS) == command.FORMATS
    assert set(command.BY_SUFFIX.values()) <= set(FORMATS)
    assert {FORMATS[name].suffix for name in FORMATS} <= set(command.BY_SUFFIX)


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--person", "wang"], ["b2"]),  # of question 2 li's answer counts
        (["--person", "wang", "--person", "li"], ["a1", "a2", "b2"]),
        (["--source", "guokr"], ["b2"]),
        (["--source", "guokr", "--source", "zhihu"], ["a1", "a2", "b2"]),
        (["--state", "single"], ["a1", "b2"]),
        (["--state", "single", "--state", "conflict"], ["a1", "a2", "b2"]),
        (["--min-agreement", "0.1"], ["a2"]),
        (["--min-agreement", "1"], []),
        (["--reviewed-only"], []),
        (["--since", "2020-01-01"], ["a1", "a2", "b2"]),
        (["--until", "2020-01-01"], []),
        (["--as-of", "2020-01-01T00:00:00Z"], []),
    ],
)
def test_filters(answer, tmp_path, options, ids):
    file = tmp_path / "labels.jsonl"
    out = answer("export", file, *options)
    assert [row["id"] for row in rows(file)] == ids
    assert f"  filters: {options[0].strip('-').replace('-', '_')[:5]}" in out.replace("people", "person")


def test_a_model_and_rejections_can_be_chosen(answer, decide, suggested, tmp_path):
    decide(1, "li", "-计算机", suggestion_id=suggested)
    decide(2, "li", "跑步")
    file = tmp_path / "labels.jsonl"
    assert "1 questions, 0 labels, 1 rejections" in answer("export", file, "--model", "v1")
    (row,) = rows(file)
    assert (row["rejected"], row["unjudged"], row["model_versions"]) == (["计算机"], ["编程"], ["v1"])
    answer("export", file, "--model", "v1", "--no-rejections")
    assert (rows(file)[0]["rejected"], rows(file)[0]["unjudged"]) == ([], [])


def test_a_date_is_midnight_here(answer, decide, tmp_path):
    decide(1, "li", "编程")
    today = datetime.now().date()
    file = tmp_path / "labels.jsonl"
    assert "1 questions" in answer("export", file, "--since", today - timedelta(1), "--until", today + timedelta(2))
    assert "0 questions" in answer("export", file, "--since", today + timedelta(2))


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["labels.docx"], "labels.docx: the suffix names no format. Pass --format with one of jsonl, csv, parquet,"),
        (["labels.jsonl.gz"], "labels.jsonl.gz: exports are not compressed."),
        (["labels.csv", "--person", "sun"], "There is no person called sun. Known: chen, zhao, li, wang."),
        (["labels.csv", "--model", "v9"], "There is no model version v9."),
        (["labels.csv", "--state", "done"], "done: no such state. The states are single, agreed, conflict, reviewed."),
        (["nowhere/labels.csv"], "nowhere/labels.csv: there is no folder"),
        (["."], ".: the suffix names no format."),
    ],
)
def test_what_makes_no_sense_is_refused(refusal, tmp_path, monkeypatch, options, complaint):
    monkeypatch.chdir(tmp_path)
    assert refusal("export", *options).startswith(complaint)
    assert [file.name for file in tmp_path.iterdir() if "labels" in file.name] == []


class FullDisk(io.BytesIO):
    def write(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
def test_on_a_full_disk_the_old_file_and_its_manifest_stay(answer, refusal, tmp_path, monkeypatch, name):
    file = tmp_path / f"labels.{name}"
    answer("export", file, "--person", "wang")
    before = {path: path.read_bytes() for path in (file, tmp_path / f"labels.{name}.manifest.json")}

    def open_on_full_disk(path, mode):
        open(path, mode).close()
        return FullDisk()

    monkeypatch.setattr("db.transfer.files.open", open_on_full_disk, raising=False)
    assert refusal("export", file) == (
        f"{file}: could not be written (No space left on device). The file that was there before is untouched. "
        "Free some space on that disk, or export to another one."
    )
    assert {path: path.read_bytes() for path in before} == before
    assert list(tmp_path.glob(".export-*")) == []


@pytest.fixture
def noted(decide):
    """Two decided questions, of which the first is flagged and commented on."""
    decide(1, "li", "编程", flag="广告", comment="看不懂")
    decide(2, "li", "跑步")


@pytest.mark.usefixtures("noted")
def test_flags_and_comments_are_counted_filtered_and_held_back(answer, refusal, tmp_path):
    file = tmp_path / "labels.jsonl"
    assert "  1 flagged, 1 with comments\n" in answer("export", file)
    assert [(row["flags"], row["comments"]) for row in rows(file)] == [(["广告"], ["看不懂"]), ([], [])]
    for options, ids in (("--flagged", ["a1"]), ("--without-flagged", ["a2"]), ("--commented", ["a1"])):
        out = answer("export", file, options)
        assert [row["id"] for row in rows(file)] == ids
        assert ("1 flagged questions held back" in out) == (options == "--without-flagged")
    assert "has no place for flags and comments" in answer("export", tmp_path / "labels.txt")


@pytest.mark.usefixtures("noted")
def test_flags_and_comments_of_our_own_export_are_not_dropped_in_silence(answer, tmp_path, template):
    file = tmp_path / "labels.csv"
    answer("export", file)
    shutil.copy(template, tmp_path / "fresh.db")
    fresh = ("--database", f"sqlite:///{tmp_path / 'fresh.db'}")
    answer("people", "add", "zhao", "--role", "admin", *fresh)
    out = answer("import", file, *fresh)
    assert "1 rows carry flags or comments that the store does not have; 1 were not stored" in out
    assert "would become zhao's decisions" in answer("import", file, "--as", "zhao", "--dry-run", *fresh)
    assert "1 of them are zhao's decisions now" in answer("import", file, "--as", "zhao", *fresh)
    answer("export", tmp_path / "again.jsonl", *fresh)
    (row,) = rows(tmp_path / "again.jsonl")
    assert (row["flags"], row["comments"], row["commented_by"]) == (["广告"], ["li: 看不懂"], ["zhao"])
