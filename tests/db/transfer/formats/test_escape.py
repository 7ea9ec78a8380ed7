"""The two halves of the escapes live in packages that may not know each other: here they are held inverse."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from db.transfer.formats import escape
from l2a.data.readers import unescape
from tests.db.transfer.formats.conftest import cut

# Mostly the characters that escapes are about.
nasty = st.text(
    st.one_of(
        st.sampled_from("|,;，、[]{}<>\\'\"=+-@＝\t\r\n %_0aA字 \u3000\u2028"), st.characters(exclude_categories=["Cs"])
    )
)
items = nasty.filter(str.strip)


def test_both_halves_mean_the_same_characters():
    assert escape.FORMULA_STARTS == unescape.FORMULA_STARTS
    assert escape.LABEL == unescape.LABEL


@given(st.lists(items))
@example(["\\", "|", "\\|", "a\\"])
@example(["a,b"])
@example(["['a', 'b']"])
@example(["[]"])
def test_lists_come_back(values):
    assert unescape.split_tags(escape.join_list(values)) == values


def test_one_item_that_might_be_several_ends_with_a_bar():
    assert escape.join_list(["Paris, France"]) == "Paris, France|"
    assert escape.join_list(["Paris, France", "旅行"]) == "Paris, France|旅行"
    assert escape.join_list(["旅行"]) == "旅行"
    assert escape.join_list([]) == ""


@given(nasty)
@example("'")
@example("''=")
def test_cells_come_back_and_none_is_a_formula(cell):
    guarded = escape.guard(cell)
    assert unescape.unguard(guarded) == cell
    assert not guarded.startswith(tuple(escape.FORMULA_STARTS))


@given(items)
@example("%41")
@example("100%")
@example("%e5%AD")
def test_labels_come_back_and_are_one_word(tag):
    label = escape.encode_label(tag)
    assert unescape.decode_label(label) == tag
    assert label.split() == [label]
    assert len(label.splitlines()) == 1


@pytest.mark.parametrize(
    ("tag", "label"),
    [
        ("编程", "编程"),
        ("a b", "a%20b"),
        ("100%", "100%25"),
        ("a\u3000b", "a%E3%80%80b"),
        ("\x00", "%00"),
        ("C|\\+", "C|\\+"),
    ],
)
def test_labels_are_encoded_only_where_needed(tag, label):
    assert escape.encode_label(tag) == label


words = st.one_of(nasty, st.from_regex(r"\\{0,3}(__label__|▁)\w{0,2}", fullmatch=True))


@given(st.lists(words).map(" ".join))
@example("\u3000__label__x \\\\__label__y")
@example("▁ \\▁t ▁t\t a")
def test_texts_come_back_without_labels_or_line_breaks(text):
    escaped = " ".join(escape.escape_words(text, cut))
    assert len(escaped.splitlines()) <= 1
    assert not any(word.startswith("__label__") for word in re.split(r"[\s\0]+", escaped))
    once = re.sub("[\n\r\v\f\0\x1c-\x1e\x85\u2028\u2029\ufeff]", " ", text).strip()
    assert unescape.unescape_text(escaped) == once


def test_a_text_that_no_export_cut_stays_as_it_is():
    assert unescape.unescape_text("how to ▁ learn \\__label__x") == "how to ▁ learn __label__x"


@given(nasty)
def test_json_is_one_line_for_every_program(text):
    line = escape.json_text({"text": text})
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"text": text}
