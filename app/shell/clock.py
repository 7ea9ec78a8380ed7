"""The one clock: time zones, where a day begins and ends, and how a moment is written. No Streamlit here.

`app.shell.session.zone` gives the zone of whoever looks at a page; the command line works in the machine's own.
"""

from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

A_DAY = timedelta(days=1)


def zone_of(name: str | None, offset: int | None) -> tzinfo:
    """A time zone by its name, or by the minutes that it is behind UTC, as browsers say them."""
    try:
        return ZoneInfo(name or "")
    except (ValueError, OSError, KeyError):  # none, no such zone, or a system without a list of zones
        return timezone(-timedelta(minutes=offset or 0))


def today(zone: tzinfo, now: datetime | None = None) -> date:
    return day_of(now or datetime.now(UTC), zone)


def day_of(moment: datetime, zone: tzinfo | None = None) -> date:
    """The day that a moment lies in. No zone: the machine's own."""
    return moment.astimezone(zone).date()


def start_of(day: date, zone: tzinfo) -> datetime:
    """The midnight that a day begins with, in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The first moment after the day."""
    return start_of(day + A_DAY, zone)


def last_moment(day: date, zone: tzinfo) -> datetime:
    """The store tells time in microseconds."""
    return end_of(day, zone) - timedelta(microseconds=1)


def when(moment: datetime | None, zone: tzinfo) -> str:
    """A moment to the minute, for tables; a dash where there is none."""
    return "–" if moment is None else f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def shown_time(moment: datetime, zone: tzinfo) -> str:
    """A moment to the second."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}"


def with_offset(moment: datetime, zone: tzinfo | None = None, *, sep: str = "T") -> str:
    """With how far the zone is from UTC, for files and terminals. No zone: the machine's own."""
    return moment.astimezone(zone).isoformat(sep, "seconds")


def read_moment(text: str) -> datetime:
    """A time with its zone: ISO 8601. Without a zone it is the machine's; a date alone is the midnight it begins with.

    Raises ValueError or OverflowError.
    """
    return datetime.fromisoformat(text).astimezone()
