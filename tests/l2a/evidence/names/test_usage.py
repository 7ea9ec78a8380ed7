"""How tags begin and end, and between what they stand."""

import math

import numpy as np
import pytest

from l2a.evidence.names.tokens import cut, numbers_of, runs_of
from l2a.evidence.names.usage import BEFORE, BEGINS, BEHIND, ENDS, Usage

TAGS = ["江城大学", "河州大学", "山门大学", "江城银行", "大学"]


def key(run: str) -> np.ndarray:
    return runs_of(cut(run).numbers)[-1]


@pytest.fixture(scope="module")
def usage() -> Usage:
    return Usage.learn(TAGS, numbers_of(["如何评价江城大学好吗", "如何评价河州大学吗", "在大学里"] * 3))


def log_of(usage: Usage, run: str, kind: int) -> float:
    return float(usage.of(key(run), kind)[0])


def test_endings_and_beginnings_count_the_tags_that_have_them(usage):
    assert math.exp(log_of(usage, "大学", ENDS)) == pytest.approx(3, rel=0.04)  # 大学 itself has nothing before it
    assert math.exp(log_of(usage, "江城", BEGINS)) == pytest.approx(2, rel=0.04)
    assert log_of(usage, "银行", ENDS) == -1  # of one tag only
    assert log_of(usage, "大学", BEGINS) == -1


def test_what_stands_beside_long_tags_is_counted_in_the_text(usage):
    assert math.exp(log_of(usage, "评价", BEFORE)) == pytest.approx(6, rel=0.04)
    assert log_of(usage, "在", BEFORE) == -1  # before 大学, which is too short to tell anything
    assert log_of(usage, "评价", BEHIND) == -1


def test_no_tags_no_usage():
    assert log_of(Usage.learn([], numbers_of(["甲乙丙"])), "大学", ENDS) == -1
