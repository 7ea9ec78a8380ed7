"""What is learned, and that it can be learned again."""

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.names import learning
from l2a.evidence.names.finder import longest_of
from l2a.evidence.names.spans import describe
from l2a.evidence.names.tokens import cut
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.names.corpus import NAMES, UNKNOWN, finder, titles


def test_the_same_text_gives_the_same_arrays():
    small = titles(200)
    one, two = (learning.learn(small, NAMES, [], Segmenter()).arrays for _ in range(2))
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_without_gold_tags_nothing_is_a_likely_tag():
    found = learning.learn(titles(200), NAMES, [], Segmenter()).find(f"在{UNKNOWN[0]}工作是什么体验？")
    assert all(name.probability < 0.001 for name in found)


def test_questions_that_lost_tags_do_not_teach_that_names_are_wrong():
    lost = [Question(title=f"在{name}工作", tags=("生活",), partial_tags=True) for name in UNKNOWN]
    learned = learning._learn_belief(finder().arrays, lost, Segmenter(), 1)
    assert learned.arrays["becomes_base"][0] == -10  # nothing was learned from


def test_of_listed_names_the_longest_is_the_name():
    spans = describe(cut("在江城大学"), frozenset(), finder().counts, finder().usage)
    texts = [spans.text(place) for place in range(len(spans.first))]
    longest = longest_of(spans, [text in ("江城大学", "大学", "江城") for text in texts])
    assert [text for text, is_longest in zip(texts, longest, strict=True) if is_longest] == ["江城大学"]


def test_another_listed_name_of_the_same_ending_takes_the_place_of_one():
    import random

    swap = learning.Swap({"江城大学", "河州大学", "山门银行"}, random.Random(1))
    assert {swap("在江城大学工作", {"江城大学"}) for _ in range(20)} == {"在江城大学工作", "在河州大学工作"}
    assert swap("在山门银行工作", {"山门银行"}) is None  # no other one ends so
    assert swap("在家工作", {"江城大学"}) is None
