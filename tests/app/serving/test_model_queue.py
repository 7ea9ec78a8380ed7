"""The line before the model: who is searched for together, who goes first, and what an error does to the others."""

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from app.serving.model_queue import ModelQueue, Overloaded
from l2a.data.questions import Question, read_questions
from l2a.errors import InputError, SettingsError
from l2a.tagger import Constraints

PATIENCE = 30  # seconds; a test that hangs fails then
SOON = 0.002


class ScriptedTagger:
    """Answers a question with its own title in capitals. A title that begins with `bad` is refused with all beside it.

    The first search waits until `go` is set, so that a test can let others stand in line meanwhile.
    """

    def __init__(self, waits: bool = True):
        self.batches: list[list[str]] = []  # titles that were searched together
        self.options: list[dict] = []
        self.begun, self.go = threading.Event(), threading.Event()
        if not waits:
            self.go.set()

    def settings_with(self, beam=None, threshold=None):
        if beam == 0:
            raise SettingsError("beam is 0")
        return SimpleNamespace(beam=beam or 8, threshold=threshold or 0.25)

    def suggest(self, questions, **options):
        self.batches.append([question.title for question in questions])
        self.options.append(options)
        self.begun.set()
        assert self.go.wait(PATIENCE)
        for question in questions:
            if question.title.startswith("bad"):
                raise InputError(question.title)
        return [question.title.upper() for question in questions]


class Crowd:
    """People and background work that come one after the other, each in a thread of their own."""

    def __init__(self, queue: ModelQueue, tagger: ScriptedTagger):
        self.queue, self.tagger = queue, tagger
        self.found: dict[str, object] = {}  # by title: the answer or the error
        self.order: list[str] = []  # in which they were served
        self._threads: list[threading.Thread] = []

    def ask(self, title: str, **options) -> None:
        self._come(title, lambda: self.queue.suggest(self.tagger, Question(title), **options))

    def work(self, name: str, **options) -> None:
        def alone() -> str:
            with self.queue.alone(**options):
                return name

        self._come(name, alone)

    def occupy(self) -> None:
        """Have the model busy with a person's question until `tagger.go` is set."""
        self.ask("first")
        assert self.tagger.begun.wait(PATIENCE)

    def end(self) -> None:
        self.tagger.go.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def _come(self, name: str, act: Callable[[], object]) -> None:
        def run() -> None:
            try:
                self.found[name] = act()
            except BaseException as error:
                self.found[name] = error
            self.order.append(name)

        waiting, is_busy = self.waiting(), self.tagger.begun.is_set() and not self.tagger.go.is_set()
        self._threads.append(threading.Thread(target=run, name=name, daemon=True))
        self._threads[-1].start()
        if is_busy:  # so the next one comes after this one
            wait_until(lambda: self.waiting() > waiting or name in self.found)

    def waiting(self) -> int:
        return len(self.queue._people) + len(self.queue._background)


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(SOON)


@pytest.fixture
def tagger() -> ScriptedTagger:
    return ScriptedTagger()


@pytest.fixture
def crowd(tagger) -> Crowd:
    """Before a model that gathers nobody unless they stand in line already."""
    return Crowd(ModelQueue(most=3, gather_seconds=0, limit=5), tagger)


# --- together --------------------------------------------------------------------------------------------------------


def test_a_question_alone_is_answered(crowd, tagger):
    tagger.go.set()
    assert crowd.queue.suggest(tagger, Question("one"), beam=4, threshold=0.5) == "ONE"
    assert (tagger.batches, tagger.options) == ([["one"]], [{"beam": 4, "threshold": 0.5}])
    assert not crowd.queue._busy


def test_those_who_stand_in_line_are_searched_together_in_their_order_and_no_more_than_allowed(crowd, tagger):
    crowd.occupy()
    for title in ("a", "b", "c", "d", "e"):
        crowd.ask(title)
    crowd.end()
    assert tagger.batches == [["first"], ["a", "b", "c"], ["d", "e"]]
    assert crowd.found == {title: title.upper() for title in ("first", "a", "b", "c", "d", "e")}


def test_an_idle_model_waits_a_moment_for_others_and_begins_when_enough_have_come(tagger):
    """So long that only the third question can have ended the waiting."""
    tagger.go.set()
    crowd = Crowd(ModelQueue(most=3, gather_seconds=2 * PATIENCE), tagger)
    for title in ("a", "b", "c"):
        crowd.ask(title)
    crowd.end()
    assert [sorted(batch) for batch in tagger.batches] == [["a", "b", "c"]]


