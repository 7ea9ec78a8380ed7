"""People before background work, one at a time."""

import threading

from app.turns import Turns


def test_a_waiting_person_goes_before_waiting_background_work():
    turns, order = Turns(), []
    busy, release = threading.Event(), threading.Event()

    def first():
        with turns.background():
            busy.set()
            release.wait(10)
            order.append("first")

    def wait_in(kind: str):
        with getattr(turns, kind)():
            order.append(kind)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    busy.wait(10)
    for kind in ("background", "person"):  # the background work comes first, and still goes last
        threads.append(threading.Thread(target=wait_in, args=(kind,)))
        threads[-1].start()
    while turns._people < 1:
        pass
    release.set()
    for thread in threads:
        thread.join(10)
    assert order == ["first", "person", "background"]


def test_an_error_gives_the_turn_on():
    turns = Turns()
    for _ in range(2):
        try:
            with turns.person():
                raise ValueError
        except ValueError:
            pass
    taken = []
    with turns.background():
        taken.append("background")
    with turns.person():
        taken.append("person")
    assert taken == ["background", "person"]
