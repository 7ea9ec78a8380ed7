"""Readings of hanzi, and reading letters as hanzi."""

import numpy as np
import pytest

from db.tags.search import pinyin
from db.tags.search.text import Column, block


def hanzi(codes: np.ndarray | None) -> set[str]:
    return set() if codes is None else set(map(chr, codes.tolist()))


@pytest.mark.parametrize(
    ("character", "readings"),
    [("重", {"zhong", "chong"}), ("行", {"xing", "hang"}), ("乐", {"le", "yue"}), ("女", {"nv"}), ("略", {"lve"})],
)
def test_a_hanzi_has_all_its_readings_without_tones(character, readings):
    assert readings <= set(pinyin.sounds().readings[character])


def test_the_most_common_reading_comes_first():
    readings = pinyin.sounds().readings
    assert [readings[character][0] for character in "电影长大女"] == ["dian", "ying", "zhang", "da", "nv"]


@pytest.mark.parametrize("letters", ["lve", "lue", "lüe"])
def test_umlaut_is_typed_in_three_ways(letters):
    assert "略" in hanzi(pinyin.sounds().every.exactly(letters))


@pytest.mark.parametrize("letters", ["xu", "xv", "xü"])
def test_umlaut_that_is_written_u_is_typed_in_three_ways(letters):
    assert "需" in hanzi(pinyin.sounds().every.exactly(letters))


def test_a_rare_reading_is_known_but_not_common():
    every, common = pinyin.sounds().every, pinyin.sounds().common
    assert "台" in hanzi(every.exactly("yi"))
    assert "台" not in hanzi(common.exactly("yi"))
    assert "行" in hanzi(common.exactly("hang"))
    assert "行" in hanzi(common.exactly("xing"))


def test_letters_that_start_no_syllable_have_no_hanzi():
    assert pinyin.sounds().every.exactly("vx") is None
    assert pinyin.sounds().every.starting("u") is None
    assert "影" in hanzi(pinyin.sounds().every.starting("yi"))


def test_homophones_share_a_reading():
    alike = hanzi(pinyin.sounds().common.like("点"))
    assert {"电", "店", "点"} <= alike
    assert "影" not in alike
    assert pinyin.sounds().common.like("a") is None


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("银行", "yinhang"),
        ("行走", "xingzou"),
        ("重庆", "chongqing"),
        ("重量", "zhongliang"),
        ("音乐", "yinyue"),
        ("女生", "nusheng"),
        ("python爬虫 3", "pythonpachong3"),
        ("python", ""),
        ("", ""),
    ],
)
def test_the_usual_reading_goes_by_phrases(text, letters):
    assert pinyin.sounds().usual(text) == letters


def spans(text: str, query: str, **options) -> set[tuple[int, int, bool]]:
    """(start in the text, characters, whole) of all ways to read the query."""
    column = Column.of(block([text]))
    places = pinyin.first_places(column.codes, column.word_starts, query, alike=options.get("alike", False))
    offset = 2  # the mark and the line end
    runs = pinyin.read(column.codes, places, query, **options)
    return {(start - offset, run.length, run.whole) for run in runs for start in run.starts.tolist()}


def test_letters_are_read_as_syllables():
    assert spans("看电影", "dianying") == {(1, 2, True), (1, 2, False)}
    assert spans("看电影", "dianyi") == {(1, 2, False)}
    assert spans("看电影", "dianx") == set()
    assert spans("看电影", "ianying") == set()


def test_letters_are_cut_into_syllables_in_every_way():
    assert spans("西安", "xian") == {(0, 2, True), (0, 2, False)}
    assert spans("先", "xian") == {(0, 1, True), (0, 1, False)}


def test_tone_digits_are_passed_over():
    assert (0, 2, True) in spans("西安", "xi1an1")
    assert spans("西安", "xi9an") == set()


def test_letters_stand_for_themselves_at_the_start_of_a_word_only():
    assert (0, 8, True) in spans("python爬虫", "pythonpachong")
    assert spans("python爬虫", "nachong") == set()
    assert spans("python爬虫", "npachong") == set()


def test_initials_are_read_only_when_asked_for():
    assert spans("河北师范大学", "hbsf") == set()
    assert spans("河北师范大学", "hbsf", initials=True) == {(0, 4, True), (0, 4, False)}
    assert (0, 6, True) in spans("河北师范大学", "hebeishfdax", initials=True)


def test_homophones_are_read_only_when_asked_for():
    assert spans("看电影", "点影") == set()
    assert spans("看电影", "点影", alike=True) == {(1, 2, True)}


def test_a_rare_reading_is_read_only_when_asked_for():
    assert spans("电台", "dianyi") == set()
    assert (0, 2, True) in spans("电台", "dianyi", rare=True)


def test_a_long_name_of_many_readings_is_read_by_each_of_them():
    name = "重行乐长" * 8  # 4 to the power of 16 combinations and more
    for reading in ("zhonghangyuezhang", "chongxinglechang", "zhongxingyuechang"):
        assert (0, 32, True) in spans(name, reading * 8)
