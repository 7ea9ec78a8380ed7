"""The store's own titles, counted for the engine: a name that is new this week is known as one this week.

Unlike memory this is no function of the ledger: questions count from the moment they come in, decided or not. It is
never kept; a hundred thousand titles are counted in seconds.
"""

import threading

from sqlalchemy.orm import Session

from db.tags.emerging import titles_after
from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.finder import NameFinder
from l2a.evidence.names.tokens import numbers_of
from l2a.text.cleaning import clean

LEAST = 5  # times that a run stands in these titles before it counts, as in the large text
AT_ONCE = 2_000  # titles that are counted while somebody waits
GROWN = 50  # one title in so many is new: many are counted again only then


class OwnTitles:
    """Follows one store for one model; called by one thread at a time."""

    def __init__(self, finder: NameFinder):
        self._finder = finder
        self._titles: dict[int, str] = {}
        self._last = 0  # number of the newest question that was read
        self._counted = 0  # titles
        self._counting: threading.Thread | None = None

    def catch_up(self, session: Session) -> None:
        """Read what came in since; count it now, or beside where there is much of it."""
        for number, title in titles_after(session, self._last):
            self._titles[number] = clean(title)
            self._last = max(self._last, number)
        missing = abs(len(self._titles) - self._counted)
        if not missing or (self._counting is not None and self._counting.is_alive()):
            return
        if len(self._titles) <= AT_ONCE:
            self._count(list(self._titles.values()))
        elif missing * GROWN > len(self._titles):
            titles = list(self._titles.values())
            self._counting = threading.Thread(target=self._count, args=(titles,), name="own titles", daemon=True)
            self._counting.start()

    def forget(self) -> None:
        """Read everything again the next time: a question was redacted."""
        self._titles, self._last, self._counted = {}, 0, -1

    def wait(self) -> None:
        """Until what is being counted is counted."""
        if self._counting is not None:
            self._counting.join()

    def _count(self, titles: list[str]) -> None:
        self._counted = len(titles)
        self._finder.grow(SpanCounts.count(numbers_of(titles), LEAST) if titles else None)
