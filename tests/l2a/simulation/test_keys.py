"""Keys by hand: digits, `A`, initials and whole pinyin."""

import pytest

from l2a.simulation.keys import TagSearch, initials, keys_with, keys_without, pinyin
from l2a.suggestions import Suggestion, Suggestions


def answer_of(*tags: tuple[str, float], cut: float = 0.3) -> Suggestions:
    """Tags with their chances, the likeliest first."""
    suggestions = tuple(
        Suggestion(tag, 0, 0.0, rank, 0.0, chance > cut, False, (), None, chance)
        for rank, (tag, chance) in enumerate(tags, start=1)
    )
    return Suggestions("1", suggestions, (), (), 4, 0.5, "tiny", cut=cut)


@pytest.mark.parametrize(
    ("key", "letters", "whole"),
    [
        ("程序员", "cxy", "chengxuyuan"),
        ("vue.js", "vuejs", "vuejs"),
        ("iphone 15", "iphone15", "iphone15"),
        ("c#", "c#", "c#"),
        ("c++", "c++", "c++"),
        ("女权", "nq", "nvquan"),
        ("《三体》", "st", "santi"),
        ("...", "...", "..."),
    ],
)
def test_letters_of_a_tag(key, letters, whole):
    assert (initials(key), pinyin(key)) == (letters, whole)


def test_a_tag_is_typed_until_it_is_the_first():
    search = TagSearch({"程序员": 5, "程序": 9, "城市": 1, "电影": 1}, {"城市": 2})
    # `c` offers 城市, which people gave; `cx` is all of 程序; only `cxy` says 程序员. `/` and Enter besides.
    assert {tag: search.keys(tag) for tag in ("城市", "程序", "程序员", "电影")} == {
        "城市": 3,
        "程序": 4,
        "程序员": 5,
        "电影": 3,
    }


def test_the_tag_with_no_other_initials_comes_before_the_more_used_one():
    search = TagSearch({}, {"程序员": 7, "程序": 1})
    assert (search.keys("程序员"), search.keys("程序")) == (3, 4)  # `c`, `cx`


def test_what_was_given_counts_before_labels_and_labels_before_length():
    assert TagSearch({"电影": 1, "电源": 9}, {}).keys("电源") == 3
    assert TagSearch({"电影": 1, "电源": 9}, {"电影": 1}).keys("电影") == 3
    assert TagSearch({}, {}, ["电影院", "电源"]).keys("电源") == 3


def test_a_tag_behind_others_takes_arrows_or_its_whole_pinyin():
    same = {"时间": 9, "实践": 8, "事件": 7, "世界": 6, "市井": 5, "设计": 4, "实际": 3, "司机": 2, "上海": 1}
    search = TagSearch(same, {})
    # All but the last are `sj`: 时间 has `s`, the others `sj` and an arrow for each before them.
    assert [search.keys(tag) for tag in ("时间", "实践", "事件")] == [3, 5, 6]
    assert search.keys("司机") == min(2 + 7, len("siji")) + 2


def test_a_tag_that_nobody_knows_is_written_out():
    search = TagSearch({}, {})
    assert search.keys("程序员") == len("chengxuyuan") + 2
    assert TagSearch({}, {}, ["程序员"]).keys("程序员") == 3


def test_spellings_of_one_tag_are_one():
    assert TagSearch({"ＶＵＥ": 1}, {}).keys("vue") == 3
    assert keys_without(["vue", "ＶＵＥ"], TagSearch({"vue": 1}, {})) == 3 + 1


SEARCH = TagSearch({"电影": 1, "音乐": 1, "旅行": 1}, {})


@pytest.mark.parametrize(
    ("right", "keys"),
    [
        (["电影"], 1 + 1),  # 1, Enter; A would take 音乐 back
        (["电影", "音乐"], 1 + 1),  # A, Enter: the same as 1 and 2 would be one more
        (["电影", "音乐", "书"], 2 + 1),  # A, 3
        (["旅行"], 3 + 1),  # /, l, Enter: nothing that is shown is right
        (["书", "旅行"], 1 + 3 + 1),
        (["ＤＩＡＮ", "电影"], 1 + 4 + 2 + 1),  # nobody knows the first
    ],
)
def test_digits_and_all_at_once(right, keys):
    assert keys_with(answer_of(("电影", 0.9), ("音乐", 0.8), ("书", 0.2)), right, SEARCH) == keys


def test_all_at_once_and_a_correction():
    answer = answer_of(("电影", 0.9), ("音乐", 0.8), ("书", 0.7), ("茶", 0.6))
    assert keys_with(answer, ["电影", "音乐", "书"], SEARCH) == 1 + 1 + 1  # A, 4 rejects, Enter


def test_where_nothing_is_kept_there_is_nothing_to_accept_at_once():
    answer = answer_of(("电影", 0.2), ("音乐", 0.1), ("书", 0.1))
    assert keys_with(answer, ["电影", "音乐", "书"], SEARCH) == 3 + 1


def test_what_is_not_shown_has_no_digit():
    answer = answer_of(("电影", 0.9), ("旅行", 0.001))
    assert [tag.tag for tag in answer.shown] == ["电影"]
    assert keys_with(answer, ["旅行"], SEARCH) == 3 + 1


def test_without_suggestions_every_tag_is_typed():
    assert keys_without(["电影", "音乐"], SEARCH) == 3 + 3 + 1
