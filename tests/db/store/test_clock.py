"""Moments are whole microseconds in UTC, the same on every database."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, select
from sqlalchemy.dialects import postgresql, sqlite

from db.store.clock import Moment, database_now, from_microseconds, to_microseconds


def test_a_moment_is_counted_in_microseconds_since_1970():
    assert to_microseconds(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert to_microseconds(datetime(1970, 1, 2, 0, 0, 1, 5, tzinfo=UTC)) == 86_401_000_005
    assert from_microseconds(86_401_000_005) == datetime(1970, 1, 2, 0, 0, 1, 5, tzinfo=UTC)
    assert to_microseconds(datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)) == -1_000_000


def test_the_same_moment_in_another_time_zone_is_the_same_number():
    beijing = timezone(timedelta(hours=8))
    assert to_microseconds(datetime(1970, 1, 1, 8, tzinfo=beijing)) == 0


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="2026-01-31T00:00:00 has no time zone"):
        to_microseconds(datetime(2026, 1, 31))


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_moment_survives_the_round_trip(moment):
    assert from_microseconds(to_microseconds(moment)) == moment


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_numbers_compare_as_moments_do(one, other):
    assert (to_microseconds(one) < to_microseconds(other)) == (one < other)


def test_a_column_takes_a_moment_a_number_and_nothing():
    column, dialect = Moment(), sqlite.dialect()
    assert column.process_bind_param(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), dialect) == 1_000_000
    assert column.process_bind_param(17, dialect) == 17
    assert column.process_bind_param(None, dialect) is None
    assert column.process_result_value(None, dialect) is None


def test_the_databases_clock_is_read_as_a_moment():
    with create_engine("sqlite://").connect() as connection:
        now = connection.scalar(select(database_now()))
    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


def test_postgresql_tells_the_time_of_the_statement_not_of_the_transaction():
    assert "clock_timestamp()" in str(select(database_now()).compile(dialect=postgresql.dialect()))
