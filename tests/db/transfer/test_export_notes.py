"""Flags and comments go out with the labels, come back in, and never get lost in silence."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from app.transfer.exporter import export_file as export
from app.transfer.importer import import_file
from db.ledger import entries as ledger
from db.transfer.export import ExportFilter, labelled_questions, manifest_path
from db.transfer.formats import FORMATS
from l2a.data.questions import read_questions
from tests.db.actions import look
from tests.db.deciding import decide

HOLDING = ("jsonl", "csv", "parquet", "label-studio", "doccano")
ODD = "=算了|吧\n'第二行\\"


@pytest.fixture
def noted(store, team, questions) -> list[int]:
    """Three decided questions: flagged and commented on, commented on by two, and neither."""
    first, second, third = questions[:3]
    decide(store, first, team.li, added=["电影"], flag="广告或灌水", comment=ODD)
    decide(store, second, team.li, added=["音乐"], comment="拿不准")
    decide(store, second, team.wang, added=["摇滚"])
    store.run(lambda session: ledger.review(session, second, team.researcher, ["音乐"], comment="听过了"))
    decide(store, third, team.wang, added=["旅行"])
    return [first, second, third]


def rows(store, **chosen) -> dict[int, object]:
    with store.read() as session:
        return {row.question_id: row for row in labelled_questions(session, ExportFilter(**chosen))}


def notes(row) -> tuple:
    return row.flags, row.flagged_by, row.comments, row.commented_by


def test_a_row_says_who_flagged_it_and_who_said_what(store, noted):
    found = rows(store)
    assert notes(found[noted[0]]) == (("广告或灌水",), ("li",), (ODD,), ("li",))
    assert notes(found[noted[1]]) == ((), (), ("拿不准", "听过了"), ("li", "zhao"))
    assert notes(found[noted[2]]) == ((), (), (), ())


def test_what_was_taken_back_or_changed_is_said_no_longer(store, team, noted):
    decide(store, noted[0], team.li, added=["电影"])
    assert notes(rows(store)[noted[0]]) == ((), (), (), ())


def test_flags_and_comments_as_they_were_on_a_past_day(store, team, noted):
    then = rows(store)[noted[0]].decided_at
    decide(store, noted[0], team.li, added=["电影"])
    assert notes(rows(store, as_of=then)[noted[0]])[0] == ("广告或灌水",)


def test_flagged_questions_are_held_back_or_asked_for(store, noted):
    assert list(rows(store)) == noted
    assert list(rows(store, flagged=False)) == noted[1:]
    assert list(rows(store, flagged=True)) == noted[:1]
    assert list(rows(store, commented=True)) == noted[:2]
    assert list(rows(store, commented=True, flagged=False)) == noted[1:2]


def test_the_manifest_counts_them_and_says_where_they_have_no_place(store, noted, tmp_path):
    path = tmp_path / "out"
    for name, written in FORMATS.items():
        export(store, path, name)
        manifest = json.loads(manifest_path(path).read_text(encoding="utf-8"))
        assert (manifest["flagged"], manifest["commented"], manifest["flagged_held_back"]) == (1, 2, 0)
        assert manifest["flags_and_comments_in_file"] == written.keeps_notes == (name in HOLDING)
    export(store, path, "jsonl", ExportFilter(flagged=False))
    manifest = json.loads(manifest_path(path).read_text(encoding="utf-8"))
    assert (manifest["rows"], manifest["flagged"], manifest["flagged_held_back"]) == (2, 0, 1)
    assert manifest["filters"]["flagged"] is False


def test_every_format_that_can_holds_them(store, noted, tmp_path):
    def written(name: str) -> bytes:
        export(store, tmp_path / "out", name)
        return (tmp_path / "out").read_bytes()

    wanted = {"flags": ["广告或灌水"], "flagged_by": ["li"], "comments": [ODD], "commented_by": ["li"]}

    def of(row: dict) -> dict:
        return {name: row[name] for name in wanted}

    assert of(json.loads(written("jsonl").splitlines()[0])) == wanted
    assert of(json.loads(written("doccano").splitlines()[0])["meta"]) == wanted
    assert of(json.loads(written("label-studio"))[0]["meta"]) == wanted
    assert of(pq.read_table(io.BytesIO(written("parquet"))).to_pylist()[0]) == wanted
    (first, *_) = csv.DictReader(io.StringIO(written("csv").decode("utf-8-sig"), newline=""))
    assert (first["flags"], first["flagged_by"]) == ("广告或灌水", "li")
    assert first["comments"] == "'=算了\\|吧\n'第二行\\\\"


def test_they_are_read_back_from_every_format_that_holds_them(store, team, noted, tmp_path):
    for name, written in FORMATS.items():
        path = tmp_path / f"{name}{written.suffix}"
        export(store, path, name)
        read = {question.id: question for question in read_questions(path)}
        for row in rows(store).values():
            question = read.get(row.external_id)
            if name in HOLDING:
                assert question.flags == tuple(zip(row.flagged_by, row.flags, strict=True))
                assert question.comments == tuple(zip(row.commented_by, row.comments, strict=True))
            elif question is not None:
                assert (question.flags, question.comments) == ((), ())
        # Our own export, read into the same store, says nothing new, whoever brings it.
        for record_as in (None, team.wang) if name in HOLDING else ():
            stored = import_file(store, str(path), record_as=record_as).stored
            assert (stored.duplicates, stored.relabelled, stored.noted, stored.recorded) == (3, 0, 0, 0)


def empty_copy(url: str):
    from db import people
    from db.store import schema
    from db.store.engine import Store

    opened = Store(url)
    schema.prepare(opened)
    person = opened.run(lambda session: people.add(session, "zhao", "admin")).id
    return opened, person


def test_in_another_store_they_are_counted_and_become_part_of_decisions(store, noted, empty_url, tmp_path):
    path = tmp_path / "out.csv"
    export(store, path, "csv")
    other, zhao = empty_copy(empty_url)
    with other:
        for dry_run in (True, False):
            stored = import_file(other, str(path), dry_run=dry_run).stored
            assert (stored.added, stored.noted, stored.recorded) == (3, 2, 0)  # two rows with notes: not stored, said
        dry = import_file(other, str(path), record_as=zhao, dry_run=True).stored
        assert (dry.duplicates, dry.noted) == (3, 2)
        stored = import_file(other, str(path), record_as=zhao).stored
        assert (stored.duplicates, stored.noted, stored.recorded) == (3, 2, 2)
        found = list(rows(other).values())
        assert {(row.flags, row.comments) for row in found} == {
            (("广告或灌水",), (f"li: {ODD}",)),
            ((), ("li: 拿不准\n听过了",)),
        }
        assert {look(other, row.question_id).settled.tags for row in found} == {("电影",), ("音乐",)}
        again = import_file(other, str(path), record_as=zhao, source="again").stored  # another fingerprint
        assert (again.noted, again.recorded) == (0, 0)


def test_columns_of_the_same_name_in_other_files_are_not_taken_for_ours(tmp_path):
    file = tmp_path / "other.jsonl"
    lines = [
        {"title": "甲", "comments": 12, "flags": "NL"},
        {"title": "乙", "comments": [{"text": "x"}], "flags": ["a"]},
        {"title": "丙", "comments": ["x"], "commented_by": ["li", "wang"]},
    ]
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    assert [(q.title, q.flags, q.comments) for q in read_questions(file)] == [
        ("甲", (), ()),
        ("乙", (), ()),
        ("丙", (), ()),
    ]
    table = tmp_path / "other.csv"
    table.write_text("title,comments,flags\n甲,12,NL\n", encoding="utf-8")
    assert [(q.flags, q.comments) for q in read_questions(table)] == [((), ())]
