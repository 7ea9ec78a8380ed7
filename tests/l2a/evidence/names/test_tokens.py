"""Texts as tokens, and hashes of their runs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from l2a.evidence.names.tokens import BREAK, LONGEST, cut, cut_clean, numbers_of, runs_of
from l2a.text.cleaning import clean


def test_a_hanzi_and_a_latin_word_are_one_token_each():
    tokens = cut("小米SU7好吗")
    assert [tokens.between(place, place) for place in range(len(tokens.numbers))] == ["小", "米", "SU7", "好", "吗"]
    assert tokens.between(0, 2) == "小米SU7"
    assert tokens.numbers[:2].tolist() == [ord("小"), ord("米")]


def test_marks_are_breaks_and_spaces_are_nothing():
    tokens = cut("《三体》 Vision Pro，C++")
    words = [tokens.text[begin:end] for begin, end in zip(tokens.begins, tokens.ends, strict=True)]
    assert words == ["《", "三", "体", "》", "Vision", "Pro", ",", "C++"]
    assert [int(number) == BREAK for number in tokens.numbers] == [True, False, False, True, False, False, True, False]


def test_case_and_width_make_no_difference():
    assert cut("ＧＰＴ-4").numbers.tolist() == cut("gpt-4").numbers.tolist()


def test_the_same_run_has_the_same_hash_wherever_it_stands():
    one, two = runs_of(cut("在蜜雪冰城打工").numbers), runs_of(cut("蜜雪冰城").numbers)
    assert one[4][1] == two[4][0]
    assert one[4][0] != two[4][0]
    assert [len(found) for found in two] == [0, 4, 3, 2, 1]


@given(st.lists(st.text(max_size=30), max_size=4))
def test_many_texts_are_cut_as_each_alone(texts):
    cleaned = [clean(text) for text in texts]
    alone = [np.append(cut_clean(text).numbers, np.uint64(BREAK)) for text in cleaned]
    assert numbers_of(cleaned).tolist() == [int(number) for numbers in alone for number in numbers]


@given(st.text(max_size=60))
def test_tokens_are_pieces_of_the_clean_text_in_order(text):
    tokens = cut(text)
    assert tokens.text == clean(text)
    ends = [0, *tokens.ends]
    gaps = [tokens.text[end:begin] for end, begin in zip(ends, [*tokens.begins, len(tokens.text)], strict=True)]
    assert "".join(gaps).strip() == ""
    assert len(runs_of(tokens.numbers)) == 1 + min(LONGEST, len(tokens.numbers))
