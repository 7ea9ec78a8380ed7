"""`memory`: what is kept of the decisions, and making it anew."""

import json
from dataclasses import replace

import pytest

from app.memory import cache, taking_in
from l2a.checkpoint import save_tagger
from tests.l2a.ranking.priors import prior_of
from tests.learning_store import make_live


@pytest.fixture(scope="module")
def with_ranker(tiny_tagger, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranking") / "model"
    save_tagger(replace(tiny_tagger, prior=prior_of({"votes.share": 3.0, "precedents.share": 4.0})), folder)
    return folder


def version_of(folder) -> str:
    return json.loads((folder / "config.json").read_text())["version"]


@pytest.fixture
def live(filled, store, with_ranker) -> str:
    make_live(store, version_of(with_ranker), str(with_ranker), filled.chen)
    return version_of(with_ranker)


def test_what_is_kept_and_how_far_behind_it_is(answer, live, decide, path):
    decide(1, "li", "编程")
    number = decide(4, "wang", "电影")
    assert (
        answer("memory", "status")
        .splitlines()[1]
        .endswith("is not there, or cannot be used; it is made when the app needs it")
    )
    (model, file, decisions, entry, ranker) = answer("memory", "rebuild").splitlines()
    assert model == f"model\t{live}"
    assert file.split("\t")[1] == str(next((path.parent / "memory").glob(f"*-{live}.safetensors")))
    assert file.endswith(" MB")
    assert decisions == "decisions\t2"
    assert entry.startswith(f"entry\t{number}, 20")
    assert entry.endswith("\t0 behind")
    assert ranker == "ranker\tfitted on 0 decisions"
    decide(2, "li", "跑步")
    assert answer("memory", "status").splitlines()[3].endswith("\t1 behind")
    assert answer("memory", "rebuild").splitlines()[2] == "decisions\t3"


def test_rebuilding_does_not_read_what_is_kept(answer, live, decide, monkeypatch):
    decide(1, "li", "编程")
    answer("memory", "rebuild")
    built, build = [], taking_in.build
    monkeypatch.setattr(taking_in, "build", lambda *args, **options: (built.append(1), build(*args, **options)))
    answer("memory", "rebuild")
    assert built == [1]


def test_a_damaged_file_is_said_and_made_anew(call, answer, live, decide, path):
    decide(1, "li", "编程")
    answer("memory", "rebuild")
    (file,) = (path.parent / "memory").iterdir()
    file.write_bytes(b"x" * 100)
    assert "cannot be used" in call("memory", "status")[1]
    assert answer("memory", "rebuild").splitlines()[2] == "decisions\t1"


def test_what_cannot_be_remembered_is_said(refusal, filled, store, tiny_model, answer, monkeypatch, tmp_path):
    assert refusal("memory", "status").startswith("No model is live")
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "gone"))
    assert "There is no model folder" in refusal("memory", "rebuild")
    make_live(store, version_of(tiny_model), str(tiny_model), filled.chen)
    for action in ("status", "rebuild"):
        assert "has no ranker" in refusal("memory", action)


def test_a_file_that_cannot_be_written_is_said(refusal, live, decide, path):
    decide(1, "li", "编程")
    (path.parent / "memory").write_text("a file where the folder should be")
    assert "could not be written" in refusal("memory", "rebuild")


def test_a_redaction_removes_what_is_kept(answer, live, decide, path):
    decide(1, "li", "编程")
    answer("memory", "rebuild")
    assert list((path.parent / "memory").iterdir())
    answer("redact", "1", "--reason", "asked for", "--yes")
    assert not list((path.parent / "memory").iterdir())
    assert answer("memory", "rebuild").splitlines()[2] == "decisions\t0"


def test_suggestions_that_are_worked_out_ahead_know_the_decisions(answer, live, decide, store, path):
    from db.models import decodings, suggestions

    number = decide(1, "li", "编程")
    assert answer("suggest").startswith(f"3 questions have suggestions of {live} now; 0 are left.")
    with store.read() as session:
        found = suggestions.fresh(session, 2)
        assert decodings.find(session, 2, live, found.beam).id == found.decoding_id
    assert found.ledger_number >= number
    assert list((path.parent / "memory").glob(f"{cache.store_name(store)}-*"))
