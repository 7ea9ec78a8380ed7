"""A machine whose clock was wrong once: what was written then stays as it is, and spoils nothing that comes later."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from db.queue import claims as queue
from db.queue.check import find_inconsistencies
from db.store.clock import read_clock, to_microseconds
from db.store.moments import AHEAD
from tests.db.actions import claim, decide, item, lease, serve_in_order, undo
from tests.db.conftest import add_questions

TEN_YEARS = timedelta(days=3652)


def now(store):
    with store.read() as session:
        return read_clock(session)


def write_ahead(store, person: int, question: int | None, ahead: timedelta) -> None:
    """A line of a clock that was so far ahead."""
    statement = (
        "INSERT INTO entries (at, kind, person_id, question_id, standing, payload) "
        "VALUES (:at, :kind, :person, :question, 'answer', '{}')"
    )
    kind = "queue" if question is None else "decision"
    values = {"at": to_microseconds(now(store) + ahead), "kind": kind, "person": person, "question": question}
    with store.write() as session:
        session.execute(text(statement), values)


@pytest.mark.parametrize("same_question", [False, True])
def test_a_line_dated_ten_years_ahead_does_not_date_those_after_it(store, team, same_question):
    (question,) = add_questions(store, 1)
    write_ahead(store, team.li, question if same_question else None, TEN_YEARS)
    receipt = decide(store, question, team.li, "电影")
    assert abs(receipt.at - now(store)) < timedelta(minutes=1)
    taken_back = undo(store, receipt, team.li)
    assert receipt.at < taken_back.at < now(store) + timedelta(minutes=1)


def test_a_clock_that_is_set_back_a_little_still_gives_later_moments(store, team):
    (question,) = add_questions(store, 1)
    write_ahead(store, team.li, None, AHEAD / 2)
    receipt = decide(store, question, team.li, "电影")
    assert receipt.at > now(store) + AHEAD / 3


def test_a_check_names_lines_from_the_future(store, team):
    (question,) = add_questions(store, 1)
    decide(store, question, team.li, "电影")
    with store.read() as session:
        assert find_inconsistencies(session) == []
    write_ahead(store, team.li, None, TEN_YEARS)
    with store.read() as session:
        (found,) = find_inconsistencies(session)
    assert "1 lines of the ledger are dated ahead of the database's clock" in str(found)


def test_a_question_taken_when_the_clock_was_ahead_comes_back(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1)
    taken = claim(store, team.li)
    with store.write() as session:
        ahead = to_microseconds(now(store) + TEN_YEARS)
        session.execute(text("UPDATE leases SET claimed_at = :at, expires_at = :at + 1000000"), {"at": ahead})
    assert claim(store, team.wang).question_id == question
    assert lease(store, taken.lease_id).state == "expired"
    assert item(store, question).holders == 1
    assert AHEAD.total_seconds() > queue.LEASE_SECONDS
