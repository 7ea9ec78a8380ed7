"""What a session has worked out: made once, kept until it is out of date."""

import pytest

from app.shell import memory
from app.shell.memory import REMEMBERED, forget, kept, remember, remembered
from app.shell.options import called


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(memory.st, "session_state", {})
    return memory.st.session_state


def test_results_are_remembered_and_the_oldest_forgotten():
    known, made = {}, []
    for number in [*range(REMEMBERED + 1), REMEMBERED, 0]:
        remember(known, number, lambda number=number: made.append(number))
    assert made == [*range(REMEMBERED + 1), 0]
    assert len(known) == REMEMBERED


def test_a_result_is_worked_out_again_when_it_rests_on_something_else(session):
    made = []

    def work() -> int:
        made.append(len(made))
        return made[-1]

    assert kept("sum") == ()
    assert [remembered("sum", (1, "a"), work), remembered("sum", (1, "a"), work)] == [0, 0]
    assert remembered("sum", (2, "a"), work) == 1
    assert kept("sum") == (2, "a")
    forget("sum", "never there")
    assert kept("sum") == ()


def test_an_option_that_is_gone_is_called_what_it_is():
    name = called({"a": "first"})
    assert [name("a"), name("b"), name(3)] == ["first", "b", "3"]
