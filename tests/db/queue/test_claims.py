"""Claims and leases: who holds which question, for how long, and how it goes back."""

from datetime import timedelta

import pytest

from db import people
from db.errors import NotFound, Refused
from db.queue import claims as queue
from tests.db.actions import claim, claimed_ids, decide, expire, item, lease, scalar, serve_in_order, undo
from tests.db.conftest import add_questions


@pytest.fixture
def two(store, team) -> list[int]:
    """Two questions that are served in the order they came."""
    serve_in_order(store)
    return add_questions(store, 2)


def test_a_claim_carries_the_question_and_why_it_was_served(store, team, two):
    got = claim(store, team.li)
    assert (got.question_id, got.pick, got.resumed, got.blind) == (two[0], "ordered", False, False)
    assert (got.source, got.prior_tags, got.description) == ("zhihu", ("电影", "生活"), "")
    assert got.title.startswith("第")
    stored = lease(store, got.lease_id)
    assert (stored.person_id, stored.state, stored.pick, stored.ordering) == (team.li, "held", "ordered", "oldest")
    assert stored.expires_at - stored.claimed_at == timedelta(minutes=15)


def test_a_question_of_overlap_one_is_with_one_person(store, team, two):
    assert claim(store, team.li).question_id == two[0]
    assert claim(store, team.wang).question_id == two[1]
    assert claim(store, team.researcher) is None
    assert (item(store, two[0]).holders, item(store, two[0]).is_open) == (1, False)


def test_a_question_of_overlap_two_is_with_two_people_and_not_with_three(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1, overlap=2)
    assert claim(store, team.li).question_id == question
    assert item(store, question).is_open
    assert claim(store, team.wang).question_id == question
    assert claim(store, team.researcher) is None
    assert (item(store, question).holders, item(store, question).is_open) == (2, False)


def test_somebody_who_answered_is_not_served_the_question_again(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1, overlap=2)
    decide(store, question, team.li, "电影", lease_id=claim(store, team.li).lease_id)
    assert claim(store, team.li) is None
    assert claim(store, team.wang).question_id == question


def test_a_decision_without_a_claim_keeps_the_question_from_its_author_too(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1, overlap=2)
    decide(store, question, team.li, "电影")
    assert claim(store, team.li) is None


def test_first_opinions_are_asked_for_before_second_ones(store, team):
    serve_in_order(store)
    first, second = add_questions(store, 2, overlap=2)
    decide(store, first, team.li, "电影")
    assert claimed_ids(store, team.wang) == [second, first]


def test_what_a_person_holds_comes_back_first_and_for_longer(store, team, two):
    got = claim(store, team.li, seconds=60)
    again = claim(store, team.li, seconds=600)
    assert (again.lease_id, again.question_id, again.resumed) == (got.lease_id, two[0], True)
    assert again.expires_at >= got.expires_at + timedelta(seconds=540)
    assert scalar(store, "SELECT count(*) FROM leases") == 1


def test_another_is_a_second_question_beside_the_first(store, team, two):
    claim(store, team.li)
    more = claim(store, team.li, another=True)
    assert (more.question_id, more.resumed) == (two[1], False)
    assert claim(store, team.li, another=True) is None


def test_an_expired_lease_returns_to_the_queue(store, team, two):
    got = claim(store, team.li)
    claim(store, team.wang)
    expire(store, got.lease_id)
    taken_over = claim(store, team.researcher)
    assert taken_over.question_id == two[0]
    assert lease(store, got.lease_id).state == "expired"
    assert lease(store, got.lease_id).ended_at is not None
    assert item(store, two[0]).holders == 1


def test_the_person_whose_lease_ran_out_may_claim_the_question_again(store, team, two):
    got = claim(store, team.li)
    expire(store, got.lease_id)
    again = claim(store, team.li)
    assert (again.question_id, again.resumed) == (two[0], False)
    assert again.lease_id != got.lease_id


def test_many_expired_leases_are_cleared_away_a_part_at_a_time(store, team, two, monkeypatch):
    monkeypatch.setattr(queue, "SWEEP", 1)
    for _ in two:
        expire(store, claim(store, team.li, another=True).lease_id)
        # The next claim of the loop clears the one before.
    assert scalar(store, "SELECT count(*) FROM leases WHERE state = 'held'") == 1
    assert store.run(lambda session: queue.return_expired(session, queue.read_clock(session))) == 1
    assert store.run(lambda session: queue.return_expired(session, queue.read_clock(session))) == 0
    assert [item(store, question).is_open for question in two] == [True, True]


