import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from l2a.text.segmenter import Segmenter

# Any text, and text with much of what goes wrong: hanzi, full-width forms, marks that combine, invisible characters.
TRICKY = st.text(
    st.sampled_from(
        "中华人民共和国河北师范大学的ＡａßİǅΐﬁΣς\u0301\u0308\u0345\u200b\u200d\ufeff\u3000\x00\t\n |,.+#-1½😀"
    )
)
ANY_TEXT = st.text() | TRICKY


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("河北师范大学", ["河北", "师范", "大学"]),
        ("科幻电影", ["科幻", "电影"]),
        ("Android 手机", ["Android", " ", "手机"]),
        ("X 是种怎样的体验", ["X", " ", "是", "种", "怎样", "的", "体验"]),
        ("C++", ["C++"]),
        (".NET", [".", "NET"]),
        ("iPhone 15", ["iPhone", " ", "15"]),
        ("C|C++", ["C", "|", "C++"]),
        ("", []),
    ],
)
def test_split_gives_the_words_of_a_tag(segmenter, text, words):
    assert segmenter.split(text) == words


def test_brackets_and_spaces_are_words_of_their_own(segmenter):
    words = segmenter.split("谷歌 (Google)")
    assert words[-4:] == [" ", "(", "Google", ")"]
    assert "".join(words) == "谷歌 (Google)"


def test_source_words_leave_white_space_out(segmenter):
    assert segmenter.source_words("Android 手机") == ["Android", "手机"]


def test_extra_words_become_one_word():
    with_words = Segmenter(words=["iPhone 15", "元宇宙"])
    assert with_words.words == ("iPhone 15", "元宇宙")
    assert with_words.split("元宇宙是什么")[0] == "元宇宙"
    assert "".join(with_words.split("买 iPhone 15 吗")) == "买 iPhone 15 吗"
    # load_userdict would have read `iPhone 15` as a word and its frequency
    assert "iPhone" in with_words.split("买 iPhone 15 吗")


def test_an_extra_word_given_twice_or_empty_does_no_harm():
    assert Segmenter(words=["元宇宙", "元宇宙", ""]).split("元宇宙") == ["元宇宙"]


def test_two_segmenters_do_not_disturb_each_other(segmenter):
    before = segmenter.split("元宇宙")
    other = Segmenter(words=["元宇宙"])
    assert other.split("元宇宙") == ["元宇宙"]
    assert segmenter.split("元宇宙") == before != ["元宇宙"]
    assert Segmenter().split("元宇宙") == before


@pytest.mark.parametrize(
    "text", ["中华人民共和国", "人工智能", "一带一路上的社会主义现代化", "B2B电子商务平台", "乙烯基三甲氧基硅烷"]
)
def test_no_word_of_four_hanzi_comes_out(segmenter, text):
    assert all(not re.search(r"[\u4e00-\u9fff]{4}", word) for word in segmenter.split(text))


def test_an_extra_word_of_four_hanzi_is_split_too():
    assert Segmenter(words=["量子计算机"]).split("量子计算机") == ["量子", "计算机"]


@settings(deadline=None, max_examples=300)
@given(ANY_TEXT)
@example("中华人民共和国\r\nABC|C++ .NET")
def test_joining_the_words_gives_the_text_back(segmenter, text):
    words = segmenter.split(text)
    assert "".join(words) == text
    assert "" not in words
    assert all(not re.search(r"[\u4e00-\u9fff]{4}", word) for word in words)
