"""How likely a suggested tag is to be accepted, by its votes and by what people decided about the same model before.

Of the tags that were shown, as everywhere (db.figures.rate): what was left untouched was not accepted. Counting them
takes seconds where there are many, so it happens beside the pages: a page takes what is known by now.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.learning import calibration
from app.learning.calibration import Calibration, Outcome
from db.errors import StoreError
from db.figures import acceptance
from db.figures.counts import VoteRate
from db.figures.rate import SHOWN
from db.store.engine import Store

LOOK_AGAIN_SECONDS = 60.0
GROWTH = 20  # the curve is drawn anew when the decisions have grown by one in so many, and by so many at least

log = logging.getLogger(__name__)


def in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="acceptance", daemon=True).start()


@dataclass
class _Known:
    looked_at: float
    decisions: int = 0
    curve: Calibration | None = None


class Acceptance:
    """What is known of each version, shared by all sessions of a process."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[Callable[[], None]], None] = in_background,
    ):
        self._store, self._clock, self._start = store, clock, start
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()

    def probability(self, version: str, share: float) -> float | None:
        """Of a tag with this share of the votes; None while too few tags of this version were shown."""
        with self._lock:
            known = self._known.get(version)
            due = known is None or self._clock() - known.looked_at >= LOOK_AGAIN_SECONDS
            if known is None:
                known = self._known[version] = _Known(0.0)
            if due:
                known.looked_at = self._clock()
        if due:
            self._start(lambda: self._look(version))
        curve = known.curve
        return None if curve is None else curve.probability(share)

    def _look(self, version: str) -> None:
        """Read how tags fared, if enough of it is new."""
        known = self._known[version]
        try:
            with self._store.read() as session:
                decisions = acceptance.decisions(session, version)
                if abs(decisions - known.decisions) < max(GROWTH, known.decisions // GROWTH):
                    return
                outcomes = outcomes_of(acceptance.vote_rates(session, version))
            enough = calibration.total(outcomes) >= calibration.ENOUGH
            known.curve = Calibration(outcomes) if enough else None
            known.decisions = decisions
        except StoreError as error:  # the page says the same; what was known stays
            log.warning("cannot read how suggestions fared: %s", error)


def outcomes_of(rates: Sequence[VoteRate], among: str = SHOWN) -> list[Outcome]:
    """What the store has as the calibration takes it; `among` says which tags count (db.figures.rate)."""
    return [
        Outcome(item.votes / item.beam, item.rate.of(among), item.rate.accepted)
        for item in rates
        if item.rate.of(among)
    ]
