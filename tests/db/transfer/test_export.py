"""Exports: what goes out under which filter, the manifest, and that a file is whole or the old one."""

import hashlib
import json
import resource
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from app.transfer.exporter import export_file as export
from db.errors import ExportError, Refused
from db.ledger import entries as ledger
from db.models import registry
from db.queue import claims as queue
from db.tags import planning as tags
from db.transfer.export import ExportFilter, labelled_questions, manifest_path
from db.transfer.formats import FORMATS
from l2a.data.questions import read_questions
from tests.db.conftest import add_questions
from tests.db.deciding import decide, suggest


def rows(store, **chosen):
    with store.read() as session:
        return list(labelled_questions(session, ExportFilter(**chosen)))


def labels(store, **chosen) -> dict[int, tuple[str, ...]]:
    return {row.question_id: row.tags for row in rows(store, **chosen)}


def test_a_row_says_everything_about_its_question(store, team, questions, live_model):
    question = questions[0]
    suggestion = suggest(store, question, live_model, 电影=8, 纪录片=4, 导演=3, 演员=1)
    receipt = decide(
        store, question, team.li, accepted=["电影"], rejected=["导演"], added=["影评"], suggestion_id=suggestion
    )
    (row,) = rows(store)
    assert (row.question_id, row.source, row.state) == (question, "zhihu", "single")
    assert row.tags == ("电影", "影评")
    assert row.rejected == ("导演",)
    assert row.unjudged == ("纪录片",)  # kept and shown, but neither taken nor refused; 演员 was not shown
    assert row.prior_tags == ("电影", "生活")
    assert row.people == ("li",)
    assert row.entries == (receipt.number,)
    assert row.model_versions == ("v1",)
    assert row.decided_at == receipt.at
    assert row.picks == ("direct",)
    (bare,) = rows(store, rejections=False)
    assert (bare.tags, bare.rejected, bare.unjudged) == (row.tags, (), ())


def test_filters_choose_questions(store, team, questions, live_model):
    first, second, third, fourth = questions[:4]  # the third is of guokr, the others of zhihu
    suggestion = suggest(store, first, live_model, 电影=8)
    one = decide(store, first, team.li, accepted=["电影"], suggestion_id=suggestion)
    two = decide(store, second, team.wang, added=["音乐"])
    store.run(lambda session: queue.set_overlap(session, 2))
    decide(store, third, team.li, added=["音乐", "摇滚"])
    decide(store, third, team.wang, added=["音乐"])
    decide(store, fourth, team.li, added=["旅行"])
    decide(store, fourth, team.wang, added=["美食"])
    store.run(lambda session: ledger.review(session, fourth, team.researcher, ["旅行"]))
    everything = {first: ("电影",), second: ("音乐",), third: ("音乐",), fourth: ("旅行",)}
    assert labels(store) == everything
    assert set(labels(store, people=("wang",))) == {second, third}  # the review of the fourth is zhao's
    assert set(labels(store, sources=("guokr",))) == {third}
    assert set(labels(store, models=("v1",))) == {first}
    assert set(labels(store, states=("conflict",))) == {third}
    assert set(labels(store, reviewed_only=True)) == {fourth}
    # MASI similarity of {音乐, 摇滚} and {音乐}: Jaccard 1/2 times 2/3 for a subset, that is 1/3; of the fourth 0.
    assert set(labels(store, min_agreement=0.33)) == {third}
    assert set(labels(store, min_agreement=0.34)) == set()
    assert set(labels(store, until=two.at)) == {first}
    assert first not in labels(store, since=one.at + timedelta(microseconds=1))


def test_an_export_of_a_past_day_has_the_labels_and_names_of_that_day(store, team, questions):
    then = decide(store, questions[0], team.li, added=["影片"])
    store.run(lambda session: tags.carry_out(session, tags.plan_merge(session, "影片", "电影"), team.admin))
    decide(store, questions[0], team.li, added=["音乐"])
    assert labels(store) == {questions[0]: ("音乐",)}
    assert labels(store, as_of=then.at) == {questions[0]: ("影片",)}
    assert labels(store, as_of=then.at - timedelta(microseconds=1)) == {}


def test_what_was_taken_back_or_redacted_does_not_go_out(store, team, questions, tmp_path):
    kept, undone, redacted = questions[:3]
    decide(store, kept, team.li, added=["电影"])
    receipt = decide(store, undone, team.li, added=["电影"])
    store.run(lambda session: ledger.undo(session, receipt.number, team.li))
    decide(store, redacted, team.li, added=["电影"])
    store.run(lambda session: ledger.redact(session, redacted, team.admin, reason="asked to"))
    assert set(labels(store)) == {kept}
    manifest = export(store, tmp_path / "out.jsonl", "jsonl")
    assert (manifest.rows, manifest.redacted_left_out) == (1, 1)


