"""From when until when the dashboard counts."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

RANGES = ("week", "month", "quarter", "all", "custom")
DAYS = {"week": 7, "month": 30, "quarter": 90}


def zone_of(name: str | None, offset: int | None) -> tzinfo:
    """The visitor's time zone by its name, or by the minutes that the browser says UTC is ahead."""
    try:
        return ZoneInfo(name) if name else timezone(-timedelta(minutes=offset or 0))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return timezone(-timedelta(minutes=offset or 0))


def period(
    chosen: str, zone: tzinfo, now: datetime, days: Sequence[date] = ()
) -> tuple[datetime | None, datetime | None]:
    """From when until when (not included) a time range goes; `days`: the first and last one of a custom range."""
    today = now.astimezone(zone).date()
    if chosen in DAYS:
        return _midnight(today - timedelta(days=DAYS[chosen] - 1), zone), None
    if chosen == "custom" and days:
        return _midnight(days[0], zone), _midnight(days[-1] + timedelta(days=1), zone) if len(days) > 1 else None
    return None, None


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
