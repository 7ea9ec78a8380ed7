"""Two transactions whose statements come in between each other: what a race looks like when it can be told again."""

import threading
import time
from collections.abc import Callable

from sqlalchemy import event, text
from sqlalchemy.orm import Session

from db.store.engine import Store

SOON = 0.3  # seconds that a second transaction on SQLite gets to show that it waits for the first


class Second:
    """A transaction in a thread of its own, with what it gave or raised."""

    def __init__(self, store: Store, work: Callable[[Session], object]):
        self._store, self._work = store, work
        self.result: object = None
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._store.run(self._work)
        except Exception as error:
            self.error = error

    def go_as_far_as_it_can(self) -> None:
        """Until it has committed, or waits for a lock of the other one."""
        began = time.monotonic()
        while self._thread.is_alive():
            if self._store.is_sqlite and time.monotonic() - began > SOON:
                return
            if not self._store.is_sqlite and _somebody_waits(self._store):
                return
            time.sleep(0.01)

    def end(self) -> "Second":
        self._thread.join()
        return self


def interleave(store: Store, first: Callable[[Session], object], second: Callable[[Session], object]) -> Second:
    """Do `first`, then as much of `second` as can be done before the first is committed, then commit the first."""
    with store.write() as session:
        first(session)
        session.flush()
        running = Second(store, second)
        running.go_as_far_as_it_can()
    return running.end()


def interrupt(
    store: Store, first: Callable[[Session], object], before: str, second: Callable[[Session], object]
) -> Second:
    """Do `first`, and as much of `second` as can be done right before the first statement that begins with `before`."""
    found: list[Second] = []

    def stop(_connection, _cursor, statement, *_):
        if statement.startswith(before) and not found:
            found.append(Second(store, second))
            found[0].go_as_far_as_it_can()

    with store.write() as session:
        event.listen(session.connection(), "before_cursor_execute", stop)
        first(session)
    assert found, f"there was no statement that begins with {before}"
    return found[0].end()


def _somebody_waits(store: Store) -> bool:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with store.read() as session:
        return session.scalar(text(waiting)) > 0
