"""Names that come up in questions: which questions are read, what is said about a name, a tag made of it, or never."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from db.errors import NotFound, Refused
from db.store.tables import Question
from db.tags import emerging, refused
from db.tags import planning as tags
from db.tags.duplicates import like_name
from db.tags.importing import IncomingTag, import_tags
from db.tags.listing import describe
from db.tags.search.index import TagSearch
from tests.db.actions import all_tags, change_tags, decide, entry, find_tag, spellings_of, undo
from tests.db.conftest import add_questions

A_YEAR_AGO = datetime.now(UTC) - timedelta(days=365)


def add_tags(store, team, *names: str) -> None:
    import_tags(store, [IncomingTag(line, name) for line, name in enumerate(names, 1)], team.admin, name="test")


def make_old(store, *question_ids: int) -> None:
    statement = update(Question).where(Question.id.in_(question_ids)).values(created_at=A_YEAR_AGO)
    store.run(lambda session: session.execute(statement))


def numbers(store, days: float, **options) -> list[int]:
    with store.read() as session:
        return [row.question_id for row in emerging.recent_titles(session, days, **options)]


# --- the window ------------------------------------------------------------------------------------------------------


def test_open_and_recent_questions_are_read_newest_first(store, team, live_model, monkeypatch):
    done, waiting, new = add_questions(store, 3)
    make_old(store, done, waiting)
    with monkeypatch.context() as patch:
        patch.setattr("db.store.moments.read_clock", lambda session: A_YEAR_AGO)
        decide(store, done, team.li, "电影")
    assert numbers(store, 30) == [new, waiting]
    assert numbers(store, 366) == [new, waiting, done]


def test_an_old_question_that_was_decided_lately_is_read(store, team, live_model):
    (question,) = add_questions(store, 1)
    make_old(store, question)
    decide(store, question, team.li, "电影")
    assert numbers(store, 30) == [question]
    with store.read() as session:
        (row,) = emerging.recent_titles(session, 30)
    assert (row.title[-8:], row.created_at.date()) == ("个问题怎么回答？", A_YEAR_AGO.date())


def test_no_more_than_asked_for_are_read_and_none_that_was_redacted(store, team, live_model):
    from db.ledger import entries as ledger

    first, second, third = add_questions(store, 3)
    assert numbers(store, 30, most=2) == [third, second]
    store.run(lambda session: ledger.redact(session, third, team.admin, reason="privacy"))
    assert numbers(store, 30) == [second, first]
    with store.read() as session:
        assert len(emerging.titles_of(session, [first, third])) == 1


# --- what is said about a name ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("河北师范大学", "师范大学"),  # the longest end, not 大学
        ("东北大学", "大学"),
        ("折叠屏移动电话", "手机"),  # by its alias
        ("大学", None),  # the name itself is no end of it
        ("SuperPhone", None),  # a part of a word
        ("Super Phone", "Phone"),
        ("老电影", None),  # deprecated
        ("天文学", None),
    ],
)
def test_a_parent_is_the_tag_that_the_name_ends_in(store, team, name, parent):
    add_tags(store, team, "大学", "师范大学", "手机", "Phone", "电影")
    change_tags(store, team.admin, tags.plan_alias, "手机", "移动电话")
    change_tags(store, team.admin, tags.plan_status, "电影", "deprecated")
    with store.read() as session:
        assert emerging.named_by_end(session, name) == parent


def test_tags_that_most_of_the_decided_questions_have_may_be_the_parent(store, team, live_model):
    first, second, third, fourth, fifth = add_questions(store, 5)
    decide(store, first, team.li, "数码", "手机", "购物")
    decide(store, second, team.li, "数码", "手机")
    decide(store, third, team.li, "数码")
    undo(store, decide(store, fourth, team.li, "购物"), team.li)
    with store.read() as session:
        assert emerging.often_given(session, [first, second, third, fourth, fifth]) == ["数码", "手机"]
        assert emerging.often_given(session, [first, fifth]) == []  # once is by accident
    change_tags(store, team.admin, tags.plan_status, "数码", "deprecated")
    with store.read() as session:
        assert emerging.often_given(session, [first, second, third]) == ["手机"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("機器學習", [("机器学习", "script")]),
        ("iphone15", [("iPhone 15", "spelling")]),
        ("photshop", [("photoshop", "typo")]),
        ("人工只能", [("人工智能", "pinyin")]),
        ("语文", []),
    ],
)
def test_tags_that_look_like_the_name_are_found_with_the_reason(store, team, name, found):
    add_tags(store, team, "机器学习", "iPhone 15", "photoshop", "人工智能", "iPhone 14")
    assert like_name(TagSearch(store), name) == found


# --- made a tag ------------------------------------------------------------------------------------------------------


def test_a_tag_is_made_below_another_and_the_ledger_says_so(store, team):
    add_tags(store, team, "手机")
    number = change_tags(store, team.researcher, tags.plan_create, "折叠屏", "手机")
    with store.read() as session:
        found = describe(session, "折叠屏")
    assert (found.name, found.parent, found.status, found.uses, found.first_seen_by) == (
        "折叠屏",
        "手机",
        "active",
        0,
        "zhao",
    )
    assert [change.number for change in found.changes] == [number]
    stored = entry(store, number)
    assert (stored.kind, stored.person_id, stored.payload["operation"]) == ("tag", team.researcher, "create")
    assert str(found.changes[0].summary) == "Make 折叠屏 a tag, below 手机."


def test_a_made_tag_is_taken_back_and_brought_back_any_number_of_times(store, team):
    add_tags(store, team, "手机")
    before = all_tags(store)
    made = change_tags(store, team.admin, tags.plan_create, "折叠屏", "手机")
    after = all_tags(store)
    for _ in range(2):
        taken_back = change_tags(store, team.admin, tags.plan_undo, made)
        assert all_tags(store) == before
        made = change_tags(store, team.admin, tags.plan_undo, taken_back)
        assert all_tags(store) == after


def test_a_made_tag_that_somebody_uses_stays(store, team, live_model):
    (question,) = add_questions(store, 1)
    made = change_tags(store, team.admin, tags.plan_create, "折叠屏")
    decide(store, question, team.li, "折叠屏")
    with pytest.raises(Refused, match=f"Nothing of entry {made} is left"):
        change_tags(store, team.admin, tags.plan_undo, made)
    assert spellings_of(store, "折叠屏") == ["折叠屏"]


@pytest.mark.parametrize(
    ("name", "parent", "complaint"),
    [
        ("手机", "", "手机 is there already: it means the tag 手机."),
        ("移动电话", "", "移动电话 is there already: it means the tag 手机."),
        ("折叠屏", "没有的", "There is no tag 没有的."),
        (" ", "", "' ' is not a tag"),
        ("好" * 101, "", "too long for a tag"),
    ],
)
def test_what_makes_no_sense_is_refused(store, team, name, parent, complaint):
    add_tags(store, team, "手机")
    change_tags(store, team.admin, tags.plan_alias, "手机", "移动电话")
    before = all_tags(store)
    with pytest.raises((Refused, NotFound), match=complaint):
        change_tags(store, team.admin, tags.plan_create, name, parent)
    assert all_tags(store) == before


def test_of_two_who_make_the_same_tag_one_is_told(store, team):
    with store.read() as session:
        plan = tags.plan_create(session, "折叠屏")
    change_tags(store, team.admin, tags.plan_create, "折叠屏")
    with pytest.raises(Refused, match="changed by somebody else"):
        store.run(lambda session: tags.carry_out(session, plan, team.researcher))
    assert find_tag(store, "折叠屏").first_seen_by == team.admin


# --- never -----------------------------------------------------------------------------------------------------------


def test_a_refused_name_is_taken_however_it_is_written_until_it_is_allowed_again(store, team):
    store.run(lambda session: refused.refuse(session, "ＡＢ  测试", team.researcher))
    store.run(lambda session: refused.refuse(session, "ab 测试", team.admin))  # once is enough
    with store.read() as session:
        assert "ab 测试" in refused.taken_keys(session)
        (line,) = refused.listed(session)
    assert (line.name, line.person) == ("ＡＢ 测试", "zhao")
    store.run(lambda session: refused.allow(session, "AB 测试", team.admin))
    with store.read() as session:
        assert (refused.taken_keys(session), refused.listed(session)) == (set(), [])
    with pytest.raises(NotFound, match="Nobody said that AB 测试"):
        store.run(lambda session: refused.allow(session, "AB 测试", team.admin))


def test_every_spelling_of_every_tag_is_taken(store, team):
    add_tags(store, team, "手机", "电影", "影片")
    change_tags(store, team.admin, tags.plan_alias, "手机", "移动电话")
    change_tags(store, team.admin, tags.plan_merge, "影片", "电影")
    with store.read() as session:
        assert refused.taken_keys(session) == {"手机", "移动电话", "电影", "影片"}


def test_a_tag_is_not_refused_as_a_name(store, team):
    add_tags(store, team, "手机")
    with pytest.raises(Refused, match="手机 is there already"):
        store.run(lambda session: refused.refuse(session, "手机", team.admin))


def test_a_refused_name_can_still_be_made_a_tag_by_whoever_wants_it(store, team):
    store.run(lambda session: refused.refuse(session, "折叠屏", team.researcher))
    change_tags(store, team.admin, tags.plan_create, "折叠屏")
    assert find_tag(store, "折叠屏").status == "active"


def test_who_may_not_change_tags_may_not_say_never_either(store, team):
    for act in (refused.refuse, refused.allow):
        with pytest.raises(Refused, match="change tags"):
            store.run(lambda session, act=act: act(session, "折叠屏", team.li))
