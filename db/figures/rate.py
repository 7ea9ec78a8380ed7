"""What acceptance is a share of: the one rule behind every figure that speaks of accepted suggestions. (pure)

A suggested tag that was put before somebody was accepted, rejected or left untouched, which the ledger calls unjudged.
Acceptance is the share of accepted ones among all that were shown. People pass over what is wrong more often than they
reject it, so among the judged ones alone nearly everything is accepted; that share is told too, where it is asked for.

Only what an entry says was shown counts. A blind decision shows nothing, and a suggested tag without a verdict was put
before nobody as far as is known.
"""

from dataclasses import dataclass
from math import sqrt

SHOWN, JUDGED = AMONG = ("shown", "judged")  # what the share is of; the first one where nothing else is said
COUNTED = {SHOWN: ("accepted", "rejected", "unjudged"), JUDGED: ("accepted", "rejected")}  # the verdicts it is of
Z_95 = 1.959963984540054  # of a two-sided interval of 95%


@dataclass(frozen=True)
class Rate:
    """Verdicts on suggested tags."""

    accepted: int = 0
    rejected: int = 0
    unjudged: int = 0  # shown, and left untouched

    def of(self, among: str = SHOWN) -> int:
        """How many tags the share is of."""
        return sum(getattr(self, verdict) for verdict in COUNTED[among])

    def share(self, among: str = SHOWN) -> float | None:
        return self.accepted / self.of(among) if self.of(among) else None

    def interval(self, among: str = SHOWN) -> tuple[float, float] | None:
        return wilson(self.accepted, self.of(among)) if self.of(among) else None

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.accepted + other.accepted, self.rejected + other.rejected, self.unjudged + other.unjudged)


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's score interval of 95% for a share: honest for few trials and for shares near 0 and 1."""
    share, spread = hits / trials, Z_95**2 / trials
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    return max(0.0, middle - half), min(1.0, middle + half)