def test_an_idle_model_does_not_wait_for_others_longer_than_a_moment(tagger):
    tagger.go.set()
    assert ModelQueue(gather_seconds=0.01).suggest(tagger, Question("a")) == "A"


def test_only_equal_wishes_are_searched_together_and_the_oldest_goes_first(crowd, tagger):
    crowd.occupy()
    crowd.ask("a")
    crowd.ask("b", beam=4)
    crowd.ask("c", beam=8)  # the model's own
    crowd.ask("d", constraints=Constraints(ban=("x",)))
    crowd.ask("e", beam=4)
    crowd.end()
    assert tagger.batches == [["first"], ["a", "c"], ["b", "e"], ["d"]]
    assert tagger.options[-1] == {"beam": None, "threshold": None, "constraints": Constraints(ban=("x",))}


def test_models_do_not_share_a_search(crowd, tagger):
    other = ScriptedTagger(waits=False)
    crowd.occupy()
    crowd.ask("a")
    Crowd(crowd.queue, other).ask("b")
    wait_until(lambda: crowd.waiting() == 2)
    crowd.end()
    wait_until(lambda: other.batches)
    assert (tagger.batches, other.batches) == ([["first"], ["a"]], [["b"]])


# --- who goes first --------------------------------------------------------------------------------------------------


def test_people_go_before_background_work_and_are_served_in_the_order_they_came(crowd, tagger):
    crowd.occupy()
    crowd.work("background", background=True)  # comes first, and still goes last
    crowd.work("explanation")
    crowd.ask("a")
    wait_until(lambda: crowd.waiting() == 3)
    crowd.end()
    assert crowd.order.index("background") == 3
    assert crowd.found == {"first": "FIRST", "explanation": "explanation", "a": "A", "background": "background"}


