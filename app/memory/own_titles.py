"""The store's own titles, counted for the engine: a name that is new this week is known as one this week.

Unlike memory this is no function of the ledger: questions count from the moment they come in, decided or not. It is
never kept; the newest titles are counted in a second or two.
"""

import threading

from sqlalchemy.orm import Session

from db.tags.emerging import titles_after
from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.finder import NameFinder
from l2a.evidence.names.tokens import numbers_of
from l2a.text.cleaning import clean

LEAST = 5  # times that a run stands in these titles before it counts, as in the large text
MOST = 20_000  # titles, the newest: what is new is in them, and room and time stay small
AT_ONCE = 2_000  # titles that are counted while somebody waits
GROWN = 50  # one title in so many is new: many are counted again only then


class OwnTitles:
    """Follows one store for one model; called by one thread at a time."""

    def __init__(self, finder: NameFinder):
        self._finder = finder
        self._titles: dict[int, str] = {}
        self._last = 0  # number of the newest question that was read
        self._missing = 0  # titles that came, or went, since they were counted
        self._counting: threading.Thread | None = None

    def catch_up(self, session: Session) -> None:
        """Read what came in since; count it now, or beside where there is much of it."""
        new = titles_after(session, self._last, MOST)
        for number, title in new:
            self._titles[number] = clean(title)
            self._last = number
        while len(self._titles) > MOST:
            del self._titles[next(iter(self._titles))]  # the oldest
        self._missing += len(new)
        if not self._missing or (self._counting is not None and self._counting.is_alive()):
            return
        if len(self._titles) <= AT_ONCE:
            self._count(list(self._titles.values()))
        elif self._missing * GROWN > len(self._titles):
            titles = list(self._titles.values())
            self._counting = threading.Thread(target=self._count, args=(titles,), name="own titles", daemon=True)
            self._counting.start()

    def forget(self) -> None:
        """Read everything again the next time: a question was redacted."""
        self._titles, self._last, self._missing = {}, 0, 1

    def wait(self) -> None:
        """Until what is being counted is counted."""
        if self._counting is not None:
            self._counting.join()

    def _count(self, titles: list[str]) -> None:
        self._missing = 0
        self._finder.grow(SpanCounts.count(numbers_of(titles), LEAST) if titles else None)
