"""Who may use the model now: people before background work, and people who ask at the same time together.

Two searches at once on the same cores take as long as one after the other, and the first one waits for both. Questions
that are searched together share work instead. There is no thread of the model's own: whoever is first in line searches
for all who ask for the same.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from app.shell.messages import message
from l2a.errors import L2AError

if TYPE_CHECKING:
    from l2a.data.questions import Question
    from l2a.tagger import Constraints, Suggestions, Tagger

MOST = 4  # questions searched together; more of them gain little (bench/serving.py), and the first waits for the last
GATHER_SECONDS = 0.004  # that a question waits for others; much shorter than a search
LIMIT = 64  # people waiting: who comes after them would wait longer than anybody watches a page
PATIENCE_SECONDS = 30.0  # that a person waits in line: a model that hangs must not keep anybody from tagging by hand
CHECK_SECONDS = 0.1  # between two looks at whether somebody who waits still wants an answer


class Overloaded(L2AError):
    """More people wait for the model than it takes on."""


@dataclass(eq=False)  # two people may ask for the same
class _Request:
    question: "Question | None" = None
    wishes: tuple = ()  # model and settings: requests with equal ones are answered together
    is_needed: Callable[[], bool] = lambda: True
    arrived: float = field(default_factory=time.monotonic)
    is_done: bool = False
    has_left: bool = False
    answer: "Suggestions | None" = None
    error: Exception | None = None

    def finish(self, answer: "Suggestions | None" = None, error: Exception | None = None) -> None:
        self.answer, self.error, self.is_done = answer, error, True


def _goes_on() -> None:
    """The check of those who wait whatever happens."""


class ModelQueue:
    """The line before a process's models. Requests are served in the order in which they came, people first."""

    def __init__(
        self,
        most: int = MOST,
        gather_seconds: float = GATHER_SECONDS,
        limit: int = LIMIT,
        patience: float = PATIENCE_SECONDS,
    ):
        self._most = most
        self._gather_seconds = gather_seconds
        self._limit = limit
        self._patience = patience
        self._changed = threading.Condition()
        self._busy = False
        self._people: list[_Request] = []  # waiting
        self._background: list[_Request] = []

    def suggest(
        self,
        tagger: "Tagger",
        question: "Question",
        *,
        beam: int | None = None,
        threshold: float | None = None,
        constraints: "Constraints | None" = None,
        is_needed: Callable[[], bool] = lambda: True,
        check: Callable[[], None] = _goes_on,
    ) -> "Suggestions | None":
        """A person's question, answered as `tagger.suggest` answers it alone; raises what that raises, or Overloaded.

        `is_needed` is asked right before the search, by whoever searches; where it says no the answer is None. `check`
        is called now and then while the question waits: what it raises takes the question out of the line.
        """
        search = partial(tagger.suggest, beam=beam, threshold=threshold)
        if constraints is not None:
            search = partial(search, constraints=constraints)
        settings = tagger.settings_with(beam, threshold)  # refused here, before anybody waits for it
        # A threshold that is asked for has tags kept by votes, also where it is the model's own.
        request = _Request(question, (id(tagger), settings, threshold is None, constraints), is_needed)
        if self._wait(request, self._people, check):
            together = [request]
            try:
                check()
                together += self._gather(request)
                _answer(together, search)
            finally:
                self._pass_on(together[1:])
        if request.error is not None:
            raise request.error
        return request.answer

    @contextmanager
    def alone(self, *, background: bool = False, check: Callable[[], None] = _goes_on) -> Iterator[None]:
        """The models for oneself, for work that is not shared. Raises Overloaded, but never for background work."""
        self._wait(_Request(), self._background if background else self._people, check)
        try:
            yield
        finally:
            self._pass_on()

    def _wait(self, request: _Request, line: list[_Request], check: Callable[[], None]) -> bool:
        """Wait in line; True: it is this one's turn. False: somebody before it had it answered too."""
        with self._changed:
            if line is self._people and len(line) >= self._limit:
                raise Overloaded(message("model.too_many_wait", waiting=len(line)))
            line.append(request)
            self._changed.notify_all()  # somebody may be gathering
        try:
            while not self._has_come(request, line):
                check()
                if line is self._people and time.monotonic() - request.arrived > self._patience:
                    raise Overloaded(message("model.too_long", seconds=self._patience))
        except BaseException:  # Streamlit ends a script by one that is no Exception
            with self._changed:
                request.has_left = True
                if request in line:
                    line.remove(request)
                self._changed.notify_all()
            raise
        return not request.is_done

    def _has_come(self, request: _Request, line: list[_Request]) -> bool:
        """Whether it is answered, or its turn, which it then has; False after a while without either."""

        def is_next() -> bool:
            first = self._people or self._background
            return not self._busy and bool(first) and first[0] is request

        with self._changed:
            if not self._changed.wait_for(lambda: request.is_done or is_next(), timeout=CHECK_SECONDS):
                return False
            if not request.is_done:
                self._busy = True
                line.remove(request)
            return True

    def _gather(self, first: _Request) -> list[_Request]:
        """The next people in line who ask for the same as the first; those who are just coming are waited for."""

        def alike() -> list[_Request]:
            return [request for request in self._people if request.wishes == first.wishes][: self._most - 1]

        with self._changed:
            until = first.arrived + self._gather_seconds  # long past if it stood in line: nobody waits twice
            self._changed.wait_for(lambda: len(alike()) == self._most - 1, timeout=max(0, until - time.monotonic()))
            taken = alike()
            for request in taken:
                self._people.remove(request)
            return taken

    def _pass_on(self, others: Sequence[_Request] = ()) -> None:
        """End a turn. Those of `others` without an answer, because the search was broken off, are first in line."""
        with self._changed:
            self._people[:0] = [request for request in others if not request.is_done and not request.has_left]
            self._busy = False
            self._changed.notify_all()


def _answer(requests: Sequence[_Request], search: Callable[[list["Question"]], list["Suggestions"]]) -> None:
    """Finish all of them. Where the search for all fails, each is searched alone: one's error is not the others'."""
    wanted = [request for request in requests if _is_wanted(request)]
    if not wanted:
        return
    try:
        answers = search([request.question for request in wanted if request.question is not None])
    except Exception as error:
        if len(wanted) == 1:
            wanted[0].finish(error=error)
            return
        for request in wanted:
            _answer([request], search)
    else:
        for request, answer in zip(wanted, answers, strict=True):
            request.finish(answer)


def _is_wanted(request: _Request) -> bool:
    """Whether there is something to search; finishes a request that is not needed any more, or cannot say so."""
    try:
        if request.has_left or not request.is_needed():
            request.finish()
    except Exception as error:
        request.finish(error=error)
    return not request.is_done
