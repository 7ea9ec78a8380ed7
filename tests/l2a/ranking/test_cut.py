"""Where the cut is put: the best F1 to be expected, worked out by hand and by brute force."""

import random

import numpy as np
import pytest

from l2a.measure.metrics import nlpcc_score
from l2a.ranking.ranker import CUTS, PSEUDO_QUESTIONS, Prior, Ranker, Served, choose_cut, cut_counts
from l2a.search.voting import MAX_SHOWN
from tests.l2a.ranking.priors import prior_of

NOTHING = prior_of({}, cut=CUTS[-1])
NOTHING = Prior(NOTHING.weights, NOTHING.scales, NOTHING.constant, ((0.0, 0.0, 0.0, 0.0),) * len(CUTS))


def at(counts: np.ndarray, cut: float) -> list[float]:
    return counts[CUTS.index(cut)].tolist()


def test_counts_of_one_question_by_hand():
    """Chances 0.8, 0.5 and 0.2, of which the second is wrong; the question has one more tag that was no candidate."""
    counts = cut_counts(np.array([0.2, 0.8, 0.5]), np.array([1.0, 1.0, 0.0]), 3)
    first, second, third = 0.910239, 0.721348, 0.621335  # 1 / ln(3), 1 / ln(4), 1 / ln(5)
    assert at(counts, 0.1) == pytest.approx([first + third, first + second + third, 2, 3], abs=1e-6)
    assert at(counts, 0.2) == pytest.approx([first, first + second, 1, 3], abs=1e-6)  # just the cut does not suffice
    assert at(counts, 0.5) == pytest.approx([first, first, 1, 3], abs=1e-6)
    assert at(counts, 0.8) == [0, 0, 0, 3]


def test_no_more_than_five_tags_are_counted():
    counts = cut_counts(np.linspace(0.9, 0.3, 9), np.ones(9), 9)
    assert at(counts, 0.01)[2] == MAX_SHOWN
    assert at(cut_counts(np.zeros(0), np.zeros(0), 2), 0.01) == [0, 0, 0, 2]


def test_without_servings_the_cut_is_the_shipped_one():
    for cut in (CUTS[0], 0.3, CUTS[-1]):
        assert Ranker.shipped(prior_of({}, cut=cut)).cut == cut


def test_of_equal_cuts_the_higher_is_taken():
    served = Served([{}], [None], 1)
    # One tag of chance 0.6: every cut under it is as good as any other.
    assert choose_cut(NOTHING, [served], [np.array([0.6])]) == max(cut for cut in CUTS if cut < 0.6)


def expected_f1(cut: float, chances: list[np.ndarray], right: list[float]) -> float:
    """The task's F1 with a share of a right tag for each chance."""
    weighted_right = weighted_kept = found = 0.0
    for own in chances:
        for place, chance in enumerate(sorted(own, reverse=True)[:MAX_SHOWN]):
            if chance > cut:
                weight = 1 / np.log(place + 3)
                weighted_right, weighted_kept, found = (
                    weighted_right + weight * chance,
                    weighted_kept + weight,
                    found + chance,
                )
    if not weighted_kept:
        return 0.0
    precision, recall = weighted_right / weighted_kept, found / sum(right)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("seed", range(4))
def test_the_cut_has_the_best_f1_to_be_expected(seed):
    chance = random.Random(seed)
    chances = [np.array([chance.random() ** 3 for _ in range(chance.randrange(9))]) for _ in range(30)]
    served = [Served([{}] * len(own), [None] * len(own), 2) for own in chances]
    scores = [(expected_f1(cut, chances, [2.0] * 30), cut) for cut in CUTS]
    assert choose_cut(NOTHING, served, chances) == max((round(score, 9), cut) for score, cut in scores)[1]


def test_what_is_expected_is_what_comes_of_certain_chances():
    """Where every chance is 1 or 0 the counts are those of the task's own score."""
    tags = [("甲", "乙", "丙"), ("甲",), ("乙", "丙")]
    right = [("甲", "丙"), ("乙",), ("乙", "丙", "丁")]
    counts = np.zeros((len(CUTS), 4))
    for own, gold in zip(tags, right, strict=True):
        is_right = np.array([float(tag in gold) for tag in own])
        counts += cut_counts(np.linspace(0.9, 0.6, len(own)), is_right, len(gold))
    weighted_right, weighted_kept, found, wanted = at(counts, 0.3)
    score = nlpcc_score(tags, right)
    assert weighted_right / weighted_kept == pytest.approx(score.precision)
    assert found / wanted == pytest.approx(score.recall)


def test_what_was_shipped_counts_as_so_many_questions():
    """The shipped curve is best at 0.3, what is served from 0.32 on: a few servings do not move the cut, many do."""
    curve = tuple((1.0, 1.0 + abs(cut - 0.3), 1.0, 1.0) for cut in CUTS)
    shipped = Prior({}, {}, 0.0, curve)
    served, chances = Served([{}] * 2, [None] * 2, 1), np.array([0.95, 0.32])
    found = [choose_cut(shipped, [served] * count, [chances] * count) for count in (0, 1, 100 * PSEUDO_QUESTIONS)]
    assert found[0] == 0.3
    assert found[2] >= 0.32
    assert found == sorted(found)
    for count in (1, 7):  # counted by hand at every cut
        f1 = []
        for cut, point in zip(CUTS, curve, strict=True):
            right, kept, plain, wanted = PSEUDO_QUESTIONS * np.array(point) + count * np.array(
                at(cut_counts(chances, chances, 1), cut)
            )
            f1.append(2 * (right / kept) * (plain / wanted) / (right / kept + plain / wanted))
        assert choose_cut(shipped, [served] * count, [chances] * count) == CUTS[int(np.argmax(f1))]
