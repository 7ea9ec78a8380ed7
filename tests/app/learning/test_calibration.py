"""Votes to probabilities."""

import random

import pytest

from app.learning.calibration import ENOUGH, Bin, Calibration, Outcome, propose_threshold, reliability, thresholds


def fared(*groups: tuple[float, int, int]) -> list[Outcome]:
    """(share, accepted, not accepted) -> outcomes."""
    return [Outcome(share, yes + no, yes) for share, yes, no in groups]


def test_more_votes_are_never_less_probable():
    picker = random.Random(1)
    found = Calibration([Outcome(n % 49 / 48, 1, picker.random() < (n % 49) / 48) for n in range(2000)])
    curve = [found.probability(votes / 48) for votes in range(49)]
    assert curve == sorted(curve)
    assert curve[0] < 0.2
    assert curve[48] > 0.8
    assert found.probability(0.5) == pytest.approx(0.5, abs=0.12)


def test_a_dip_is_levelled_out():
    found = Calibration(fared((0.25, 10, 90), (0.5, 60, 40), (0.75, 50, 50), (1.0, 95, 5)))
    assert found.probability(0.5) == found.probability(0.75) == pytest.approx(0.55, abs=0.01)
    assert found.probability(0.25) == pytest.approx(0.10, abs=0.01)
    assert 0.10 < found.probability(0.375) < 0.55


def test_too_few_outcomes_say_nothing():
    with pytest.raises(ValueError, match=f"199 tags are too few; {ENOUGH}"):
        Calibration(fared((0.5, 100, 99)))
    assert propose_threshold(fared((0.5, 100, 99)), 0, 48) is None


def test_bins_of_the_reliability_chart():
    found = reliability(fared((0.0, 0, 1), (0.1, 1, 1), (0.95, 3, 1), (1.0, 1, 0)))
    assert found == [Bin(0.0, 0.1, 3, 1), Bin(0.9, 1.0, 5, 4)]
    assert found[1].rate == 0.8


def test_thresholds_by_hand():
    given = fared((1 / 4, 1, 3), (2 / 4, 2, 1), (4 / 4, 3, 0))
    by_share = {threshold.share: threshold for threshold in thresholds(given, missed=2, beam=4)}
    assert (by_share[0.0].precision, by_share[0.0].recall) == (6 / 10, 6 / 8)
    assert (by_share[0.25].precision, by_share[0.25].recall) == (5 / 6, 5 / 8)
    assert (by_share[0.5].precision, by_share[0.5].recall) == (1.0, 3 / 8)
    assert by_share[0.25].f1 == pytest.approx(2 * (5 / 6) * (5 / 8) / (5 / 6 + 5 / 8))


def test_the_best_threshold_is_proposed():
    given = fared((1 / 4, 10, 90), (2 / 4, 60, 10), (4 / 4, 80, 5))
    assert propose_threshold(given, missed=20, beam=4).share == 0.25
