"""First come, first served: among the threads of a process, and among processes that share a file."""

import subprocess
import sys
import threading
import time
from itertools import groupby
from pathlib import Path
from threading import Thread

import pytest

from db.store.waiting_line import WaitingLine

PATIENCE = 60  # seconds; nobody should need them

HOLD = """
import sys
from pathlib import Path
from db.store.waiting_line import WaitingLine
with WaitingLine(path=Path(sys.argv[1])).turn(60):
    print("held", flush=True)
    sys.stdin.read()
"""

# Each process writes its number under its turn, again and again; the file shows who came after whom.
TAKE_TURNS = """
import os, sys, time
from pathlib import Path
from db.store.waiting_line import WaitingLine
path, number, turns = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
line = WaitingLine(path=path)
print("ready", flush=True)
sys.stdin.read(1)
with open(path, "ab", buffering=0) as out:
    for _ in range(turns):
        with line.turn(60):
            out.write(number.encode())
            time.sleep(0.002)
"""


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture(params=["threads", "file"])
def line(request, path) -> WaitingLine:
    return WaitingLine(path=path if request.param == "file" else None)


def start(program: str, *arguments) -> subprocess.Popen:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    return process


def end(process: subprocess.Popen) -> None:
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE) == 0


def start_in_order(line: WaitingLine, number: int, work) -> list[Thread]:
    """Threads that ask for the line one after the other, while somebody else holds it."""
    threads = []
    for place in range(number):
        threads.append(Thread(target=work, args=(place,)))
        threads[-1].start()
        wait_until(lambda expected=place + 1: len(line._waiting) == expected)
    return threads


def wait_until(condition) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.001)


def line_threads() -> int:
    return sum(thread.name == "store-line" for thread in threading.enumerate())


def test_threads_are_served_in_the_order_they_came(line):
    served = []

    def work(place):
        for _ in range(2):  # the second time behind all who were there
            with line.turn(PATIENCE):
                served.append(place)
                if len(served) <= 6:
                    wait_until(lambda: len(line._waiting) == 5)

    with line.turn(PATIENCE):
        threads = start_in_order(line, 6, work)
    for thread in threads:
        thread.join(PATIENCE)
    assert served == [0, 1, 2, 3, 4, 5] * 2


def test_so_many_pass_at_a_time_as_there_are_places():
    line, inside, most, mutex = WaitingLine(3), 0, [], threading.Lock()

    def work():
        nonlocal inside
        for _ in range(20):
            with line.turn(PATIENCE):
                with mutex:
                    inside += 1
                    most.append(inside)
                time.sleep(0.0005)
                with mutex:
                    inside -= 1

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert (len(most), max(most)) == (160, 3)


def test_a_file_is_written_by_one_at_a_time(path):
    with pytest.raises(ValueError, match="One at a time writes into"):
        WaitingLine(3, path)


def test_processes_take_turns_however_eager_one_is(path):
    processes = [start(TAKE_TURNS, path, number, 60) for number in range(3)]
    for process in processes:
        process.stdin.write(b"x")
        process.stdin.flush()
    for process in processes:
        end(process)
    order = path.read_text()
    assert {number: order.count(number) for number in "012"} == {"0": 60, "1": 60, "2": 60}
    # While all three are at it. One that is not running when its turn would come may be passed over now and then.
    together = order[max(order.index(number) for number in "012") : min(order.rindex(number) for number in "012")]
    runs = [len(list(same)) for _, same in groupby(together)]
    assert len(together) > 100
    assert max(runs) <= 10
    assert sum(runs) / len(runs) < 1.5


def test_two_lines_of_one_process_that_share_a_file_take_turns(path):
    first, second = WaitingLine(path=path), WaitingLine(path=path)
    with first.turn(PATIENCE), pytest.raises(TimeoutError), second.turn(0.01):
        pass
    with second.turn(PATIENCE):
        pass


def test_who_waits_too_long_gives_up_and_the_next_one_is_served(line):
    with line.turn(PATIENCE), pytest.raises(TimeoutError), line.turn(0.01):
        pass
    with line.turn(0.01):
        pass


def test_who_gives_up_before_another_process_leaves_nobody_behind(path):
    line, holder = WaitingLine(path=path), start(HOLD, path)
    for _ in range(5):
        with pytest.raises(TimeoutError), line.turn(0.01):
            pass
    assert line_threads() == 1  # keeps the place of all of them
    end(holder)
    with line.turn(PATIENCE):
        wait_until(lambda: line_threads() == 0)
    end(start(HOLD, path))  # the turn was given back


def test_a_turn_that_comes_when_nobody_wants_it_any_more_is_given_back(path):
    line, holder = WaitingLine(path=path), start(HOLD, path)
    with pytest.raises(TimeoutError), line.turn(0.01):
        pass
    end(holder)
    wait_until(lambda: line_threads() == 0)
    end(start(HOLD, path))
    with line.turn(PATIENCE):
        pass


def test_a_process_that_is_killed_in_its_turn_is_followed_by_the_next(path):
    holder = start(HOLD, path)
    holder.kill()
    holder.communicate()
    with WaitingLine(path=path).turn(PATIENCE):
        pass


def test_an_error_inside_a_turn_ends_it(line):
    with pytest.raises(ZeroDivisionError), line.turn(PATIENCE):
        raise ZeroDivisionError
    with line.turn(0.01):
        pass


def test_where_no_lock_file_can_be_made_the_threads_still_stand_in_line(tmp_path):
    line = WaitingLine(path=tmp_path / "missing" / "store.db")
    with line.turn(PATIENCE), pytest.raises(TimeoutError), line.turn(0.01):
        pass
    assert not (tmp_path / "missing").exists()