def test_a_heartbeat_holds_on_to_a_question(store, team, two):
    got = claim(store, team.li, seconds=60)
    until = store.run(lambda session: queue.heartbeat(session, got.lease_id, team.li, seconds=600))
    assert until == lease(store, got.lease_id).expires_at
    assert until >= got.expires_at + timedelta(seconds=540)


def test_a_heartbeat_comes_too_late_for_a_lease_that_ran_out(store, team, two):
    got = claim(store, team.li)
    expire(store, got.lease_id)
    assert store.run(lambda session: queue.heartbeat(session, got.lease_id, team.li)) is None
    assert store.run(lambda session: queue.return_expired(session, queue.read_clock(session))) == 1


def test_nobody_can_hold_on_to_somebody_elses_question(store, team, two):
    got = claim(store, team.li, seconds=60)
    assert store.run(lambda session: queue.heartbeat(session, got.lease_id, team.wang)) is None
    assert lease(store, got.lease_id).expires_at == got.expires_at


def test_a_skipped_question_keeps_its_reason_and_goes_to_others_at_once(store, team, two):
    got = claim(store, team.li)
    store.run(lambda session: queue.skip(session, got.lease_id, team.li, " 看不懂 "))
    assert (lease(store, got.lease_id).state, lease(store, got.lease_id).reason) == ("skipped", "看不懂")
    assert claim(store, team.wang).question_id == two[0]


def test_a_skipped_question_comes_back_to_the_skipper_after_all_others(store, team):
    serve_in_order(store)
    first, second, third = add_questions(store, 3)
    got = claim(store, team.li)
    store.run(lambda session: queue.skip(session, got.lease_id, team.li, "too hard"))
    assert claimed_ids(store, team.li) == [second, third, first]


@pytest.mark.parametrize("reason", ["", "  ", "\0"])
def test_a_skip_needs_a_reason(store, team, two, reason):
    got = claim(store, team.li)
    with pytest.raises(Refused, match="needs a reason"):
        store.run(lambda session: queue.skip(session, got.lease_id, team.li, reason))
    assert lease(store, got.lease_id).state == "held"


def test_a_skip_after_the_lease_ran_out_still_keeps_its_reason(store, team, two):
    got = claim(store, team.li)
    expire(store, got.lease_id)
    store.run(lambda session: queue.return_expired(session, queue.read_clock(session)))
    store.run(lambda session: queue.skip(session, got.lease_id, team.li, "spam\0 \ud83d"))
    assert (lease(store, got.lease_id).state, lease(store, got.lease_id).reason) == ("skipped", "spam \ufffd")
    assert item(store, two[0]).holders == 0


def test_a_released_question_is_as_if_it_had_never_been_claimed(store, team, two):
    got = claim(store, team.li)
    store.run(lambda session: queue.release(session, got.lease_id, team.li))
    assert (lease(store, got.lease_id).state, lease(store, got.lease_id).reason) == ("released", None)
    assert item(store, two[0]).is_open
    assert claim(store, team.li).question_id == two[0]


def test_a_lease_can_be_given_back_once_and_only_by_its_holder(store, team, two):
    got = claim(store, team.li)
    with pytest.raises(NotFound, match=f"Lease {got.lease_id} is not yours"):
        store.run(lambda session: queue.release(session, got.lease_id, team.wang))
    store.run(lambda session: queue.release(session, got.lease_id, team.li))
    with pytest.raises(Refused, match="no longer in your hands: it was released"):
        store.run(lambda session: queue.skip(session, got.lease_id, team.li, "late"))
    assert item(store, two[0]).holders == 0


def test_holders_are_visible_until_their_lease_runs_out(store, team, two):
    first, second = claim(store, team.li), claim(store, team.wang)
    with store.read() as session:
        seen = queue.holders(session)
    assert [(h.question_id, h.person) for h in seen] == [(two[0], "li"), (two[1], "wang")]
    assert seen[1].expires_at - seen[1].since == timedelta(minutes=15)
    expire(store, first.lease_id)
    with store.read() as session:
        assert [h.person for h in queue.holders(session)] == ["wang"]
    store.run(lambda session: queue.release(session, second.lease_id, team.wang))
    with store.read() as session:
        assert queue.holders(session) == []


def test_a_certain_question_can_be_claimed_by_its_number(store, team, two):
    got = store.run(lambda session: queue.claim_question(session, team.li, two[1]))
    assert (got.question_id, got.pick, lease(store, got.lease_id).ordering) == (two[1], "direct", None)
    again = store.run(lambda session: queue.claim_question(session, team.li, two[1]))
    assert (again.lease_id, again.resumed) == (got.lease_id, True)


