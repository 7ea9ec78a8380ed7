"""The one clock: zones, where a day begins and ends, and how moments are written."""

import ast
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from app.shell import clock
from app.shell.settings import ROOT

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "offset", "zone"),
    [
        ("Asia/Shanghai", -480, SHANGHAI),
        (None, -480, timezone(timedelta(hours=8))),
        ("Nowhere/Land", -480, timezone(timedelta(hours=8))),
        ("../../etc/passwd", None, timezone(timedelta(0))),
        (None, None, timezone(timedelta(0))),
    ],
)
def test_a_zone_is_known_by_its_name_or_by_the_offset(name, offset, zone):
    assert clock.zone_of(name, offset) == zone


def test_a_day_begins_and_ends_at_the_visitors_midnight():
    day = date(2026, 1, 31)
    assert clock.start_of(day, SHANGHAI) == datetime(2026, 1, 30, 16, tzinfo=UTC)
    assert clock.end_of(day, SHANGHAI) == datetime(2026, 1, 31, 16, tzinfo=UTC)
    assert clock.last_moment(day, SHANGHAI) == datetime(2026, 1, 31, 15, 59, 59, 999999, tzinfo=UTC)
    assert clock.today(SHANGHAI, datetime(2026, 1, 31, 17, tzinfo=UTC)) == date(2026, 2, 1)


def test_a_day_may_have_23_hours():
    berlin, day = ZoneInfo("Europe/Berlin"), date(2026, 3, 29)
    assert clock.end_of(day, berlin) - clock.start_of(day, berlin) == timedelta(hours=23)


def test_how_a_moment_is_written():
    assert clock.when(NOON, SHANGHAI) == "2026-01-31 20:00"
    assert clock.when(None, SHANGHAI) == "–"
    assert clock.shown_time(NOON, SHANGHAI) == "2026-01-31 20:00:00"
    assert clock.with_offset(NOON, SHANGHAI) == "2026-01-31T20:00:00+08:00"
    assert clock.read_moment("2026-01-31T20:00:00+08:00") == NOON
    assert clock.read_moment("2026-01-31").utcoffset() is not None


def works_out_zones(source: str) -> bool:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ("astimezone", "combine"):
            return True
        if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} & {"ZoneInfo", "timezone"}:
            return True
    return False


def test_nobody_else_works_out_zones_and_midnights():
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    others = [path for path in files if works_out_zones(path.read_text(encoding="utf-8"))]
    assert others == [ROOT / "app" / "shell" / "clock.py"]
