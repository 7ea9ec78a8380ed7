"""Several moderators at once, over websocket and in a browser: the short form of bench/moderators.py."""

import asyncio

from bench.moderators import Turns, check_store, percentile, work_together
from tests.e2e.conftest import start_server


def test_nobody_loses_a_decision_when_several_work_at_once(tiny_model, tmp_path, capsys):
    database = f"sqlite:///{tmp_path / 'l2a.db'}"
    settings = {"L2A_MODEL": str(tiny_model), "L2A_DATABASE": database}
    with start_server(tmp_path / "server.log", settings) as server:
        # In a thread of its own: pytest's browser has an event loop running in this one.
        works = _in_thread(work_together(server.url, people=6, browsers=1, turns=Turns(1, 0.2, 0.8, each=4)))
    assert [error for work in works for error in work.errors] == []
    assert [len(work.receipts) for work in works] == [4] * 6
    assert check_store(database, works) == []
    waits = [wait for work in works for wait in work.waits]
    with capsys.disabled():
        print(f"\n6 moderators: submit to next question p95 {percentile(waits, 0.95):.2f} s")


def _in_thread(work):
    import threading

    done = []
    thread = threading.Thread(target=lambda: done.append(asyncio.run(work)))
    thread.start()
    thread.join()
    return done[0]