def test_a_question_in_other_hands_is_refused_with_the_holders_name(store, team, two):
    claim(store, team.li)
    with pytest.raises(Refused, match=f"Question {two[0]} is with li"):
        store.run(lambda session: queue.claim_question(session, team.wang, two[0]))
    decide(store, two[0], team.li, "电影")
    with pytest.raises(Refused, match=f"Question {two[0]} has all the answers it asks for"):
        store.run(lambda session: queue.claim_question(session, team.wang, two[0]))


def test_a_question_that_does_not_exist_cannot_be_claimed(store, team):
    with pytest.raises(NotFound, match="There is no question 4711"):
        store.run(lambda session: queue.claim_question(session, team.li, 4711))


def test_a_person_whose_account_is_closed_is_refused(store, team, two):
    store.run(lambda session: people.deactivate(session, "li", by=team.admin))
    for attempt in (
        lambda session: queue.claim(session, team.li),
        lambda session: queue.claim_question(session, team.li, two[0]),
    ):
        with pytest.raises(Refused, match="li is no longer active"):
            store.run(attempt)
    assert scalar(store, "SELECT count(*) FROM leases") == 0


def test_an_unknown_order_is_refused_with_the_orders_there_are(store, team):
    with pytest.raises(Refused, match=r"newest is not an order of the queue\. The orders are oldest, uncertain, rare"):
        claim(store, team.li, order="newest")


def test_a_larger_overlap_reopens_answered_questions_and_a_smaller_one_closes_them(store, team, two):
    decide(store, two[0], team.li, "电影")
    assert not item(store, two[0]).is_open
    assert store.run(lambda session: queue.set_overlap(session, 2, question_id=two[0])) == 1
    assert item(store, two[0]).is_open
    assert (item(store, two[0]).overlap, item(store, two[1]).overlap) == (2, 1)
    assert claimed_ids(store, team.wang) == [two[1], two[0]]
    assert store.run(lambda session: queue.set_overlap(session, 1)) == 2
    assert not item(store, two[0]).is_open
    with pytest.raises(Refused, match="An overlap of 0 would serve nothing"):
        store.run(lambda session: queue.set_overlap(session, 0))


def test_the_overlap_of_one_source_can_be_changed(store, team, questions):
    assert store.run(lambda session: queue.set_overlap(session, 3, source="guokr")) == 5
    assert scalar(store, "SELECT count(*) FROM queue_items WHERE overlap = 3 AND source = 'guokr'") == 5
    assert scalar(store, "SELECT count(*) FROM queue_items WHERE overlap = 1") == 15


def test_an_undone_answer_opens_the_question_for_its_author_too(store, team, two):
    receipt = decide(store, two[0], team.li, "电影", lease_id=claim(store, team.li).lease_id)
    assert claim(store, team.li).question_id == two[1]
    undo(store, receipt, team.li)
    assert claim(store, team.li, another=True).question_id == two[0]


def test_a_second_decision_on_an_undone_lease_is_not_served_to_its_author_again(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1, overlap=2)
    got = claim(store, team.li)
    undo(store, decide(store, question, team.li, "电影", lease_id=got.lease_id), team.li)
    decide(store, question, team.li, "生活", lease_id=got.lease_id)
    assert lease(store, got.lease_id).state == "submitted"
    assert claim(store, team.li) is None


def test_an_answer_on_an_old_lease_ends_a_newer_one_of_the_same_person(store, team, two):
    old = claim(store, team.li)
    expire(store, old.lease_id)
    newer = claim(store, team.li)
    assert newer.question_id == two[0]
    decide(store, two[0], team.li, "电影", lease_id=old.lease_id)
    assert [lease(store, got.lease_id).state for got in (old, newer)] == ["submitted", "submitted"]
    assert (item(store, two[0]).answers, item(store, two[0]).holders) == (1, 0)
    assert claim(store, team.li).question_id == two[1]


def test_a_person_whose_account_is_closed_holds_nothing(store, team, two):
    """Neither for longer, nor by a skip; and the question goes to the next one who asks."""
    got = claim(store, team.li)
    store.run(lambda session: people.deactivate(session, "li", by=team.admin))
    with pytest.raises(Refused, match="li is no longer active"):
        store.run(lambda session: queue.heartbeat(session, got.lease_id, team.li))
    with pytest.raises(Refused, match="li is no longer active"):
        store.run(lambda session: queue.skip(session, got.lease_id, team.li, "看不懂"))
    with pytest.raises(Refused, match="li is no longer active"):
        store.run(lambda session: queue.release(session, got.lease_id, team.li))
    assert lease(store, got.lease_id).reason is None
    with store.read() as session:
        assert queue.holders(session) == []
    assert claim(store, team.wang).question_id == got.question_id
    assert lease(store, got.lease_id).state == "expired"