def test_nobody_uses_the_model_beside_somebody_else(crowd, tagger):
    tagger.go.set()
    at_once, most = [], []

    def use(background: bool) -> None:
        with crowd.queue.alone(background=background):
            at_once.append(1)
            most.append(len(at_once))
            time.sleep(SOON)
            at_once.pop()

    threads = [threading.Thread(target=use, args=(number % 2 == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert most == [1, 1, 1, 1]


# --- giving up -------------------------------------------------------------------------------------------------------


class Gone(BaseException):
    """As Streamlit ends a script: not an Exception."""


def leave_when(event: threading.Event) -> Callable[[], None]:
    def check() -> None:
        if event.is_set():
            raise Gone

    return check


def test_who_gave_up_is_not_searched_for(crowd, tagger):
    gone = threading.Event()
    crowd.occupy()
    crowd.ask("a", check=leave_when(gone))
    crowd.ask("b")
    gone.set()
    wait_until(lambda: "a" in crowd.found)
    crowd.end()
    assert isinstance(crowd.found["a"], Gone)
    assert tagger.batches == [["first"], ["b"]]


def test_who_gave_up_just_before_the_turn_passes_it_on(crowd, tagger):
    tagger.go.set()
    gone = threading.Event()
    gone.set()
    with pytest.raises(Gone):
        crowd.queue.suggest(tagger, Question("a"), check=leave_when(gone))
    assert crowd.queue.suggest(tagger, Question("b")) == "B"
    assert tagger.batches == [["b"]]


def test_what_is_not_needed_any_more_is_not_searched_for(crowd, tagger):
    crowd.occupy()
    crowd.ask("a", is_needed=lambda: False)
    crowd.ask("b")
    crowd.end()
    assert tagger.batches == [["first"], ["b"]]
    assert (crowd.found["a"], crowd.found["b"]) == (None, "B")


def test_a_search_that_was_broken_off_leaves_the_others_first_in_line(crowd, tagger):
    broken = []

    def break_off_once() -> bool:
        if not broken:
            broken.append(threading.current_thread().name)
            raise Gone
        return True

    crowd.occupy()
    crowd.ask("a")
    crowd.ask("b", is_needed=break_off_once)
    crowd.ask("c", beam=4)
    crowd.end()
    assert broken == ["a"]  # which searched for both
    assert isinstance(crowd.found["a"], Gone)
    assert tagger.batches == [["first"], ["b"], ["c"]]
    assert (crowd.found["b"], crowd.found["c"]) == ("B", "C")


# --- too many, and errors --------------------------------------------------------------------------------------------


def test_too_many_are_told_so_at_once_and_the_others_are_served(crowd, tagger):
    crowd.occupy()
    crowd.work("background", background=True)  # does not take a person's place
    for title in ("a", "b", "c", "d", "e"):
        crowd.ask(title)
    with pytest.raises(Overloaded, match="5 questions wait for the model already, and it takes no more"):
        crowd.queue.suggest(tagger, Question("f"))
    with pytest.raises(Overloaded), crowd.queue.alone():
        pass
    crowd.work("more background", background=True)
    crowd.end()
    assert [crowd.found[title] for title in ("a", "e", "more background")] == ["A", "E", "more background"]
    assert crowd.queue.suggest(tagger, Question("g")) == "G"


def test_an_error_is_that_of_its_own_question_only(crowd, tagger):
    crowd.occupy()
    crowd.ask("a")
    crowd.ask("bad b")
    crowd.ask("c")
    crowd.end()
    assert tagger.batches == [["first"], ["a", "bad b", "c"], ["a"], ["bad b"], ["c"]]
    assert (crowd.found["a"], crowd.found["c"]) == ("A", "C")
    assert isinstance(crowd.found["bad b"], InputError)
    assert str(crowd.found["bad b"]) == "bad b"


def test_a_question_that_cannot_say_whether_it_is_needed_fails_alone(crowd, tagger):
    def fail() -> bool:
        raise InputError("the store is gone")

    crowd.occupy()
    crowd.ask("a", is_needed=fail)
    crowd.ask("b")
    crowd.end()
    assert isinstance(crowd.found["a"], InputError)
    assert crowd.found["b"] == "B"


def test_wrong_settings_are_refused_before_anybody_waits(crowd, tagger):
    crowd.occupy()
    with pytest.raises(SettingsError):
        crowd.queue.suggest(tagger, Question("a"), beam=0)
    crowd.end()
    assert tagger.batches == [["first"]]


def test_an_error_gives_the_turn_on(crowd, tagger):
    tagger.go.set()
    for _ in range(2):
        with pytest.raises(InputError):
            crowd.queue.suggest(tagger, Question("bad"))
    with pytest.raises(ValueError, match="own"), crowd.queue.alone(background=True):
        raise ValueError("own")
    with crowd.queue.alone():
        pass
    assert crowd.queue.suggest(tagger, Question("a")) == "A"


# --- a real model ----------------------------------------------------------------------------------------------------


def test_a_real_model_answers_as_if_everybody_had_asked_alone(tiny_tagger, samples_path):
    questions = [question for question, _ in zip(read_questions(samples_path), range(16), strict=False)]
    alone = [tiny_tagger.suggest([question], beam=6)[0] for question in questions]
    queue, searched, together = ModelQueue(most=8, gather_seconds=2), [], {}

    class Watched:
        settings_with = tiny_tagger.settings_with

        @staticmethod
        def suggest(questions, **options):
            searched.append(len(questions))
            return tiny_tagger.suggest(questions, **options)

    def ask(place: int) -> None:
        together[place] = queue.suggest(Watched, questions[place], beam=6)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert searched == [8, 8]
    for place, expected in enumerate(alone):
        found = together[place]
        assert found.question_id == expected.question_id
        assert [(s.tag, s.votes, s.kept, s.cues) for s in found.suggestions] == [
            (s.tag, s.votes, s.kept, s.cues) for s in expected.suggestions
        ]
        assert [h.tags for h in found.hypotheses] == [h.tags for h in expected.hypotheses]
        assert [h.log_probability for h in found.hypotheses] == pytest.approx(
            [h.log_probability for h in expected.hypotheses], abs=1e-4
        )


def test_behind_a_model_that_hangs_people_are_told_and_background_work_waits_on():
    tagger, line = ScriptedTagger(), ModelQueue(patience=0.3)
    hanging = threading.Thread(target=lambda: line.suggest(tagger, Question(title="first")))
    hanging.start()
    assert tagger.begun.wait(PATIENCE)
    with pytest.raises(Overloaded, match=r"has not come to this question for 0\.3 seconds"):
        line.suggest(tagger, Question(title="second"))
    behind = threading.Thread(target=lambda: line.alone(background=True).__enter__())
    behind.start()
    behind.join(0.6)
    assert behind.is_alive()
    tagger.go.set()
    hanging.join(PATIENCE)
    behind.join(PATIENCE)
    assert not behind.is_alive()
    assert tagger.batches == [["first"]]
