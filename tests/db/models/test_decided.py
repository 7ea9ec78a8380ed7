"""What a training reads: settled labels only, and the same rows again when it is read as of the same moment."""

import pytest

from db.ledger import entries as ledger
from db.ledger.labelled import read_labelled
from db.models.decided import (
    count_decided_first_after,
    count_material,
    decided_first_after,
    decided_questions,
    last_entry,
)
from db.tags import planning as tags
from db.transfer.export import ExportFilter, labelled_questions
from tests.db.actions import change_tags, claim, review, scalar, serve_in_order, share, undo
from tests.db.conftest import add_questions
from tests.db.deciding import decide, suggest


def rows(store, as_of=None):
    with store.read() as session:
        return list(decided_questions(session, as_of))


def newest(store):
    with store.read() as session:
        return last_entry(session)


def test_a_row_says_what_a_training_needs(store, team, questions, live_model):
    question = questions[2]
    suggestion = suggest(store, question, live_model, 电影=8, 纪录片=4, 导演=3, 演员=1)
    decide(store, question, team.li, accepted=["电影"], rejected=["导演"], added=["影评"], suggestion_id=suggestion)
    (row,) = rows(store)
    assert (row.question_id, row.source, row.state, row.picks) == (question, "guokr", "single", ("direct",))
    assert (row.tags, row.rejected, row.unjudged) == (("电影", "影评"), ("导演",), ("纪录片",))
    stored = "SELECT {} FROM questions WHERE id = :id"
    assert row.title == scalar(store, stored.format("title"), id=question)
    assert row.description == ""
    assert row.text_hash == scalar(store, stored.format("text_hash"), id=question)


def test_a_decided_question_stays_in_its_pool_and_the_pick_says_how_it_was_served(store, team):
    share(store, random=1.0, blind=0.0)
    (at_random,) = add_questions(store, 1)
    claimed = claim(store, team.li)
    decide(store, claimed.question_id, team.li, added=["电影"], lease_id=claimed.lease_id)
    serve_in_order(store)  # moves only what nobody has taken up
    (in_order,) = add_questions(store, 1)
    decide(store, in_order, team.li, added=["电影"])
    assert [(row.question_id, row.pool, row.picks) for row in rows(store)] == [
        (at_random, "random", ("random",)),
        (in_order, "ordered", ("direct",)),
    ]


def test_only_what_is_settled_is_read_oldest_question_first(store, team):
    first, second, third, fourth, fifth, sixth = add_questions(store, 6, overlap=2)
    for question, of_li, of_wang in (
        (sixth, "旅行", "旅行"),
        (third, "音乐", "摇滚"),  # in conflict, and nobody looked at it
        (second, "电影", "影评"),  # in conflict, and reviewed
    ):
        decide(store, question, team.li, added=[of_li])
        decide(store, question, team.wang, added=[of_wang])
    review(store, second, team.researcher, "影评")
    undo(store, decide(store, fourth, team.li, added=["美食"]), team.li)
    decide(store, fifth, team.li, added=["秘密"])
    store.run(lambda session: ledger.redact(session, fifth, team.admin, reason="asked to"))
    decide(store, first, team.li, added=["电影"])
    assert [(row.question_id, row.state, row.tags) for row in rows(store)] == [
        (first, "single", ("电影",)),
        (second, "reviewed", ("影评",)),
        (sixth, "agreed", ("旅行",)),
    ]


def test_the_newest_line_has_the_greatest_number_and_moment(store, team, questions):
    receipt = decide(store, questions[0], team.li, added=["电影"])
    assert newest(store) == (receipt.number, receipt.at)
    undone = undo(store, receipt, team.li)
    assert newest(store) == (undone.number, undone.at)


def test_questions_that_were_decided_first_after_a_line(store, team):
    first, second, third, fourth = add_questions(store, 4, overlap=2)
    decide(store, first, team.li, added=["电影"])
    undo(store, decide(store, second, team.li, added=["电影"]), team.li)
    number, _ = newest(store)
    decide(store, first, team.wang, added=["影评"])  # a second opinion on what is known
    decide(store, second, team.li, added=["影评"])  # it has been said before
    for person in (team.li, team.wang):
        decide(store, third, person, added=["电影"])
    review(store, fourth, team.researcher, "电影")

    def after(line: int) -> set[int]:
        with store.read() as session:
            found = decided_first_after(session, line)
            assert count_decided_first_after(session, line) == len(found)
        return found

    assert after(number) == {third, fourth}
    assert after(0) == {first, second, third, fourth}
    assert after(newest(store)[0]) == set()


