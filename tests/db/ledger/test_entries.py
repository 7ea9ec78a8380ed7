"""Decisions: what is stored, what is refused, and that none is lost or doubled."""

import pytest

from db import people
from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.models import suggestions
from db.store.tables import Comment
from tests.db.actions import (
    claim,
    decide,
    entry,
    expire,
    item,
    look,
    scalar,
    serve_in_order,
    submit,
    suggest,
    tags_of,
    verdicts_of,
)
from tests.db.conftest import add_questions


@pytest.fixture
def question(store, team, live_model) -> int:
    serve_in_order(store)
    (number,) = add_questions(store, 1)
    return number


def comment_of(store, number: int) -> str | None:
    with store.read() as session:
        found = session.get(Comment, number)
        return found.text if found is not None else None


def test_receipts_are_distinct_and_found_again(store, team, questions):
    receipts = [decide(store, question, team.li, "电影") for question in questions]
    assert len({receipt.number for receipt in receipts}) == 20
    with store.read() as session:
        assert [ledger.find_receipt(session, receipt.number) for receipt in receipts] == receipts
        with pytest.raises(NotFound, match="There is no ledger entry 99999"):
            ledger.find_receipt(session, 99999)


def test_a_decision_is_stored_with_all_that_belongs_to_it(store, team, question):
    suggestion = suggest(store, question, {"电影": 4, "导演": 2, "美食": 1})
    got = claim(store, team.li)
    receipt = submit(
        store,
        question_id=question,
        person_id=team.li,
        verdicts={"电影": "accepted", "导演": "rejected", "张艺谋": "added"},
        suggestion_id=suggestion,
        lease_id=got.lease_id,
        seconds=12.5,
        comment=" 不确定 ",
        flag="duplicate",
        idempotency_key="one",
    )
    assert (receipt.kind, receipt.question_id, receipt.standing) == ("decision", question, "answer")
    assert (receipt.replaces, receipt.repeated, receipt.warnings) == (None, False, ())
    stored = entry(store, receipt.number)
    assert (stored.person_id, stored.suggestion_id, stored.lease_id) == (team.li, suggestion, got.lease_id)
    assert (stored.pick, stored.model_version, stored.seconds, stored.flag) == ("ordered", "v1", 12.5, "duplicate")
    assert comment_of(store, receipt.number) == "不确定"
    assert verdicts_of(store, receipt.number) == {
        "电影": "accepted",
        "导演": "rejected",
        "美食": "unjudged",
        "张艺谋": "added",
    }
    settled = look(store, question).settled
    assert (settled.state, settled.tags) == ("single", ("电影", "张艺谋"))
    assert (settled.rejected, settled.unjudged) == (("导演",), ("美食",))


def test_only_what_was_shown_is_unjudged(store, team, question):
    suggestion = suggest(store, question, {"电影": 4, "导演": 3, "美食": 1}, kept=2)
    kept = decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=suggestion)
    assert verdicts_of(store, kept.number) == {"电影": "accepted", "导演": "unjudged"}
    shown = decide(
        store, question, team.wang, verdicts={"电影": "rejected"}, suggestion_id=suggestion, shown=["美食", "电影"]
    )
    assert verdicts_of(store, shown.number) == {"美食": "unjudged", "电影": "rejected"}


def test_a_decision_may_take_nothing_at_all(store, team, question):
    suggestion = suggest(store, question, {"电影": 4})
    receipt = decide(store, question, team.li, verdicts={"电影": "rejected"}, suggestion_id=suggestion)
    assert (tags_of(store, question), look(store, question).settled.state) == ([], "single")
    assert receipt.standing == "answer"
    assert not item(store, question).is_open


def test_typing_a_tag_that_was_on_offer_is_taking_the_offer(store, team, question):
    suggestion = suggest(store, question, {"Film": 4})
    receipt = decide(store, question, team.li, "ｆｉｌｍ", suggestion_id=suggestion)
    assert verdicts_of(store, receipt.number) == {"Film": "accepted"}


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
def test_a_tag_that_was_not_suggested_can_only_be_added(store, team, question, verdict):
    suggestion = suggest(store, question, {"电影": 4})
    for answered in (None, suggestion):
        with pytest.raises(Refused, match=f"'导演' was {verdict}, but it was not suggested"):
            decide(store, question, team.li, verdicts={"导演": verdict}, suggestion_id=answered)
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'decision'") == 0


