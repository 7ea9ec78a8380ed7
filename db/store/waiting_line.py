"""The line in which people wait for the store: first come, first served.

Neither SQLite nor a pool of connections has a line. A SQLite writer that finds the file locked sleeps, longer each
time, and whoever asks in the right moment goes first; a thread that gives a connection back and wants another takes
the same one before the thread that was woken for it. Under load some wait for the rest while others have hundreds of
turns.

The threads of a process wait in a list here. Where processes must take turns too, which is for writing into a SQLite
file, the first thread waits for its process, on two lock files beside the store: `-turn` is held while one writes,
`-next` by the one whose turn is next. Without the second, a writer that has just ended could begin again before the
one it woke up runs. The kernel wakes those who wait for a file lock in the order they came, and lets go of the locks
of a process that is killed.

The line is about fairness alone. That no two write at once is SQLite's own promise; so where there are no such files
to be had (a folder that cannot be written, a system without `flock`) the processes go without a line.
"""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

    FILES_CAN_BE_LOCKED = True
except ImportError:  # Windows
    FILES_CAN_BE_LOCKED = False

log = logging.getLogger(__name__)


class WaitingLine:
    """Lets so many threads of this process pass at a time, and with a path one thread of all processes.

    >>> with line.turn(60): ...   # TimeoutError if others did not make way for so many seconds
    """

    def __init__(self, places: int = 1, path: Path | None = None):
        """path: the file that is written in turns; there is one place then."""
        if path is not None and places != 1:
            raise ValueError(f"One at a time writes into {path}, not {places}.")
        self._path = path if FILES_CAN_BE_LOCKED else None
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Event] = deque()  # threads of this process, the next one first
        self._free = places
        self._errand: _Errand | None = None

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Wait for the turn, at most so long, and hold it to the end of the block."""
        end = time.monotonic() + seconds
        self._come_first(end)
        try:
            held = self._lock_files(end)
            try:
                yield
            finally:
                if held is not None:
                    _release(held)
        finally:
            self._call_next()

    def _come_first(self, end: float) -> None:
        """Wait until there is a place, and no thread of this process that came before."""
        with self._mutex:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._waiting.append(called)
        try:
            if not called.wait(_left(end)):
                raise TimeoutError
        except BaseException:  # also an interrupt from the keyboard: nobody may wait behind one who has left
            with self._mutex:
                was_called = called.is_set()
                if not was_called:
                    self._waiting.remove(called)
            if was_called:
                self._call_next()
            raise

    def _call_next(self) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()  # the place goes from hand to hand: nobody can push in between
            else:
                self._free += 1

    def _lock_files(self, end: float) -> int | None:
        """The descriptor that holds the turn among the processes; None if there is no line among them.

        Only the thread that comes first in this process is in here.
        """
        if self._path is None:
            return None
        try:
            if self._errand is None or not self._errand.take_up():
                self._errand = _Errand(self._path)
            return self._errand.wait(_left(end))
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise
            log.info("the writers of %s have no line among processes: %s", self._path, error)
            return None


class _Errand:
    """Waits for both files: not at all if they are free, otherwise in a thread of its own, for `flock` knows no time.

    One that is done when nobody waits for it any more gives the turn back.
    """

    def __init__(self, path: Path):
        self._next = _open(path.with_name(path.name + "-next"))
        try:
            self._turn = _open(path.with_name(path.name + "-turn"))
        except OSError:
            os.close(self._next)
            raise
        self._mutex = threading.Lock()
        self._done = threading.Event()
        self._wanted = True
        self._failure: OSError | None = None
        if not self._try_now():
            threading.Thread(target=self._stand, name="store-line", daemon=True).start()

    def take_up(self) -> bool:
        """Whether it can be waited for again: it has not given its turn back."""
        with self._mutex:
            self._wanted = not self._done.is_set()
            return self._wanted

    def wait(self, seconds: float) -> int:
        """The descriptor that holds the turn. Raises TimeoutError, and OSError where files cannot be locked."""
        try:
            if not self._done.wait(seconds):
                raise TimeoutError
        except BaseException:
            self._abandon()
            raise
        if self._failure is not None:
            raise self._failure
        return self._turn

    def _abandon(self) -> None:
        with self._mutex:
            self._wanted = False  # it keeps its place in the line, for the next thread
            if self._done.is_set() and self._failure is None:  # in this very moment
                _release(self._turn)

    def _try_now(self) -> bool:
        try:
            flock(self._next, LOCK_EX | LOCK_NB)
            flock(self._turn, LOCK_EX | LOCK_NB)
        except OSError:
            return False  # somebody is before us, or it fails in the thread too
        _release(self._next)
        self._done.set()
        return True

    def _stand(self) -> None:
        try:
            flock(self._next, LOCK_EX)
            flock(self._turn, LOCK_EX)
        except OSError as error:
            self._failure = error
        _release(self._next)
        with self._mutex:
            if self._failure is not None or not self._wanted:
                _release(self._turn)
            self._done.set()


def _open(path: Path) -> int:
    """To read is enough for a lock: another user's file serves as well."""
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return os.open(path, os.O_RDONLY | os.O_CREAT, 0o666)


def _release(descriptor: int) -> None:
    with suppress(OSError):
        flock(descriptor, LOCK_UN)  # said: a child process that was forked just now has the file open too
    os.close(descriptor)


def _left(end: float) -> float:
    return max(0.0, end - time.monotonic())
