"""Tags that are likely the same: why, in which order, and what people said they are not."""

import pytest

from db.errors import Refused
from db.tags import distinct as tag_distinct
from db.tags import duplicates as tag_duplicates
from db.tags import planning as tags
from db.tags.duplicates import DuplicateSearch
from db.tags.importing import IncomingTag, import_tags
from db.tags.search.index import TagSearch
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import change_tags, decide, find_tag, undo
from tests.db.conftest import add_questions

NAMES = (
    ("机器学习", "機器學習"),
    ("iPhone 15", "iphone15"),
    ("photoshop", "photshop"),
    ("人工智能", "人工只能"),
    ("上海", "Shanghai"),
)


def add_tags(store, team, *names: str) -> None:
    import_tags(store, [IncomingTag(line, name) for line, name in enumerate(names, 1)], team.admin, name="test")


@pytest.fixture
def search(store) -> DuplicateSearch:
    return DuplicateSearch(store, TagSearch(store))


def found(store, search) -> dict[frozenset[str], tuple[str, ...]]:
    pairs = search.find()
    with store.read() as session:
        name = {
            number: session.get_one(tags.Tag, number).name for pair in pairs for number in (pair.first, pair.second)
        }
    return {frozenset((name[pair.first], name[pair.second])): pair.reasons for pair in pairs}


def test_each_kind_of_likeness_is_found_and_named(store, team, search):
    add_tags(store, team, *(name for pair in NAMES for name in pair), "iPhone 14", "语文", "北京大学", "南京大学")
    reasons = found(store, search)
    assert reasons == {
        frozenset(NAMES[0]): ("script",),
        frozenset(NAMES[1]): ("spelling",),
        frozenset(NAMES[2]): ("typo",),
        frozenset(NAMES[3]): ("pinyin",),
        frozenset(NAMES[4]): ("pinyin",),
    }


def test_the_surest_come_first_and_the_more_used_of_two_is_first(store, team, search):
    rows = [IncomingQuestion(1, "question 1", tags=("機器學習", "人工只能", "photoshop"))]
    import_questions(store, rows, name="test", fingerprint="uses")
    add_tags(store, team, "机器学习", "人工智能", "photshop")
    pairs = search.find()
    assert [pair.reasons[0] for pair in pairs] == ["script", "typo", "pinyin"]
    assert pairs[0].first == find_tag(store, "機器學習").id


def test_an_alias_counts_and_merged_tags_are_done_with(store, team, search):
    add_tags(store, team, "电影", "艺术", "電影院")
    assert found(store, search) == {}
    change_tags(store, team.admin, tags.plan_alias, "艺术", "电影院")
    assert found(store, search) == {frozenset(("艺术", "電影院")): ("script",)}
    change_tags(store, team.admin, tags.plan_merge, "電影院", "艺术")
    assert found(store, search) == {}


def test_tags_that_stand_on_the_same_questions(store, team, live_model, search):
    first, second, third, fourth = add_questions(store, 4)
    for question in (first, second):
        decide(store, question, team.li, "足球", "中超")
    decide(store, fourth, team.li, "足球", "中超", "体育")
    taken_back = decide(store, third, team.li, "足球", "中超", "体育")
    undo(store, taken_back, team.li)
    (pair,) = search.find()
    assert (pair.reasons, pair.shared, pair.together) == (("questions",), 3, 3)


def test_tags_that_are_often_apart_are_not_the_same(store, team, live_model, search):
    questions = add_questions(store, 8)
    for number, question in enumerate(questions):
        decide(store, question, team.li, *(("足球", "中超") if number < 4 else ("足球",)))
    assert search.find() == []


def test_what_is_no_duplicate_is_remembered_and_can_be_taken_up_again(store, team, search):
    add_tags(store, team, "人工智能", "人工只能")
    (pair,) = search.find()
    store.run(lambda session: tag_distinct.mark(session, pair.second, pair.first, team.researcher))
    store.run(lambda session: tag_distinct.mark(session, pair.first, pair.second, team.admin))  # once is enough
    assert search.find() == []
    assert DuplicateSearch(store, TagSearch(store)).find() == []
    with store.read() as session:
        (line,) = tag_distinct.listed(session)
    assert ({line.first, line.second}, line.person) == ({"人工智能", "人工只能"}, "zhao")
    store.run(lambda session: tag_distinct.unmark(session, line.second_id, line.first_id, team.admin))
    assert search.find() == [pair]


def test_who_may_not_change_tags_may_not_say_so_either(store, team, search):
    add_tags(store, team, "人工智能", "人工只能")
    (pair,) = search.find()
    for act in (tag_distinct.mark, tag_distinct.unmark):
        with pytest.raises(Refused, match="change tags"):
            store.run(lambda session, act=act: act(session, pair.first, pair.second, team.li))
    with pytest.raises(Refused, match="itself"):
        store.run(lambda session: tag_distinct.mark(session, pair.first, pair.first, team.admin))


def test_many_tags_of_one_sound_stay_few_pairs(store, team, search):
    """Many tags that sound alike are compared with the most used one, not each with each."""
    add_tags(store, team, *(f"公事{'!' * number}" for number in range(99)))
    assert len(search.find()) == 98


def test_very_many_tags_are_not_compared_again_after_every_merge(store, team, search, monkeypatch):
    monkeypatch.setattr(tag_duplicates, "FEW_TAGS", 0)
    compared = []
    likely = tag_duplicates.likely
    monkeypatch.setattr(tag_duplicates, "likely", lambda *given: compared.append(1) or likely(*given))
    add_tags(store, team, *(name for pair in NAMES for name in pair))
    before = search.find()
    number = change_tags(store, team.admin, tags.plan_merge, NAMES[0][1], NAMES[0][0])
    assert search.find() == before[1:]  # what is merged is gone at once
    change_tags(store, team.admin, tags.plan_undo, number)
    assert search.find() == before
    assert len(compared) == 1
    add_tags(store, team, *(f"新标签{place}" for place in range(tag_duplicates.CHANGES + 1)))
    search.find()
    assert len(compared) == 2