def test_requests_that_make_no_sense_are_refused(store, team, question):
    (other,) = add_questions(store, 1)
    suggestion = suggest(store, other, {"电影": 4})
    got = claim(store, team.wang)
    cases = [
        ({"verdicts": {"电影": "liked"}}, "'liked' is not a verdict on '电影'"),
        ({"verdicts": {"电影": "unjudged"}}, "'unjudged' is not a verdict"),
        ({"verdicts": {"Film": "added", "FILM": "added"}}, "FILM is named twice"),
        ({"verdicts": {"": "added"}}, "'' is not a tag"),
        ({"verdicts": {"电\ud83d影": "added"}}, "half of a surrogate pair"),
        ({"verdicts": {}, "suggestion_id": suggestion}, f"Suggestion {suggestion} is not one for question {question}"),
        ({"verdicts": {}, "suggestion_id": 99}, "Suggestion 99 is not one"),
        ({"verdicts": {}, "lease_id": got.lease_id}, f"Lease {got.lease_id} is not for this person and question"),
        ({"verdicts": {}, "lease_id": 99}, "Lease 99 is not for this person"),
    ]
    for options, message in cases:
        with pytest.raises(Refused, match=message):
            submit(store, question_id=question, person_id=team.li, **options)
    right = suggest(store, question, {"电影": 4})
    with pytest.raises(Refused, match=f"音乐: shown, but not in suggestion {right}"):
        decide(store, question, team.li, suggestion_id=right, shown=["电影", "音乐"])
    with pytest.raises(NotFound, match="There is no question 4711"):
        decide(store, 4711, team.li, "电影")
    with pytest.raises(NotFound, match="There is no person number 4711"):
        decide(store, question, 4711, "电影")
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'decision'") == 0


def test_a_closed_account_cannot_decide(store, team, question):
    store.run(lambda session: people.deactivate(session, "li", by=team.admin))
    with pytest.raises(Refused, match="li is no longer active"):
        decide(store, question, team.li, "电影")


def test_two_spellings_of_one_tag_cannot_be_taken_and_rejected(store, team, question):
    from db.tags import planning as tags
    from tests.db.actions import change_tags

    change_tags(store, team.researcher, tags.plan_alias, "电影", "影片")
    suggestion = suggest(store, question, {"电影": 4, "影片": 3})
    with pytest.raises(Refused, match="'影片' and '电影' are the same tag, but one is taken and one is not"):
        decide(store, question, team.li, verdicts={"电影": "accepted", "影片": "rejected"}, suggestion_id=suggestion)
    decide(store, question, team.li, verdicts={"电影": "accepted", "影片": "accepted"}, suggestion_id=suggestion)
    assert tags_of(store, question) == ["电影"]


def test_control_characters_in_tags_and_comments_are_left_out(store, team, question):
    receipt = decide(store, question, team.li, "电\0影\x07", " 两\n个  词 ", comment="a\0b \ud83d", flag="spam\0\udc00")
    assert tags_of(store, question) == ["两 个 词", "电影"]
    assert comment_of(store, receipt.number) == "ab \ufffd"
    assert entry(store, receipt.number).flag == "spam\ufffd"


def test_a_comment_of_two_halves_of_an_emoji_is_put_together(store, team, question):
    receipt = decide(store, question, team.li, "电影", comment="\ud83d\ude00")
    assert comment_of(store, receipt.number) == "😀"


def test_a_comment_of_nothing_is_no_comment(store, team, question):
    assert comment_of(store, decide(store, question, team.li, "电影", comment=" \0 ").number) is None


def test_the_same_request_under_the_same_key_gives_the_same_receipt(store, team, question):
    first = decide(store, question, team.li, "电影", comment="好", idempotency_key="k", seconds=1.0)
    # The time spent may have grown meanwhile, and the lease ended: it is the same request still.
    again = decide(store, question, team.li, "电影", comment="好", idempotency_key="k", seconds=2.0)
    assert (again.number, again.at, again.standing) == (first.number, first.at, "answer")
    assert (first.repeated, again.repeated) == (False, True)
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'decision'") == 1