def test_the_manifest_tells_what_the_file_holds(store, team, questions, live_model, tmp_path):
    suggestion = suggest(store, questions[0], live_model, 电影=8, 导演=4)
    decide(store, questions[0], team.li, accepted=["电影"], rejected=["导演"], suggestion_id=suggestion)
    last = decide(store, questions[1], team.wang, added=["音乐", "摇滚"])
    path = tmp_path / "out.csv"
    export(store, path, "csv", ExportFilter(sources=("zhihu",)))
    manifest = json.loads(manifest_path(path).read_text(encoding="utf-8"))
    assert manifest["file"] == "out.csv"
    assert (manifest["rows"], manifest["labels"], manifest["rejected"]) == (2, 3, 1)
    assert manifest["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert manifest["bytes"] == path.stat().st_size
    assert manifest["filters"] == {
        "sources": ["zhihu"],
        "reviewed_only": False,
        "rejections": True,
        "commented": False,
    }
    assert manifest["last_entry"] == last.number
    assert manifest["model_versions"] == {"v1": 1}
    assert manifest["states"] == {"single": 2}
    assert manifest["schema"] == list(FORMATS["csv"].columns)
    assert datetime.fromisoformat(manifest["created_at"]).tzinfo == UTC


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_reads_back_with_the_same_labels(name, store, team, questions, tmp_path):
    awkward = ["C|C++", "=1+1", "半 角", '引"号', "back\\slash", "__label__x", "100%", "'单引号"]
    for question, tag in zip(questions, awkward, strict=False):
        decide(store, question, team.li, added=[tag, "电影"])
    path = tmp_path / f"out{FORMATS[name].suffix}"
    export(store, path, name)
    assert [question.tags for question in read_questions(path, fmt=name)] == [(tag, "电影") for tag in awkward]


def test_an_export_is_one_snapshot_while_others_write(store, team, tmp_path, monkeypatch):
    monkeypatch.setattr("db.ledger.labelled.QUESTIONS_A_STEP", 10)
    questions = add_questions(store, 60)
    for question in questions[:50]:
        decide(store, question, team.li, added=["电影"])
    begun, written = threading.Event(), threading.Event()

    def write_meanwhile():
        begun.wait()
        for question in (*questions[:5], *questions[40:]):  # read already, still to come, and new
            decide(store, question, team.li, added=["音乐"])
        written.set()

    def progress(done, total):
        begun.set()
        assert written.wait(timeout=60), "an open export must not keep writers out"

    writer = threading.Thread(target=write_meanwhile)
    writer.start()
    manifest = export(store, tmp_path / "out.jsonl", "jsonl", progress=progress)
    writer.join()
    assert manifest.rows == 50
    assert {question.tags for question in read_questions(tmp_path / "out.jsonl")} == {("电影",)}


@contextmanager
def tiny_disk():
    """No file may grow beyond a hundred bytes: the kernel refuses the write, as it does on a full disk.

    Not a fixture: until its end pytest could not write its own report to a file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_failed_export_leaves_the_old_file_and_its_manifest(store, team, questions, tmp_path):
    decide(store, questions[0], team.li, added=["电影"])
    path = tmp_path / "out.jsonl"
    export(store, path, "jsonl")
    before, manifest_before = path.read_bytes(), manifest_path(path).read_bytes()
    decide(store, questions[1], team.li, added=["电影"])
    with tiny_disk(), pytest.raises(ExportError, match="The file that was there before is untouched"):
        export(store, path, "jsonl")
    assert path.read_bytes() == before
    assert manifest_path(path).read_bytes() == manifest_before
    assert not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob(".*.part"))


def test_bad_requests_are_refused(store, tmp_path):
    with pytest.raises(Refused, match="formats are jsonl, csv, parquet"):
        export(store, tmp_path / "out.xls", "xls")
    with pytest.raises(Refused, match="no such state"):
        ExportFilter(states=("done",))
    with pytest.raises(Refused, match="needs a time zone"):
        ExportFilter(since=datetime(2026, 1, 1))
    with pytest.raises(ExportError, match="there is no folder"):
        export(store, tmp_path / "missing" / "out.jsonl", "jsonl")


def test_model_versions_follow_the_suggestions_answered(store, team, questions, live_model):
    old = suggest(store, questions[0], live_model, 电影=8)
    decide(store, questions[0], team.li, accepted=["电影"], suggestion_id=old)
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    store.run(lambda session: registry.promote(session, "v2", team.admin))
    new = suggest(store, questions[1], "v2", 音乐=8)
    decide(store, questions[1], team.li, accepted=["音乐"], suggestion_id=new)
    assert [row.model_versions for row in rows(store)] == [("v1",), ("v2",)]
    assert set(labels(store, models=("v2",))) == {questions[1]}
