"""Marks: told to the network, never made by a segmenter, and known for what they are."""

import pytest

from l2a.text.marks import is_mark, make_mark, source_of_mark
from l2a.text.segmenter import Segmenter


def test_a_mark_names_its_source():
    assert make_mark("near", 2) == "‹near 2›"
    assert source_of_mark("‹near 2›") == "near"
    assert is_mark("‹listed 3›")


@pytest.mark.parametrize("word", ["near", "‹", "‹near›", "‹near 2", "‹near 2› ", "近 2", ""])
def test_a_word_is_no_mark(word):
    assert source_of_mark(word) is None
    assert not is_mark(word)


def test_a_text_that_looks_like_a_mark_is_cut_into_words():
    words = Segmenter(["‹near 2›"]).split("养猫‹near 2›吗")
    assert "".join(words) == "养猫‹near 2›吗"
    assert not any(map(is_mark, words))