def test_another_request_under_the_same_key_is_refused(store, team, questions):
    first = decide(store, questions[0], team.li, "电影", idempotency_key="k")
    for attempt in (
        lambda: decide(store, questions[0], team.li, "生活", idempotency_key="k"),
        lambda: decide(store, questions[1], team.li, "电影", idempotency_key="k"),
        lambda: decide(store, questions[0], team.wang, "电影", idempotency_key="k"),
    ):
        with pytest.raises(Refused, match=rf"key k was used for something else \(entry {first.number}\)"):
            attempt()
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'decision'") == 1


def test_a_late_answer_counts_if_nobody_else_answered(store, team, question):
    got = claim(store, team.li)
    expire(store, got.lease_id)
    assert claim(store, team.wang).question_id == question
    receipt = decide(store, question, team.li, "电影", lease_id=got.lease_id)
    assert receipt.standing == "answer"
    assert tags_of(store, question) == ["电影"]
    assert entry(store, receipt.number).lease_id == got.lease_id


def test_a_late_answer_after_anothers_is_kept_as_a_second_opinion(store, team, question):
    got = claim(store, team.li)
    expire(store, got.lease_id)
    decide(store, question, team.wang, "电影", lease_id=claim(store, team.wang).lease_id)
    late = decide(store, question, team.li, "生活", lease_id=got.lease_id)
    assert late.standing == "second_opinion"
    settled = look(store, question).settled
    assert (settled.tags, settled.state) == (("电影",), "conflict")
    assert [(line.person_id, line.standing) for line in settled.opinions] == [
        (team.wang, "answer"),
        (team.li, "second_opinion"),
    ]
    assert (item(store, question).answers, item(store, question).conflict) == (2, True)


def test_with_an_overlap_of_two_the_third_opinion_is_a_second_one(store, team):
    (question,) = add_questions(store, 1, overlap=2)
    standings = [decide(store, question, person, "电影").standing for person in (team.li, team.wang, team.researcher)]
    assert standings == ["answer", "answer", "second_opinion"]


def test_a_change_of_mind_replaces_ones_own_opinion_and_keeps_its_standing(store, team, question):
    decide(store, question, team.wang, "电影")
    first = decide(store, question, team.li, "生活")
    second = decide(store, question, team.li, "音乐")
    assert (second.replaces, second.standing) == (first.number, "second_opinion")
    third = decide(store, question, team.wang, "电影", "音乐")
    assert third.standing == "answer"
    assert tags_of(store, question) == ["电影", "音乐"]
    assert item(store, question).answers == 2
    assert verdicts_of(store, first.number) == {"生活": "added"}


def test_a_receipt_warns_of_deprecated_tags(store, team, question):
    from db.tags import planning as tags
    from tests.db.actions import change_tags

    change_tags(store, team.researcher, tags.plan_status, "电影", "deprecated")
    receipt = decide(store, question, team.li, "电影", "生活")
    assert list(map(str, receipt.warnings)) == ["电影 is deprecated."]
    assert tags_of(store, question) == ["生活", "电影"]


def test_a_stale_suggestion_can_still_be_answered_and_the_ledger_says_whose_it_was(store, team, question):
    from db.models import registry

    suggestion = suggest(store, question, {"电影": 4})

    def replace(session):
        registry.register(session, "v2", "models/v2")
        registry.promote(session, "v2", team.admin)
        return suggestions.fresh(session, question)

    assert store.run(replace) is None
    receipt = decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=suggestion)
    assert entry(store, receipt.number).model_version == "v1"


def test_a_clock_set_back_never_puts_a_line_before_one_that_was_there(store, team, question, monkeypatch):
    from datetime import timedelta

    from db.store import moments

    first = decide(store, question, team.li, "电影")
    monkeypatch.setattr(moments, "read_clock", lambda session: first.at - timedelta(days=1))
    second = decide(store, question, team.li, "生活")
    assert second.at == first.at + timedelta(microseconds=1)
    assert tags_of(store, question, first.at) == ["电影"]
