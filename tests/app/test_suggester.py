"""The shared model: stored suggestions, the live version, and what it does ahead of people."""

import threading

import pytest

from app.suggester import NoModel, Suggester
from db import registry, schema, suggestions
from db.engine import Store
from db.importing import IncomingQuestion, import_questions
from tests.app.conftest import FakeTagger, make_result


@pytest.fixture
def store(tmp_path):
    with Store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        schema.prepare(opened)
        rows = [IncomingQuestion(line, f"第{line}个问题怎么回答？") for line in range(1, 13)]
        import_questions(opened, rows, name="test", fingerprint="test")
        yield opened


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model").mkdir()
    return tmp_path / "model"


@pytest.fixture
def tagger() -> FakeTagger:
    return FakeTagger(make_result(("电影", 7), ("导演", 3)))


@pytest.fixture
def suggester(store, folder, tagger) -> Suggester:
    return Suggester(store, lambda _: tagger, folder)


def test_a_new_store_begins_with_the_first_model_live(store, suggester):
    assert suggester.live().version == "made-up-1"
    with store.read() as session:
        assert registry.live(session).version == "made-up-1"


def test_a_suggestion_is_worked_out_once_and_stored(store, suggester, tagger):
    first = suggester.for_question(1, "第1个问题怎么回答？", "")
    assert [(tag.tag, tag.votes, tag.kept, tag.cues, tag.hypothesis) for tag in first.tags] == [
        ("电影", 7, True, ("电影",), ("电影",)),
        ("导演", 3, True, ("导演",), ("导演",)),
    ]
    assert suggester.for_question(1, "第1个问题怎么回答？", "") == first
    assert len(tagger.asked) == 1


def test_another_live_model_is_noticed_at_the_next_question(store, suggester, tagger, folder):
    suggester.for_question(1, "第1个问题怎么回答？", "")
    tagger.version = "made-up-2"
    tagger.result = make_result(("音乐", 8))
    tagger.result.model_version = "made-up-2"

    def promote(session):
        registry.register(session, "made-up-2", str(folder))
        registry.promote(session, "made-up-2", None)

    store.run(promote)
    newer = suggester.for_question(1, "第1个问题怎么回答？", "")
    assert (newer.model_version, [tag.tag for tag in newer.tags]) == ("made-up-2", ["音乐"])


def test_a_missing_folder_is_said_and_tried_again(store, tmp_path, tagger):
    suggester = Suggester(store, lambda _: tagger, tmp_path / "later")
    with pytest.raises(NoModel, match="There is no model folder"):
        suggester.live()
    (tmp_path / "later").mkdir()
    assert suggester.live().version == "made-up-1"


def test_the_next_questions_are_worked_on_ahead(store, suggester, tagger, monkeypatch):
    monkeypatch.setattr("app.suggester.AHEAD", 5)
    suggester.live()
    while suggester._prepare_some():
        pass
    with store.read() as session:
        ready = [question for question in range(1, 13) if suggestions.fresh(session, question) is not None]
        assert suggestions.next_without(session, ("oldest",), 5) == []
    assert 5 <= len(ready) < 12  # five of the ordered pool and those of the random one
    asked = len(tagger.asked)
    suggester.for_question(ready[0], "", "")
    assert len(tagger.asked) == asked


def test_the_background_thread_survives_an_error(store, suggester, tagger, monkeypatch):
    monkeypatch.undo()  # the fixture that keeps the thread from starting
    monkeypatch.setattr("app.suggester.IDLE_SECONDS", 0.01)
    done = threading.Event()
    calls = []

    def prepare(self):
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("made up")
        done.set()
        return False

    monkeypatch.setattr(Suggester, "_prepare_some", prepare)
    suggester.look_ahead("oldest")
    assert done.wait(10)
