"""Names that no list has, as a source."""

import math

import pytest

from l2a.data.questions import Question
from l2a.evidence.collection import Evidence
from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.tokens import numbers_of
from l2a.evidence.source import PreparedQuestion
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.names.corpus import NAMES, UNKNOWN, finder
from tests.l2a.evidence.test_retriever import LABELLED

SEGMENTER = Segmenter()
NEW = UNKNOWN[7]


def names(evidence: Evidence, title: str) -> dict[str, dict[str, float]]:
    found = evidence.find(PreparedQuestion.of(Question(title=title), SEGMENTER))
    return {one.tag: dict(one.figures) for one in found if one.source == "names"}


def test_a_name_in_no_list_is_named_and_a_listed_one_is_left_to_others():
    evidence = Evidence(Evidence.build(LABELLED, NAMES, SEGMENTER).retriever, finder())
    assert NEW in names(evidence, f"在{NEW}工作是什么体验？")
    assert NAMES[0] not in names(evidence, f"在{NAMES[0]}工作是什么体验？")
    assert NAMES[0] in names(Evidence(None, finder()), f"在{NAMES[0]}工作是什么体验？")  # without lists all are new


def test_another_spelling_of_a_listed_tag_is_no_new_name():
    evidence = Evidence(Evidence.build(LABELLED, [f"{NEW}(Neo)"], SEGMENTER).retriever, finder())
    assert NEW not in names(evidence, f"在{NEW}工作是什么体验？")


def test_a_name_that_stands_nowhere_else_is_told_by_its_form():
    figures = names(Evidence(None, finder()), f"在{NEW}工作是什么体验？")[NEW]
    expected = math.log(1.01 / (1.01 - figures["likeness"])) / math.log(101)
    assert set(figures) == {"probability", "likeness", "form"}
    assert figures["form"] == pytest.approx(expected)


def test_a_young_name_says_so():
    title = f"在{NEW}工作是什么体验？"
    finder().grow(SpanCounts.count(numbers_of([title, f"说{NEW}", f"{NEW}呢", f"去{NEW}看看"] * 5), 3))
    try:
        figures = names(Evidence(None, finder()), title)[NEW]
    finally:
        finder().grow(None)
    assert set(figures) == {"probability", "likeness", "young", "late", "promise"}
    assert figures["young"] == 1.0
    assert 0.5 < figures["late"] <= 1
    assert figures["promise"] == pytest.approx(math.log1p(figures["likeness"] / 0.01) / math.log1p(100))


def test_names_are_stored_with_the_rest_and_need_no_hints():
    evidence = Evidence(Evidence.build(LABELLED, NAMES, SEGMENTER).retriever, finder())
    again = Evidence.of({name: array.copy() for name, array in evidence.arrays.items()}, SEGMENTER)
    title = f"在{NEW}工作是什么体验？"
    assert names(again, title) == names(evidence, title)
    assert Evidence.of(evidence.arrays).names is None  # training reads hints only
    grown = again.extended([Question(title="怎样观星？", tags=("天文",))], SEGMENTER)
    assert names(grown, title) == names(evidence, title)
