"""Counts and agreement, worked out by hand."""

from datetime import UTC, datetime

import pytest

from db.figures import statistics as stats
from db.ledger import entries as ledger
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.tags import planning as tags
from tests.db import actions
from tests.db.actions import undo
from tests.db.conftest import add_questions
from tests.db.deciding import decide, suggest


def test_overview_counts(store, team, questions, live_model):
    suggestion = suggest(store, questions[0], live_model, 电影=8, 导演=4)
    decide(store, questions[0], team.li, accepted=["电影"], rejected=["导演"], suggestion_id=suggestion, seconds=4.0)
    decide(store, questions[1], team.li, added=["音乐"], seconds=6.0)
    held = store.run(lambda session: queue.claim(session, team.wang)).question_id
    other = next(question for question in questions[2:] if question != held)
    store.run(lambda session: ledger.redact(session, other, team.admin, reason="asked to"))
    with store.read() as session:
        found = stats.overview(session)
    assert (found.questions, found.sources, found.redacted) == (20, {"guokr": 5, "zhihu": 15}, 1)
    assert (found.open, found.held, found.answered) == (16, 1, 2)  # 20 less two answered, one held, one redacted
    assert (found.conflicts, found.reviewed) == (0, 0)
    assert found.entries["decision"] == 2
    assert found.verdicts == {"accepted": 1, "added": 1, "rejected": 1}
    assert found.tags == {"active": 3}  # 电影 and 生活 came with questions, 音乐 was added; nobody took 导演
    assert found.suggestions == {"v1": 1}
    assert found.live_model == "v1"
    li = next(person for person in found.people if person.name == "li")
    assert (li.role, li.decisions, li.seconds) == ("moderator", 2, 5.0)


def test_the_names_of_the_sources_are_those_that_are_counted(store, team):
    with store.read() as session:
        assert stats.source_names(session) == list(stats.sources(session)) == []
    add_questions(store, 8)
    with store.read() as session:
        assert stats.source_names(session) == list(stats.sources(session)) == ["guokr", "zhihu"]


def test_agreement_between_people_follows_merges(store, team, questions):
    store.run(lambda session: queue.set_overlap(session, 2))
    for question in questions[:2]:
        decide(store, question, team.li, added=["电影"])
    decide(store, questions[0], team.wang, added=["影片"])
    decide(store, questions[1], team.wang, added=["音乐"])
    decide(store, questions[2], team.li, added=["旅行"])  # one opinion: nothing to compare
    with store.read() as session:
        before = stats.agreement(session)
    # Four opinions {电影} {影片} {电影} {音乐}: both pairs differ wholly, observed 1. Of the 6 pairs of values one is
    # equal, expected 5/6: alpha = 1 - 1 / (5/6) = -0.2.
    assert (before.alpha.units, before.alpha.opinions) == (2, 4)
    assert before.alpha.value == pytest.approx(-0.2)
    store.run(lambda session: tags.carry_out(session, tags.plan_merge(session, "影片", "电影"), team.admin))
    with store.read() as session:
        after = stats.agreement(session)
    # {电影} {电影} {电影} {音乐}: observed 1/2, expected 3/6: alpha = 0.
    assert after.alpha.value == pytest.approx(0.0)
    assert [(kappa.tag, kappa.positive, kappa.questions) for kappa in after.tags] == [("电影", 3, 2), ("音乐", 1, 1)]


def test_agreement_with_the_model_counts_shown_and_blind_answers(store, team, questions, live_model):
    first = suggest(store, questions[0], live_model, 电影=8, 导演=4)
    decide(store, questions[0], team.li, accepted=["电影"], added=["影评"], suggestion_id=first)
    store.run(lambda session: set_shares(session, Shares(random=0.0, blind=1.0)))
    claim = store.run(lambda session: queue.claim(session, team.wang, choose=lambda: 0.0))
    assert claim.blind
    suggest(store, claim.question_id, live_model, 音乐=8)
    decide(store, claim.question_id, team.wang, added=["音乐"], lease_id=claim.lease_id)
    with store.read() as session:
        model = stats.agreement(session).model
    assert (model.answers, model.blind) == (2, 1)
    assert (model.suggested, model.matched, model.added) == (3, 2, 1)
    assert (model.accepted, model.rejected, model.unjudged) == (1, 0, 1)  # the blind answer judged nothing


def test_a_question_that_was_suggested_tags_for_several_times_counts_once(store, questions, live_model):
    for question, number in ((questions[0], 1), (questions[0], 2), (questions[1], 2)):
        actions.suggest(store, question, {"电影": 4}, ledger_number=number)
    with store.read() as session:
        assert stats.overview(session).suggestions == {"v1": 2}


def test_a_blind_answer_is_held_against_what_could_not_have_learned_from_it(store, team, questions, live_model):
    store.run(lambda session: set_shares(session, Shares(random=0.0, blind=1.0)))
    claim = store.run(lambda session: queue.claim(session, team.wang, choose=lambda: 0.0))
    question, options = claim.question_id, {"beam": 8, "kept": 4}

    def compared() -> tuple[int, int]:
        with store.read() as session:
            model = stats.agreement(session).model
        assert (model.answers, model.blind) == (min(1, model.suggested), min(1, model.suggested))
        return model.suggested, model.matched

    number = decide(store, question, team.wang, added=["音乐"], lease_id=claim.lease_id).number
    assert compared() == (0, 0)  # the model was not asked
    actions.suggest(store, question, {"音乐": 8, "旅行": 8}, ledger_number=number, **options)
    assert compared() == (2, 1)  # there is nothing else
    actions.suggest(store, question, {"电影": 8}, ledger_number=1, **options)
    actions.suggest(store, question, {"电影": 8, "生活": 8, "音乐": 8}, ledger_number=2, **options)
    actions.suggest(store, question, {"音乐": 8}, ledger_number=number + 1, **options)
    assert compared() == (3, 1)


def test_an_undo_that_was_taken_back_counts_no_more_whoever_took_it_back(store, team, questions):
    def today() -> int:
        with store.read() as session:
            return stats.progress(session, team.li, datetime(1970, 1, 1, tzinfo=UTC)).today

    receipt = decide(store, questions[0], team.li, added=["音乐"])
    decide(store, questions[1], team.li, added=["电影"])
    assert today() == 2
    for left in (1, 2, 1):  # an admin takes it back, takes that back, and takes that back again
        receipt = undo(store, receipt, team.admin)
        assert today() == left
