"""What a question looks like, now and on a past day, with the tags' names as they were then."""

from datetime import timedelta

import pytest

from db.errors import NotFound
from db.ledger import entries as ledger
from db.ledger import labels
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import change_tags, decide, entry, look, review, scalar, tags_of, undo
from tests.db.conftest import add_questions


@pytest.fixture
def question(store, team) -> int:
    (number,) = add_questions(store, 1, overlap=2)
    return number


def test_a_question_without_decisions_has_its_text_and_prior_tags(store, team):
    rows = [IncomingQuestion(1, "标题", "描述", ("电影", "生活"), "zhihu", "z1")]
    import_questions(store, rows, name="a", fingerprint="a")
    seen = look(store, scalar(store, "SELECT id FROM questions"))
    assert (seen.title, seen.description, seen.source, seen.external_id) == ("标题", "描述", "zhihu", "z1")
    assert (seen.prior_tags, seen.redacted, seen.settled) == (("电影", "生活"), False, labels.Settled(state="none"))


def test_labels_are_those_that_more_than_half_of_the_answers_hold(store, team):
    (question,) = add_questions(store, 1, overlap=3)
    decide(store, question, team.li, "电影", "生活")
    decide(store, question, team.wang, "电影", "音乐")
    assert tags_of(store, question) == ["电影"]  # life and music: one of two is not more than half
    decide(store, question, team.researcher, "音乐")
    assert tags_of(store, question) == ["电影", "音乐"]
    # Pairs: {film, life} {film, music} overlap: 1/3 * 1/3; {film, life} {music}: 0; {film, music} {music}: 1/2 * 2/3.
    assert look(store, question).settled.agreement == pytest.approx((1 / 9 + 0 + 1 / 3) / 3)


def test_each_line_of_the_ledger_can_be_looked_back_to(store, team, question):
    first = decide(store, question, team.li, "电影")
    second = decide(store, question, team.wang, "生活")
    third = decide(store, question, team.li, "生活")
    fourth = undo(store, second, team.wang)
    fifth = review(store, question, team.researcher, "音乐")
    assert [look(store, question, receipt.at).settled.state for receipt in (first, second, third, fourth, fifth)] == [
        "single",
        "conflict",
        "agreed",
        "single",
        "reviewed",
    ]
    assert [tags_of(store, question, receipt.at) for receipt in (first, second, third, fourth, fifth)] == [
        ["电影"],
        [],
        ["生活"],
        ["生活"],
        ["音乐"],
    ]
    before = first.at - timedelta(microseconds=1)
    assert look(store, question, before).settled.state == "none"


def test_a_question_was_not_there_before_it_came(store, team, question):
    with store.read() as session:
        came = session.get_one(labels.Question, question).created_at
    assert look(store, question, came).settled.state == "none"
    with pytest.raises(NotFound, match=f"There is no question {question} on "):
        look(store, question, came - timedelta(microseconds=1))
    with pytest.raises(NotFound, match=r"There is no question 4711\."):
        look(store, 4711)


def test_a_past_day_knows_the_tags_names_of_that_day(store, team, question):
    decided = decide(store, question, team.li, "电影", "影片")

    def moment(number: int):
        return entry(store, number).at

    renamed = change_tags(store, team.researcher, tags.plan_rename, "影片", "短片")
    merged = change_tags(store, team.researcher, tags.plan_merge, "短片", "电影")
    again = change_tags(store, team.researcher, tags.plan_rename, "电影", "电影（艺术）")
    taken_back = change_tags(store, team.researcher, tags.plan_undo, merged)
    assert tags_of(store, question, decided.at) == ["影片", "电影"]
    assert tags_of(store, question, moment(renamed)) == ["电影", "短片"]
    assert tags_of(store, question, moment(merged)) == ["电影"]
    assert tags_of(store, question, moment(again)) == ["电影（艺术）"]
    assert tags_of(store, question, moment(taken_back)) == ["电影（艺术）", "短片"]
    assert tags_of(store, question) == ["电影（艺术）", "短片"]


def test_a_past_day_reads_an_alias_as_it_was_read_then(store, team, question):
    alias = change_tags(store, team.researcher, tags.plan_alias, "电影", "film")
    decided = decide(store, question, team.li, "film")
    split = change_tags(store, team.researcher, tags.plan_split, "film")
    back = change_tags(store, team.researcher, tags.plan_undo, split)
    gone = change_tags(store, team.researcher, tags.plan_undo, alias)
    moments = [decided.at, *(entry(store, number).at for number in (split, back, gone))]
    assert [tags_of(store, question, moment) for moment in moments] == [["电影"], ["film"], ["电影"], ["film"]]


def test_prior_tags_are_read_like_labels_now_and_on_a_past_day(store, team, question):
    number = change_tags(store, team.researcher, tags.plan_merge, "生活", "电影")
    assert look(store, question).prior_tags == ("电影",)
    before = entry(store, number).at - timedelta(microseconds=1)
    assert look(store, question, before).prior_tags == ("电影", "生活")


def test_two_changes_at_one_tick_of_the_clock_stay_in_their_order(store, team, question, monkeypatch):
    from db.store import moments

    decided = decide(store, question, team.li, "电影")
    monkeypatch.setattr(moments, "read_clock", lambda session: decided.at)  # it stands still
    renamed = change_tags(store, team.researcher, tags.plan_rename, "电影", "影片")
    later = decide(store, question, team.wang, "影片")
    assert [tags_of(store, question, moment) for moment in (decided.at, entry(store, renamed).at, later.at)] == [
        ["电影"],
        ["影片"],
        ["影片"],
    ]


def test_many_questions_are_settled_at_once(store, team, questions):
    decide(store, questions[3], team.li, "电影")
    review(store, questions[5], team.researcher, "生活")
    taken_back = decide(store, questions[7], team.li, "音乐")
    undo(store, taken_back, team.li)
    with store.read() as session:
        settled = labels.settle_all(session, questions)
        receipt = ledger.find_receipt(session, taken_back.number)
    assert {question: found.tags for question, found in settled.items()} == {
        questions[3]: ("电影",),
        questions[5]: ("生活",),
        questions[7]: (),
    }
    assert receipt.question_id == questions[7]
