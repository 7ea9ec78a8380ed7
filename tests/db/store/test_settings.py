"""What all users of a store share: the revision of the tags."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from db.store import settings
from db.store.clock import read_clock


def test_the_revision_of_the_tags_begins_at_nothing_and_grows(store):
    with store.read() as session:
        assert settings.tag_revision(session) == 0
    assert [store.run(settings.next_tag_revision) for _ in range(3)] == [1, 2, 3]
    with store.read() as session:
        assert settings.tag_revision(session) == 3


def test_a_change_of_tags_that_is_taken_back_uses_up_no_revision(store):
    def work(session):
        settings.next_tag_revision(session)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.run(work)
    assert store.run(settings.next_tag_revision) == 1


def test_the_first_two_changes_of_tags_at_once_get_a_number_each(store):
    """The second waits for the first, also where neither found a number to lock."""
    with ThreadPoolExecutor(1) as thread:
        with store.write() as session:
            assert settings.next_tag_revision(session) == 1
            second = thread.submit(store.run, settings.next_tag_revision)
            if not store.is_sqlite:
                wait_until_somebody_waits(store)
        assert second.result(timeout=60) == 2


def wait_until_somebody_waits(store) -> None:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    deadline = datetime.now(UTC) + timedelta(seconds=60)
    while datetime.now(UTC) < deadline:
        with store.read() as session:
            if session.connection().exec_driver_sql(waiting).scalar():
                return
    raise AssertionError("nobody came to wait")


def test_the_databases_clock_tells_the_time(store):
    with store.read() as session:
        first, second = read_clock(session), read_clock(session)
    assert first <= second
    assert abs(first - datetime.now(UTC)) < timedelta(minutes=1)
