"""How often runs stand in a text, how freely, and since when."""

import math

import numpy as np
import pytest

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.tokens import cut, numbers_of, runs_of


def key(run: str) -> np.ndarray:
    return runs_of(cut(run).numbers)[-1]


def counted(*texts: str, least: int = 2) -> SpanCounts:
    return SpanCounts.count(numbers_of(texts), least)


def test_counts_and_entropies_are_those_worked_out_by_hand():
    counts = counted("甲乙丙", "甲乙丁", "戊甲乙", "丙丁")
    # 甲乙 stands three times. Behind it stand 丙, 丁 and an end, before it 戊 and two beginnings: an end or a beginning
    # is a neighbour of its own.
    times, before, behind, _ = counts.of(key("甲乙"))[0]
    assert math.exp(times) == pytest.approx(3, rel=0.04)
    assert before == pytest.approx(math.log(3), abs=0.04)
    assert behind == pytest.approx(math.log(3), abs=0.04)
    # 甲 has always 乙 behind it.
    assert counts.of(key("甲"))[0][2] == 0
    assert counts.tokens == 11


def test_rare_runs_and_those_across_a_break_are_not_kept():
    counts = counted("甲乙,丙", "甲乙,丙", "丁戊")
    assert counts.of(key("丁戊"))[0].tolist() == [-1, 0, 0, 0]
    assert counts.of(key("乙丙"))[0].tolist() == [-1, 0, 0, 0]


def test_a_long_run_that_is_always_part_of_a_longer_one_is_not_kept():
    counts = counted("甲乙丙丁", "甲乙丙丁", "戊甲乙丙丁")
    assert counts.of(key("甲乙丙"))[0][0] == -1
    assert counts.of(key("甲乙丙丁"))[0][0] > 0


def test_what_stands_only_in_the_newest_texts_is_late():
    old = [f"旧事{place}" for place in "甲乙丙丁戊己庚辛壬癸" * 10]
    counts = counted(*old, *["新名好", "说新名", "新名呢"] * 3)
    assert counts.of(key("新名"))[0][3] > 4.6
    assert counts.of(key("旧事"))[0][3] == 0
    assert counts.of(key("无名"))[0][3] == 0


def test_what_stands_in_the_oldest_part_is_not_late_however_often_it_stands_in_the_rest():
    texts = [f"事{place}" for place in "甲乙丙丁戊己庚辛壬癸" * 2]
    assert counted(*texts[:3], *["新名"] * 200, *texts).of(key("新名"))[0][3] == 0
    assert counted(*texts, *["新名"] * 20).of(key("新名"))[0][3] > 4.6


def test_two_texts_joined_count_as_one_text():
    one, two = ["甲乙丙", "甲乙丁", "戊甲乙"], ["己甲乙庚", "甲乙辛", "壬癸", "壬癸"]
    joined, whole = counted(*one).joined(counted(*two)), counted(*one, *two)
    for run in ("甲乙", "壬癸", "甲"):
        assert joined.of(key(run))[0][0] == pytest.approx(whole.of(key(run))[0][0], abs=0.1), run
    assert joined.tokens == whole.tokens
    assert joined.of(key("没有"))[0].tolist() == [-1, 0, 0, 0]


def test_an_empty_text_has_no_runs():
    empty = counted()
    assert len(empty) == 0
    assert empty.of(key("甲"))[0].tolist() == [-1, 0, 0, 0]
    assert len(counted("甲乙", "甲乙").joined(empty)) == len(counted("甲乙", "甲乙"))
