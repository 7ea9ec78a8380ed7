"""What a finder that learned a small language makes of titles: names that no list had."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.finder import MOST, NameFinder, is_of_names, is_regular, whole_names
from l2a.evidence.names.spans import describe
from l2a.evidence.names.tokens import cut, numbers_of
from l2a.evidence.names.usage import Usage
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.names.corpus import UNKNOWN, finder, titles

NEW = UNKNOWN[3]


def test_a_name_that_no_list_has_is_told_by_its_form_and_place():
    found = [finder().find(f"在{name}工作是什么体验？")[0].text for name in UNKNOWN[:20]]
    assert sum(one == name for one, name in zip(found, UNKNOWN, strict=False)) >= 18


def test_a_longer_name_beats_its_parts_and_names_do_not_overlap():
    names = [name.text for name in finder().find(f"如何评价{NEW}最近的做法？")]
    assert names[0] == NEW
    assert not any(name in NEW for name in names[1:])


def test_a_plain_question_has_no_likely_name():
    assert all(name.likeness < 0.5 for name in finder().find("晚上睡不着怎么办？"))
    assert finder().find("？！") == finder().find("") == []


def test_a_name_is_written_as_the_title_writes_it():
    assert all(name.text in "在Qx江湾乐队工作" for name in finder().find("在Qx江湾乐队工作"))


def test_what_a_store_writes_lately_is_young_and_forgotten_again():
    title = f"为什么大家都在说{NEW}？"
    before = {name.text: name for name in finder().find(title)}
    assert not before[NEW].is_young
    own = SpanCounts.count(numbers_of([title, f"想去{NEW}看看", f"如何评价{NEW}", f"{NEW}和别的比"] * 5), 3)
    finder().grow(own)
    try:
        assert {name.text: name for name in finder().find(title)}[NEW].is_young
    finally:
        finder().grow(None)
    assert {name.text: name for name in finder().find(title)} == before


def test_stored_arrays_give_the_same_names_and_hold_no_text():
    again = NameFinder({name: array.copy() for name, array in finder().arrays.items()}, Segmenter())
    for title in titles(20, seed=5):
        assert again.find(title) == finder().find(title)
    assert all(is_of_names(name) for name in finder().arrays)
    assert all(array.dtype.kind in "uif" for array in finder().arrays.values())


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40))
def test_any_title_has_at_most_a_few_names_each_of_which_stands_in_it(title):
    names = finder().find(title)
    assert len(names) <= MOST
    assert [name.probability for name in names] == sorted((name.probability for name in names), reverse=True)
    assert all(0 <= name.probability <= 1 and 0 <= name.likeness <= 1 for name in names)


@pytest.mark.parametrize("description", ["", f"{NEW}在哪里？{NEW}好不好？"])
def test_a_description_is_read_beside_the_title(description):
    assert finder().find(f"想去{NEW}看看，有什么要注意的？", description)[0].text == NEW


def test_the_end_of_a_regular_name_gives_what_it_is_like_to_the_whole():
    """By hand: the whole begins and ends as many names do; only its end, behind another word, looks like a name."""
    tokens = cut("去江城技术大学")
    spans = describe(tokens, frozenset({0, 1, 3, 5, 7}), finder().counts, finder().usage)
    texts = [spans.text(place) for place in range(len(spans.first))]
    likeness = np.array([0.7 if text == "技术大学" else 0.1 if text == "江城技术大学" else 0.0 for text in texts])
    regular = np.array([text == "江城技术大学" for text in texts])
    found = dict(zip(texts, whole_names(spans, likeness, regular), strict=True))
    assert (found["江城技术大学"], found["技术大学"]) == (0.7, 0.0)
    assert whole_names(spans, likeness, np.zeros(len(texts), dtype=bool)).tolist() == likeness.tolist()


def test_what_begins_and_ends_as_many_names_do_is_regular():
    tags = [f"江城{kind}大学" for kind in map(chr, range(0x4E00, 0x4E00 + 80))]
    usage = Usage.learn(tags, numbers_of(["无"]))
    spans = describe(cut("去江城技术大学"), frozenset({0, 1, 3, 5, 7}), finder().counts, usage)
    regular = [spans.text(int(place)) for place in np.flatnonzero(is_regular(spans, usage))]
    assert regular == ["江城技术大学"]
    few = Usage.learn(tags[:20], numbers_of(["无"]))
    assert not is_regular(spans, few).any()
