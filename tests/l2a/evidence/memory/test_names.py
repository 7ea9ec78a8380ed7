"""Names of tags in a text: the longest wins, Latin words are not cut, and what is forgotten is as if never there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from l2a.data.questions import Question
from l2a.evidence.memory.names import LONGEST_NAME, NameInText, Names
from l2a.evidence.source import FoldedWords
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()


def names_of(*spellings: str, **aliases: str) -> Names:
    found = Names()
    for spelling in spellings:
        found.add(spelling, spelling)
    for alias, tag in aliases.items():
        found.add(alias, tag)
    return found


def found(names: Names, title: str, description: str = "") -> list[str]:
    return [name.tag for name in names.find(FoldedWords.of(Question(title=title, description=description), SEGMENTER))]


def test_the_longest_name_wins_and_what_is_inside_of_it_is_not_looked_at():
    names = names_of("机器", "机器学习", "学习", "深度学习")
    assert found(names, "机器学习怎么学？") == ["机器学习"]
    assert found(names, "机器和学习") == ["机器", "学习"]
    assert found(names, "机器深度学习") == ["机器", "深度学习"]


def test_a_name_is_found_whatever_the_segmenter_makes_of_it():
    """Nobody has heard of it, so it is in no dictionary and its letters are cut anywhere."""
    names = names_of("咕噜兽", "量子龟")
    assert found(names, "怎样养好咕噜兽和量子龟？") == ["咕噜兽", "量子龟"]


@pytest.mark.parametrize(
    ("name", "title", "is_there"),
    [
        ("Java", "JavaScript 难学吗", False),
        ("Java", "学Java难吗", True),
        ("Java", "java", True),
        ("script", "JavaScript 难学吗", False),
        ("AI", "他在 said 什么", False),
        ("AI", "学AI好吗", True),
        ("iPhone 15", "要不要换 iphone15？", True),
        ("iPhone15", "要不要换 iPhone 15？", True),
        ("C++", "C++怎么学", True),
        ("10", "2010年", False),
        ("T恤", "白T恤怎么洗", True),
    ],
)
def test_a_latin_name_neither_begins_nor_ends_inside_a_word(name, title, is_there):
    assert found(names_of(name), title) == ([name] if is_there else [])


def test_where_a_name_stands_is_told_once_and_the_title_comes_first():
    words = FoldedWords(["养", "猫"], ["养", "猫", "和", "吉他"])
    assert names_of("养猫", "吉他").find(words) == [NameInText("养猫", True), NameInText("吉他", False)]


def test_no_name_runs_across_title_and_description():
    assert found(names_of("北京大学"), "我在北京", "大学很多") == []


def test_a_single_letter_and_a_very_long_name_are_never_looked_for():
    long = "很长的名字" * 10
    assert len(long) > LONGEST_NAME
    assert found(names_of("猫", long), f"猫和{long}") == []


def test_an_alias_stands_for_its_tag():
    assert found(names_of("人工智能", AI="人工智能"), "学AI和人工智能") == ["人工智能"]


def test_a_forgotten_name_hides_no_shorter_one():
    names = names_of("机器", "机器学习")
    names.remove("机器学习")
    assert found(names, "机器学习") == ["机器"]
    names.remove("机器学习")  # nothing happens
    names.remove("没有的")
    names.add("机器学习", "机器学习")
    assert found(names, "机器学习") == ["机器学习"]


CLAIMS = [
    ("机器学习", "机器学习"),
    ("机器 学习", "机器 学习"),
    ("ML", "机器学习"),
    ("ml", "音乐"),
    ("音乐", "音乐"),
    ("机器", "机器"),
]


@given(st.permutations(CLAIMS), st.data())
def test_the_same_names_in_any_order_are_found_the_same(order, data):
    """Also where two tags claim one spelling, and where others came and went in between."""
    plain, mixed = Names(), Names()
    wanted = dict(CLAIMS)
    for spelling, tag in CLAIMS:
        plain.add(spelling, tag)
    for spelling, _ in order:
        if data.draw(st.booleans()):
            mixed.add("机器学", "别的")
        mixed.add(spelling, wanted[spelling])
        if data.draw(st.booleans()):
            mixed.remove(spelling)
            mixed.add(spelling, wanted[spelling])
    mixed.remove("机器学")
    # ML and ml are one spelling: what it meant last counts.
    plain.add("ml", "音乐")
    mixed.add("ml", "音乐")
    for title in ("机器学习", "学ML和机器", "音乐机器学习"):
        assert sorted(found(mixed, title)) == sorted(found(plain, title)), title


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_tags_own_name_comes_before_an_alias_whichever_came_first(order):
    claims, names = [("A I", "人工智能"), ("AI", "AI")], Names()
    for place in order:
        names.add(*claims[place])
    assert found(names, "学 AI") == ["AI"]