def test_a_store_without_a_ledger_has_no_newest_line(store):
    assert newest(store) is None
    assert rows(store) == []


def test_as_of_a_moment_the_same_rows_come_again_whatever_was_decided_since(store, team, live_model):
    first, second, third, fourth, fifth = add_questions(store, 5, overlap=2)
    suggestion = suggest(store, first, live_model, 影片=8, 导演=4)
    decide(store, first, team.li, accepted=["影片"], rejected=["导演"], suggestion_id=suggestion)
    two = decide(store, second, team.li, added=["音乐"])
    taken_back = undo(store, decide(store, third, team.li, added=["美食"]), team.li)
    for person, tag in ((team.li, "旅行"), (team.wang, "风景")):
        decide(store, fourth, person, added=[tag])
    merge = change_tags(store, team.researcher, tags.plan_merge, "风景", "音乐")
    _, moment = newest(store)
    before = rows(store, moment)
    assert before == rows(store)  # nothing is newer yet
    assert [(row.question_id, row.state, row.tags) for row in before] == [
        (first, "single", ("影片",)),
        (second, "single", ("音乐",)),
    ]

    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    change_tags(store, team.researcher, tags.plan_rename, "音乐", "乐")
    change_tags(store, team.researcher, tags.plan_undo, merge)
    undo(store, two, team.li)
    undo(store, taken_back, team.li)  # the third counts again
    decide(store, first, team.li, added=["导演"])
    decide(store, second, team.wang, added=["全新"])
    review(store, fourth, team.researcher, "风景")
    decide(store, fifth, team.li, added=["电影"])
    assert rows(store, moment) == before
    assert [(row.question_id, row.tags) for row in rows(store)] == [
        (first, ("导演",)),
        (second, ("全新",)),
        (third, ("美食",)),
        (fourth, ("风景",)),
        (fifth, ("电影",)),
    ]


def test_a_redaction_reaches_back(store, team, questions):
    decide(store, questions[0], team.li, added=["电影"])
    decide(store, questions[1], team.li, added=["音乐"])
    _, moment = newest(store)
    store.run(lambda session: ledger.redact(session, questions[0], team.admin, reason="asked to"))
    assert [row.question_id for row in rows(store, moment)] == [questions[1]]


@pytest.mark.parametrize("step", [1, 3, 500])
def test_however_few_are_read_at_a_time_all_are_read_once(store, team, monkeypatch, step):
    for module in ("db.ledger.labelled", "db.models.decided"):
        monkeypatch.setattr(f"{module}.QUESTIONS_A_STEP", step)
    decided = add_questions(store, 7)
    for question in decided:
        decide(store, question, team.li, added=["电影"])
    with store.read() as session:
        exported = [row.question_id for row in labelled_questions(session, ExportFilter())]
    assert [row.question_id for row in rows(store)] == exported == decided


def test_rows_are_not_all_read_before_the_first_is_given(store, team, monkeypatch):
    for module in ("db.ledger.labelled", "db.models.decided"):
        monkeypatch.setattr(f"{module}.QUESTIONS_A_STEP", 2)
    for question in add_questions(store, 9):
        decide(store, question, team.li, added=["电影"])
    read = []

    def watched(*arguments, **options):
        for row in read_labelled(*arguments, **options):
            read.append(row)
            yield row

    monkeypatch.setattr("db.models.decided.read_labelled", watched)
    with store.read() as session:
        next(decided_questions(session))
    assert len(read) == 2


def test_rejections_are_counted_by_the_rule_of_undo(store, team, questions, live_model):
    suggestion = suggest(store, questions[2], live_model, 电影=8, 导演=3)
    receipt = decide(store, questions[2], team.li, accepted=["电影"], rejected=["导演"], suggestion_id=suggestion)

    def rejected() -> int:
        with store.read() as session:
            return count_material(session, ("random",), ()).rejected

    assert rejected() == 1
    for left in (0, 1, 0, 1):  # undone, the undo undone, and so on
        receipt = undo(store, receipt, team.li)
        assert rejected() == left == sum(len(row.rejected) for row in rows(store))
