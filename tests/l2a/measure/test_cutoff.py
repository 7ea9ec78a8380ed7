import math

import pytest

from l2a.measure.cutoff import TOP_5, Cutoff, choose_cutoff
from l2a.measure.metrics import nlpcc_score


def test_the_cutoff_is_chosen_by_f1():
    ranking = [[("甲", 0.9), ("乙", 0.1)], [("丙", 0.4), ("丁", 0.2)]]
    gold = [("甲",), ("丙", "丁")]
    assert TOP_5.keep(ranking) == [["甲", "乙"], ["丙", "丁"]]
    cutoff, f1 = choose_cutoff(ranking, gold)
    assert cutoff.keep(ranking) == [["甲"], ["丙", "丁"]]
    assert f1 == 1.0
    # Without probabilities only the number is left: both numbers find too little or too much.
    simple, simple_f1 = choose_cutoff(ranking, gold, scores_tried=0)
    assert simple == Cutoff(2)
    assert simple_f1 == pytest.approx(nlpcc_score(TOP_5.keep(ranking), gold).f1)
    assert choose_cutoff([], [])[0].keep([]) == []


def test_scores_that_are_no_numbers_to_compare_with_are_not_tried():
    ranking = [[("甲", math.inf), ("乙", 0.5)], [("乙", 0.5)]]
    cutoff, f1 = choose_cutoff(ranking, [("甲",), ("乙",)])
    assert (str(cutoff), f1) == ("at most 1", 1.0)
    assert str(Cutoff(2, 0.0517)) == "at most 2, score from 0.0517"
