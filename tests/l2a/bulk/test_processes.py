"""Several processes answer what one answers, in the same order, and a failure is told as it is."""

import os

import pytest

from l2a.bulk.processes import cores, in_order
from l2a.errors import InputError, L2AError


def adder(more):
    """Runs in the other processes, so it stands at the top of a module."""

    def add(number):
        if number == 13:
            raise InputError("thirteen is not a number anybody wants")
        if number == 666:
            os._exit(1)
        return number + more

    return add


@pytest.mark.parametrize("processes", [1, 2])
def test_answers_come_in_order(processes):
    assert list(in_order(adder, 100, range(20, 60), processes)) == list(range(120, 160))


def test_a_failure_of_a_worker_is_raised_here():
    with pytest.raises(InputError, match="thirteen"):
        list(in_order(adder, 0, [1, 13, 2], 2))


def test_what_came_before_a_bad_item_is_answered():
    def items():
        yield from (1, 2, 3)
        raise InputError("line 4 is bad")

    answers = in_order(adder, 10, items(), 2)
    assert [next(answers) for _ in range(3)] == [11, 12, 13]
    with pytest.raises(InputError, match="line 4"):
        next(answers)


def test_a_process_that_dies_is_said_in_plain_words():
    with pytest.raises(L2AError, match="--jobs 1"):
        list(in_order(adder, 0, [1, 666, 2], 2))


def test_nobody_runs_ahead_of_whoever_takes_the_answers():
    taken = []

    def items():
        for number in range(100, 1000):
            taken.append(number)
            yield number

    answers = in_order(adder, 0, items(), 2)
    assert next(answers) == 100
    answers.close()
    assert len(taken) < 20


def test_there_is_a_core():
    assert cores() >= 1
