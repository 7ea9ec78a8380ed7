"""Who may use the model now: people before background work, one at a time.

Two searches at once on the same cores take as long as one after the other, and the first one waits for both.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock in which a waiting person goes before waiting background work."""

    def __init__(self):
        self._changed = threading.Condition()
        self._busy = False
        self._people = 0  # waiting

    @contextmanager
    def person(self) -> Iterator[None]:
        with self._changed:
            self._people += 1
            self._changed.wait_for(lambda: not self._busy)
            self._people -= 1
            self._busy = True
        yield from self._use()

    @contextmanager
    def background(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._busy and not self._people)
            self._busy = True
        yield from self._use()

    def _use(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
