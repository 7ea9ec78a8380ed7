"""What a person did today can be walked back, decisions and skips alike, newest first."""

from datetime import timedelta

import pytest

from db.errors import Refused
from db.ledger import desk_work
from db.ledger.desk_work import Choices, Done
from db.queue import claims as queue
from db.store.clock import read_clock
from tests.db.actions import claim, decide, lease, look, serve_in_order, submit, suggest, undo
from tests.db.conftest import add_questions


@pytest.fixture
def questions(store, team) -> list[int]:
    serve_in_order(store)
    return add_questions(store, 4)


@pytest.fixture
def midnight(store):
    with store.read() as session:
        return read_clock(session) - timedelta(hours=1)


def skip(store, question: int, person: int, reason: str = "不熟悉") -> int:
    held = store.run(lambda session: queue.claim_question(session, person, question))
    store.run(lambda session: queue.skip(session, held.lease_id, person, reason))
    return held.lease_id


def latest(store, person: int, since) -> Done | None:
    with store.read() as session:
        return desk_work.latest(session, person, since)


def take_back(store, done: Done, person: int, **options):
    return store.run(lambda session: desk_work.take_back(session, done, person, **options))


def test_there_is_nothing_to_take_back_at_first(store, team, questions, midnight):
    decide(store, questions[0], team.wang, "电影")
    assert latest(store, team.li, midnight) is None


def test_decisions_and_skips_are_walked_back_in_their_order(store, team, questions, midnight):
    first = decide(store, questions[0], team.li, "电影")
    skipped = skip(store, questions[1], team.li)
    last = decide(store, questions[2], team.li, "音乐")
    walked = []
    while (done := latest(store, team.li, midnight)) is not None:
        walked.append((done.kind, done.receipt, done.question_id, done.reason))
        take_back(store, done, team.li)
    assert walked == [
        ("decision", str(last.number), questions[2], ""),
        ("skip", f"S{skipped}", questions[1], "不熟悉"),
        ("decision", str(first.number), questions[0], ""),
    ]
    assert all(look(store, question).settled.state == "none" for question in questions)
    assert (lease(store, skipped).state, lease(store, skipped).reason) == ("released", None)


def test_a_decision_comes_back_with_its_choices(store, team, live_model, questions, midnight):
    (question, *_) = questions
    suggestion = suggest(store, question, {"电影": 4, "导演": 3, "演员": 2})
    submit(
        store,
        question_id=question,
        person_id=team.li,
        verdicts={"电影": "accepted", "导演": "rejected", "影评": "added"},
        suggestion_id=suggestion,
        comment="看看",
        flag="重复",
    )
    taken = take_back(store, latest(store, team.li, midnight), team.li)
    assert taken.choices == Choices({"电影": "accepted", "导演": "rejected", "影评": "added"}, "看看", "重复")
    assert taken.number is not None


def test_what_somebody_took_back_already_is_passed_over(store, team, questions, midnight):
    first = decide(store, questions[0], team.li, "电影")
    second = decide(store, questions[1], team.li, "音乐")
    taken_back = undo(store, second, team.admin)
    assert latest(store, team.li, midnight).number == first.number
    undo(store, taken_back, team.admin)  # and what was brought back again is not
    assert latest(store, team.li, midnight).number == second.number


def test_a_change_of_mind_is_taken_back_before_what_it_replaced(store, team, questions, midnight):
    first = decide(store, questions[0], team.li, "电影")
    changed = decide(store, questions[0], team.li, "音乐")
    done = latest(store, team.li, midnight)
    assert done.number == changed.number
    take_back(store, done, team.li)
    assert look(store, questions[0]).settled.tags == ("电影",)
    assert latest(store, team.li, midnight).number == first.number


def test_yesterday_is_left_alone(store, team, questions):
    decide(store, questions[0], team.li, "电影")
    skip(store, questions[1], team.li)
    with store.read() as session:
        tomorrow = read_clock(session) + timedelta(hours=1)
    assert latest(store, team.li, tomorrow) is None


def test_many_that_were_taken_back_hide_nothing_older(store, team, midnight):
    serve_in_order(store)
    first, *others = add_questions(store, desk_work.ENTRIES_A_STEP + 5)
    kept = decide(store, first, team.li, "电影")
    for question in others:
        undo(store, decide(store, question, team.li, "音乐"), team.li)
    assert latest(store, team.li, midnight).number == kept.number


def test_the_same_is_not_taken_back_twice(store, team, questions, midnight):
    decide(store, questions[0], team.li, "电影")
    decision = latest(store, team.li, midnight)
    once = take_back(store, decision, team.li, idempotency_key="u1")
    assert take_back(store, decision, team.li, idempotency_key="u1").number == once.number
    with pytest.raises(Refused, match="was taken back already"):
        take_back(store, decision, team.li)
    skip(store, questions[1], team.li)
    skipped = latest(store, team.li, midnight)
    take_back(store, skipped, team.li)
    with pytest.raises(Refused, match=f"Skip {skipped.receipt} was taken back already"):
        take_back(store, skipped, team.li)


def test_nobody_takes_back_the_skip_of_another(store, team, questions, midnight):
    skip(store, questions[0], team.li)
    with pytest.raises(Refused):
        take_back(store, latest(store, team.li, midnight), team.wang)


def test_a_skip_that_was_taken_back_counts_as_never_skipped(store, team, questions, midnight):
    skip(store, questions[0], team.li)
    assert claim(store, team.li).question_id == questions[1]
    take_back(store, latest(store, team.li, midnight), team.li)
    assert claim(store, team.li, another=True).question_id == questions[0]


def test_what_waits_is_counted_without_what_one_has_had(store, team, questions):
    decide(store, questions[0], team.li, "电影")
    claim(store, team.wang)
    skip(store, questions[2], team.li)
    with store.read() as session:
        assert queue.count_waiting(session, team.li, 100) == 2  # skipped ones come last, but they come
        assert queue.count_waiting(session, team.li, 1) == 1
