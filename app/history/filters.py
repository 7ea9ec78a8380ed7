"""What somebody searches for on the history page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import TypedDict

from app.access.auth import Visitor
from app.entry.labels_seen import FLAGS, OTHERS
from app.shell.clock import end_of, start_of
from app.shell.i18n import TEXTS
from db.access import allows

ANY_FLAG = "history.flag_any"
FLAG_CHOICES = ("", ANY_FLAG, *FLAGS)  # none asked for, any at all, or one of the board's


class Conditions(TypedDict):
    """As db.ledger.history.recent_entries wants them."""

    question_text: str
    tag: str
    number: int | None
    person_id: int | None
    since: datetime | None
    until: datetime | None
    flags: Sequence[str] | None
    commented: bool


@dataclass(frozen=True)
class Filters:
    """What somebody searches for on the history page."""

    text: str = ""
    tag: str = ""
    number: int | None = None
    person_id: int | None = None
    since: date | None = None
    until: date | None = None  # this day too
    flag: str = ""  # one of FLAG_CHOICES
    commented: bool = False

    def conditions(self, visitor: Visitor, zone: tzinfo) -> Conditions:
        """Moderators see their own entries, whatever the page asked for."""
        sees_all = allows(visitor.role, OTHERS)
        return {
            "question_text": self.text,
            "tag": self.tag,
            "number": self.number,
            "person_id": self.person_id if sees_all else visitor.id,
            "since": start_of(self.since, zone) if self.since else None,
            "until": end_of(self.until, zone) if self.until else None,
            "flags": _flags_called(self.flag),
            "commented": self.commented,
        }


def _flags_called(choice: str) -> tuple[str, ...] | None:
    """A flag is kept in the words of whoever raised it, so one of the board's may stand there in any language."""
    if not choice:
        return None
    return () if choice == ANY_FLAG else tuple(TEXTS[choice].values())
