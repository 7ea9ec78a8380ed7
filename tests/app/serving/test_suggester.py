"""The shared model: stored suggestions, the live version, and what it does ahead of people."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from streamlit.testing.v1 import AppTest

from app.serving.suggester import NoModel, Suggester
from db.models import registry, suggestions
from db.store import schema
from db.store.engine import Store
from db.transfer.importing import IncomingQuestion, import_questions
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
def suggester(store, folder, tagger) -> Iterator[Suggester]:
    made = Suggester(store, lambda _: tagger, folder)
    yield made
    made.close()  # before the store: a thread that outlives its test works on in the next ones


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
    monkeypatch.setattr("app.serving.suggester.AHEAD", 5)
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
    monkeypatch.setattr("app.serving.suggester.IDLE_SECONDS", 0.01)
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


def test_closing_ends_the_background_thread(suggester, monkeypatch):
    monkeypatch.undo()  # the fixture that keeps the thread from starting
    suggester.look_ahead("oldest")
    thread = suggester._worker
    assert thread.is_alive()
    suggester.close()
    assert not thread.is_alive()


def test_loading_another_model_holds_up_nobody_who_wants_the_live_one(store, folder, tagger, tmp_path):
    other, begun, go = tmp_path / "other", threading.Event(), threading.Event()
    other.mkdir()

    def load(path):
        if path == other:
            begun.set()
            assert go.wait(30)
        return tagger

    suggester = Suggester(store, load, folder)
    slow = threading.Thread(target=suggester.tagger, args=(other,))
    slow.start()
    assert begun.wait(30)
    answered = threading.Thread(target=suggester.live, daemon=True)
    answered.start()
    answered.join(10)
    was_held_up = answered.is_alive()
    go.set()
    slow.join()
    assert not was_held_up


def test_only_the_last_used_models_beside_the_live_one_are_kept(store, folder, tmp_path):
    loaded, models = [], []

    def load(path):
        made = FakeTagger(version=path.name)
        loaded.append(path.name)
        models.append(weakref.ref(made))
        return made

    suggester = Suggester(store, load, folder)
    others = [tmp_path / name for name in ("a", "b", "c")]
    for other in others:
        other.mkdir()
    a, b, c = others
    for wanted in (a, b, a, c, a, b):
        assert suggester.tagger(wanted).version == wanted.name
    assert loaded == ["a", "b", "c", "b"]  # b went when c came: a was used after it
    gc.collect()
    assert [model() is not None for model in models] == [True, False, False, True]


def test_a_model_that_cannot_be_loaded_is_tried_again(store, folder, tagger, tmp_path):
    suggester = Suggester(store, lambda _: tagger, folder)
    with pytest.raises(NoModel, match="There is no model folder"):
        suggester.tagger(tmp_path / "later")
    (tmp_path / "later").mkdir()
    assert suggester.tagger(tmp_path / "later") is tagger


# --- several at once -------------------------------------------------------------------------------------------------


@dataclass
class SlowTagger(FakeTagger):
    """Whose first search goes on until `go` is set, while others come."""

    begun: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)
    sizes: list = field(default_factory=list)  # of the searches

    def suggest(self, questions, **options):
        self.sizes.append(len(questions))
        self.begun.set()
        assert self.go.wait(30)
        return super().suggest(questions, **options)


@pytest.fixture
def slow() -> SlowTagger:
    return SlowTagger(make_result(("电影", 7), ("导演", 3)))


def run_beside(*acts) -> list[threading.Thread]:
    threads = [threading.Thread(target=act, daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    return threads


def wait_for_line(suggester: Suggester, people: int) -> None:
    end = time.monotonic() + 30
    while len(suggester._queue._people) != people:
        assert time.monotonic() < end
        time.sleep(0.002)


def finish(slow: SlowTagger, *threads: threading.Thread) -> None:
    slow.go.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_people_who_ask_at_the_same_time_are_answered_together(store, folder, slow):
    suggester, found = Suggester(store, lambda _: slow, folder), {}

    def ask(number: int) -> None:
        found[number] = suggester.for_question(number, f"第{number}个问题怎么回答？", "")

    first = run_beside(lambda: suggester.decode("别的问题"))
    assert slow.begun.wait(30)
    people = run_beside(*(lambda number=number: ask(number) for number in (1, 2, 3)))
    wait_for_line(suggester, 3)
    finish(slow, *first, *people)
    assert slow.sizes == [1, 3]
    assert {number: [tag.tag for tag in stored.tags] for number, stored in found.items()} == {
        number: ["电影", "导演"] for number in (1, 2, 3)
    }
    with store.read() as session:
        assert [suggestions.fresh(session, number) for number in (1, 2, 3)] == [found[number] for number in (1, 2, 3)]


def test_what_the_background_work_is_at_is_not_searched_again(store, folder, slow):
    suggester, found = Suggester(store, lambda _: slow, folder), []
    suggester.live()
    with store.read() as session:
        (waiting,) = suggestions.next_without(session, ("oldest",), 5)[:1]
    background = run_beside(lambda: suggester.prepare([waiting]))
    assert slow.begun.wait(30)
    person = run_beside(lambda: found.append(suggester.for_question(waiting.id, waiting.title, "")))
    wait_for_line(suggester, 1)
    finish(slow, *background, *person)
    assert slow.sizes == [1]
    with store.read() as session:
        assert found == [suggestions.fresh(session, waiting.id)]


def test_a_search_of_somebody_who_has_gone_is_left_out(store, folder, slow):
    class Gone(BaseException):
        pass

    gone, left = threading.Event(), threading.Event()

    def check() -> None:
        if gone.is_set():
            raise Gone

    def search() -> None:
        try:
            suggester.decode("问题")
        except Gone:
            left.set()

    suggester = Suggester(store, lambda _: slow, folder, check=check)
    first = run_beside(lambda: suggester.for_question(1, "第1个问题怎么回答？", ""))
    assert slow.begun.wait(30)
    person = run_beside(search)
    wait_for_line(suggester, 1)
    gone.set()
    assert left.wait(30)
    finish(slow, *first, *person)
    assert slow.sizes == [1]


def test_a_script_that_streamlit_has_stopped_is_left_at_the_next_check():
    def script():
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from app.shell import session

        session.end_if_unwanted()
        st.session_state["reached"] = ["wanted"]
        reached = st.session_state["reached"]
        get_script_run_ctx().script_requests.request_stop()
        session.end_if_unwanted()
        reached.append("unwanted")

    page = AppTest.from_function(script).run()
    assert not page.exception
    assert page.session_state["reached"] == ["wanted"]
