"""A decision is taken back and its question is served again."""

import pytest

from db.errors import Refused
from db.queue.reopening import reopen
from tests.db import actions


def test_reopening_takes_back_and_serves_the_question_again(store, team, questions):
    receipt = actions.decide(store, questions[0], team.li, "电影")
    assert not actions.item(store, questions[0]).is_open
    reopened = store.run(lambda s: reopen(s, receipt.number, team.li, idempotency_key="k"))
    assert (reopened.receipt.kind, reopened.receipt.replaces, reopened.in_queue) == ("undo", receipt.number, True)
    again = store.run(lambda s: reopen(s, receipt.number, team.li, idempotency_key="k"))
    assert again.receipt.repeated
    assert actions.item(store, questions[0]).overlap == 1


def test_reopening_leaves_the_opinions_of_others_and_asks_for_one_more(store, team, questions):
    question = questions[0]
    first = actions.decide(store, question, team.li, "电影")
    actions.decide(store, question, team.wang, "音乐")
    mine = store.run(lambda s: reopen(s, first.number, team.li))
    assert not mine.in_queue  # a moderator cannot ask for more opinions; wang's is the one that is asked for
    again = actions.decide(store, question, team.li, "电影")
    theirs = store.run(lambda s: reopen(s, again.number, team.admin))
    assert theirs.in_queue
    item = actions.item(store, question)
    assert (item.answers, item.overlap, item.is_open) == (1, 2, True)


def test_only_decisions_and_reviews_are_reopened_and_only_by_those_who_may(store, team, questions):
    receipt = actions.decide(store, questions[0], team.li, "电影")
    with pytest.raises(Refused, match="undo for others"):
        store.run(lambda s: reopen(s, receipt.number, team.wang))
    undo = actions.undo(store, receipt, team.li)
    with pytest.raises(Refused, match="nothing to reopen"):
        store.run(lambda s: reopen(s, undo.number, team.li))
