"""What somebody searches for on the history page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import TypedDict
from zoneinfo import ZoneInfo

from app.access.auth import Visitor
from app.annotate.board import FLAGS
from app.shell.i18n import TEXTS
from app.shell.labels_seen import OTHERS
from db.access import allows

ANY_FLAG = "history.flag_any"
FLAG_CHOICES = ("", ANY_FLAG, *FLAGS)  # none asked for, any at all, or one of the board's


def visitor_zone(name: str | None, offset: int | None) -> tzinfo:
    """The visitor's time zone by its name, or by the minutes that it is behind UTC, as the browser says them."""
    try:
        return ZoneInfo(name or "")
    except (ValueError, OSError, KeyError):  # none, no such zone, or a system without a list of zones
        return timezone(-timedelta(minutes=offset or 0))


def start_of(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The first moment after the day."""
    return start_of(day + timedelta(days=1), zone)


def last_moment(day: date, zone: tzinfo) -> datetime:
    """The store tells time in microseconds."""
    return end_of(day, zone) - timedelta(microseconds=1)


def shown_time(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


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
