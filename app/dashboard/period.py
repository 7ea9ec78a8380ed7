"""From when until when the dashboard counts."""

from collections.abc import Sequence
from datetime import date, datetime, tzinfo

from app.shell import clock

RANGES = ("week", "month", "quarter", "all", "custom")
DAYS = {"week": 7, "month": 30, "quarter": 90}


def period(
    chosen: str, zone: tzinfo, now: datetime, days: Sequence[date] = ()
) -> tuple[datetime | None, datetime | None]:
    """From when until when (not included) a time range goes; `days`: the first and last one of a custom range."""
    if chosen in DAYS:
        return clock.start_of(clock.today(zone, now) - (DAYS[chosen] - 1) * clock.A_DAY, zone), None
    if chosen == "custom" and days:
        return clock.start_of(days[0], zone), clock.end_of(days[-1], zone) if len(days) > 1 else None
    return None, None
