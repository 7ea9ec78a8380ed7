"""Which findings a moderator is told, and that the texts say something in both languages."""

import pytest

from app.annotate.findings import ALIKE, MOST_TOLD, told
from db.store.records import ToldFinding
from l2a.messages import CATALOGUE

FILLED = {"count": 4, "of": 5}


def findings(*codes: str) -> list[ToldFinding]:
    return [ToldFinding(code, f"finding.{code}", FILLED) for code in codes]


def test_the_strongest_come_first_and_no_more_than_a_few():
    evidence = findings("lately", "precedents", "words", "in_title")
    assert told(evidence, "en") == [
        "given 4 times lately",
        "4 of 5 similar questions have it",
        "often goes with these words",
    ]
    assert len(told(evidence, "zh")) == MOST_TOLD
    assert told(evidence, "en", most=1) == ["given 4 times lately"]
    assert told([], "en") == []


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (("named", "listed", "in_title"), "stands in the title"),
        (("in_description", "in_title"), "stands in the title"),
        (("near", "precedents"), "4 of 5 similar questions have it"),
        (("precedents", "refused"), "rejected for an almost identical question"),
        (("linear", "words"), "often goes with these words"),
    ],
)
def test_what_says_the_same_is_told_once_as_well_as_it_can_be(evidence, said):
    assert told(findings(*evidence), "en") == [said]


def test_what_says_it_better_stands_where_the_stronger_one_stood():
    assert told(findings("near", "lately", "precedents"), "en") == [
        "4 of 5 similar questions have it",
        "given 4 times lately",
    ]


def test_the_training_data_speaks_once():
    assert told(findings("linear", "near", "in_title"), "en") == [
        "in training it went with these words",
        "stands in the title",
    ]
    assert told(findings("near", "words", "linear"), "en") == [
        "similar training questions have it",
        "often goes with these words",
    ]


def test_a_source_that_is_not_here_any_more_is_passed_over():
    assert told([ToldFinding("moon", "moon.phase", {"phase": 3}), *findings("lately")], "en") == [
        "given 4 times lately"
    ]


def test_every_finding_that_is_grouped_has_its_text():
    for code in [code for group in ALIKE for code in group]:
        for language in ("en", "zh"):
            assert CATALOGUE[code][language].format(**FILLED)
