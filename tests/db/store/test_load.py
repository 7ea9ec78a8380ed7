"""Many write at once without a pause: nothing is lost, everybody gets a turn, and who has to give up is told why."""

import sqlite3
import statistics
from threading import Event, Thread

import pytest
from sqlalchemy import text

from bench import writers
from db.errors import StoreError
from db.store.engine import Store
from tests.db.actions import scalar

SHORT = [pytest.param(12, 3, False, id="processes"), pytest.param(30, 3, True, id="threads")]
FULL = [
    pytest.param(12, 60, False, id="processes-full", marks=pytest.mark.soak),
    pytest.param(30, 60, True, id="threads-full", marks=pytest.mark.soak),
]
PATIENCE = 60  # seconds; nobody should need them


@pytest.mark.parametrize(("number", "seconds", "threads"), SHORT + FULL)
def test_writers_without_a_pause_have_their_turns_alike_and_lose_nothing(empty_url, number, seconds, threads):
    found = writers.run(empty_url, number, seconds, 200 * seconds, threads=threads)
    assert (found.lost, found.extra, found.twice) == (0, 0, 0)
    assert min(found.turns) * 2 >= max(found.turns) - 2, found.turns
    longest, middle = max(found.seconds), statistics.median(found.seconds)
    # A machine with something else to do may stop one of them for a moment, however short the others' waits are.
    assert longest < max(20 * middle, 1.0), f"{longest:.3f} s against {middle:.3f} s in the middle"


def insert(name: str):
    return lambda session: session.execute(text(f"INSERT INTO settings (name, value) VALUES ('{name}', '1')"))


class Crowd:
    """Threads that do the same thing at once, and the errors they got."""

    def __init__(self, number: int, work):
        self.errors: list[Exception] = []
        self._threads = [Thread(target=self._try, args=(work, place)) for place in range(number)]
        for thread in self._threads:
            thread.start()

    def _try(self, work, place: int) -> None:
        try:
            work(place)
        except Exception as error:
            self.errors.append(error)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE)


def test_forty_who_wait_for_one_long_transaction_are_all_served(url):
    """More than there are connections; each waits longer than the pool would."""
    with Store(url) as store:
        store.writer.pool._timeout = 0.05
        long_one, begun = Event(), Event()

        def hold(session):
            insert("long")(session)
            begun.set()
            long_one.wait(PATIENCE)

        holder = Crowd(1, lambda _: store.run(hold))
        assert begun.wait(PATIENCE)
        crowd = Crowd(40, lambda place: store.run(insert(f"waiting {place}")))
        assert not long_one.wait(0.5)
        long_one.set()
        holder.join()
        crowd.join()
        assert (holder.errors, crowd.errors) == ([], [])
        assert scalar(store, "SELECT count(*) FROM settings") == 41


@pytest.mark.parametrize("use", ["read", "write"])
def test_who_waits_in_vain_is_told_what_to_do(url, monkeypatch, use):
    monkeypatch.setattr("db.store.engine.BUSY_SECONDS", 0.2)
    with Store(url) as store:
        end, inside = Event(), []

        def hold(place):
            with getattr(store, use)() as session:
                session.execute(text("SELECT 1"))
                inside.append(place)
                end.wait(PATIENCE)

        alone = store.is_sqlite and use == "write"
        try:
            crowd = Crowd(21, hold)
            while len(crowd.errors) + len(inside) < 21:
                assert not end.wait(0.01)
            assert len(inside) == (1 if alone else 15)
        finally:
            end.set()
            crowd.join()
        for error in crowd.errors:
            assert isinstance(error, StoreError), repr(error)
            expected = (
                "stayed locked for 0.2 seconds; nothing was stored. Something else writes in one long transaction: "
                "let it finish or end that program, then try again."
                if alone
                else "were in use for 0.2 seconds; nothing was stored. Very many people ask at once, or long exports "
                "are running: try again in a moment."
            )
            assert str(error).endswith(expected)
            assert store.shown_url in str(error)
        with store.write() as session:  # nobody is left in the way
            insert("after")(session)


def test_a_sqlite_writer_that_knows_no_line_is_waited_for_too(sqlite_template, tmp_path, monkeypatch):
    monkeypatch.setattr("db.store.engine.BUSY_SECONDS", 0.1)
    path = tmp_path / "own.db"
    path.write_bytes(sqlite_template.read_bytes())
    other = sqlite3.connect(path, isolation_level=None)
    with Store(f"sqlite:///{path}") as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"stayed locked for 0\.1 seconds"):
            store.run(insert("a"))
        other.execute("ROLLBACK")
        store.run(insert("a"))
        assert scalar(store, "SELECT count(*) FROM settings") == 1
    other.close()
