"""Looks for names in the store's questions, when somebody asks, and keeps what was found for all who come after.

A look takes as long as reading up to 50,000 titles does. What becomes a tag later, or is refused, is only left out when
the names are told, and is told again when that is taken back: nobody waits for another look after each decision.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from app.shell.messages import message
from db.spellings.names import tag_key
from db.store.clock import read_clock
from db.store.engine import Store
from db.store.settings import names_gone, tag_revision, tags_gone
from db.tags import emerging, refused
from l2a.errors import L2AError

if TYPE_CHECKING:
    from l2a.evidence.names.emerging import EmergingName
    from l2a.tagger import Tagger

DAYS = 30
LEAST = 3  # questions with a name
MOST = 100  # names of a look

Progress = Callable[[int, int], None]


class NoNames(L2AError):
    """The live model has no statistics of names; the text says what to do."""


@dataclass(frozen=True)
class Look:
    """What was found in the questions that are open, or came in or were decided about in the last days."""

    days: int
    least: int
    at: datetime
    read: int  # questions
    newest: int  # the number of the newest of them
    revision: int  # of the tags
    names: "tuple[EmergingName, ...]"
    came: Mapping[int, datetime]  # number of a question with one of the names -> when it came in

    def open_names(self, session: Session) -> "list[EmergingName]":
        """The names that are neither a tag nor refused by now."""
        taken = refused.taken_keys(session)
        return [name for name in self.names if tag_key(name.name) not in taken]

    def is_old(self, session: Session) -> bool:
        """Whether another look may find more: questions came, or a name of a tag went."""
        newest = emerging.newest_question(session)
        return newest > self.newest or max(tags_gone(session), names_gone(session)) > self.revision


class EmergingSearch:
    """One for all threads of a process; `tagger` gives the live model's."""

    def __init__(self, store: Store, tagger: "Callable[[], Tagger]"):
        self._store = store
        self._tagger = tagger
        self._lock = threading.Lock()
        self._looks: dict[tuple[int, int], Look] = {}

    def last(self, days: int, least: int = LEAST) -> Look | None:
        """What the last look found; None if nobody has looked yet."""
        return self._looks.get((days, least))

    def look(
        self, days: int, least: int = LEAST, most: int = MOST, progress: Progress = lambda done, total: None
    ) -> Look:
        """Look now. Of several who ask at the same time one looks, and the others wait for it.

        Raises NoNames, or what loading the live model raises.
        """
        before = self.last(days, least)
        with self._lock:
            meanwhile = self.last(days, least)
            if meanwhile is not None and meanwhile is not before:
                return meanwhile
            found = self._look(days, least, most, progress)
            self._looks[days, least] = found
            return found

    def _look(self, days: int, least: int, most: int, progress: Progress) -> Look:
        from l2a.evidence.names.emerging import Text

        find = _find_with(self._tagger())
        with self._store.read() as session:
            revision, at, newest = tag_revision(session), read_clock(session), emerging.newest_question(session)
            titles = emerging.recent_titles(session, days)
            taken = refused.taken_keys(session)
        names = find(
            [Text(row.question_id, row.title) for row in titles],
            is_known=lambda spelling: tag_key(spelling) in taken,
            least=least,
            most=most,
            progress=_seldom(progress),
        )
        named = {number for name in names for number in name.questions}
        came = {row.question_id: row.created_at for row in titles if row.question_id in named}
        return Look(days, least, at, len(titles), newest, revision, tuple(names), came)


def _find_with(tagger: "Tagger") -> "Callable[..., Sequence[EmergingName]]":
    """The engine's search with the statistics of this model. Raises NoNames where it has none."""
    from l2a.evidence.names.emerging import find_emerging

    if tagger.names is None:
        raise NoNames(message("model.no_names", version=tagger.version))
    return partial(find_emerging, finder=tagger.names)


def _seldom(progress: Progress) -> Progress:
    """A hundred calls at most: each may draw a page."""
    told = -1

    def call(done: int, total: int) -> None:
        nonlocal told
        percent = 100 * done // max(1, total)
        if percent != told:
            told = percent
            progress(done, total)

    return call
