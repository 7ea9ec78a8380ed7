"""Up to which line of the ledger somebody has read, and which earlier lines may still turn up.

PostgreSQL numbers a line before the transaction commits that writes it: of two that are under way the later one may be
seen first. A number that is passed over is looked for again, until so much time has gone by that nothing will come: its
transaction was rolled back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from db.ledger import decided_since
from db.ledger.decided_since import Change

GIVE_UP_SECONDS = 15 * 60  # longer than any transaction takes
BACK = 1_000  # numbers before a line that may be on their way at the same time
A_PAGE = 5_000  # lines read at a time


class OtherLedger(Exception):
    """The last line that was read is not there, or is another: a backup was restored."""


@dataclass(frozen=True)
class Position:
    """`at` is the moment of the line with this number; `missing` are numbers below it, and since when each is."""

    number: int = 0
    at: datetime | None = None
    missing: Mapping[int, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        missing = [list(pair) for pair in self.missing.items()]
        return {"number": self.number, "at": self.at and self.at.isoformat(), "missing": missing}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Position":
        """Raises KeyError, TypeError or ValueError for what `to_dict` did not make."""
        at = values["at"]
        missing = {int(number): float(since) for number, since in values["missing"]}
        return cls(int(values["number"]), None if at is None else datetime.fromisoformat(at), missing)


def lines_after(session: Session, position: Position, now: float) -> tuple[list[Change], Position]:
    """The lines that are new since then, late ones among them, and the position after them. Raises OtherLedger.

    now: as time.time() counts.
    """
    found: list[Change] = []
    after = max(0, position.number - 1)  # the line that is known comes again: it must be the same one
    while page := decided_since.changes(session, after, A_PAGE):
        found += page
        if len(page) < A_PAGE:
            break
        after = page[-1].number
    if position.number:
        if not found or (found[0].number, found[0].at) != (position.number, position.at):
            raise OtherLedger
        del found[0]
    missing = dict(position.missing)
    number = position.number
    for line in found:
        missing |= dict.fromkeys(range(max(number + 1, line.number - BACK), line.number), now)
        number = line.number
    late = decided_since.among(session, position.missing)
    come = {line.number for line in late}
    missing = {one: since for one, since in missing.items() if one not in come and now - since <= GIVE_UP_SECONDS}
    return [*late, *found], Position(number, found[-1].at if found else position.at, missing)


def newest(session: Session, now: float) -> Position:
    """The position at the newest line. Numbers shortly before it that are not there may be on their way."""
    number = decided_since.newest(session)
    if not number:
        return Position()
    recent = decided_since.changes(session, max(0, number - BACK), BACK)
    there = {line.number for line in recent}
    missing = dict.fromkeys(set(range(max(1, number - BACK + 1), number)) - there, now)
    return Position(number, recent[-1].at, missing)
