"""What is learned, and that it can be learned again."""

import random

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
    swap = learning.Swap({"江城大学", "河州大学", "山门银行"}, random.Random(1))
    found = {swap("在江城大学工作", {"江城大学"}) for _ in range(20)}
    assert found == {("在江城大学工作", "江城大学"), ("在河州大学工作", "河州大学")}
    assert swap("在山门银行工作", {"山门银行"}) is None  # no other one ends so
    assert swap("在家工作", {"江城大学"}) is None


def test_a_name_in_no_list_is_made_of_what_many_names_begin_and_end_with():
    listed = {f"{city}{kind}大学" for city in ("江城", "河州") for kind in "文理工商农林医艺体法师海"}
    swap = learning.Swap(listed | {"理工大学", "星期大学"}, random.Random(1))
    names = {name for _ in range(300) if (found := swap("在江城文大学工作", {"江城文大学"})) for name in [found[1]]}
    assert names >= {"江城理大学", "河州理大学", "星期大学"}
    # Only 江城 and 河州 begin many names, and every name was there with one of them: none is new, and none begins so.
    assert {name[:2] for name in names} == {"江城", "河州", "理工", "星期"}


def test_a_name_may_be_composed_that_no_list_has():
    listed = {f"江城{kind}大学" for kind in "文理工商农林医艺体法师"} | {
        f"河州{kind}银行" for kind in "文理工商农林医艺体法师"
    }
    swap = learning.Swap(listed, random.Random(1))
    names = {name for _ in range(200) if (found := swap("在江城文大学工作", {"江城文大学"})) for name in [found[1]]}
    assert {name for name in names if name not in listed} == {f"河州{kind}大学" for kind in "文理工商农林医艺体法师"}


def test_a_title_of_a_work_teaches_what_a_name_looks_like_without_its_marks():
    works = [f"{first}{second}传" for first in "江河湖海山岭川原" for second in "城州阳门关塘湾丘"]

    def likeness(texts: list[str]) -> float:
        found = learning.learn([*texts, *titles(150)], NAMES, [], Segmenter()).best(cut("有人看过江城传吗？"))
        at = [found.spans.text(place) for place in range(len(found.likeness))].index("江城传")
        return found.likeness[at]

    marked = likeness([f"有人看过《{name}》吗？" for name in works])
    assert marked > 0.1
    assert marked > 2 * likeness([f"有人看过{name}吗？" for name in works])
