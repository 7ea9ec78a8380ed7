"""Shares of votes, what became of them, and the threshold that would have suited."""

import pytest

from app.dashboard.vote_outcomes import ENOUGH, Bin, Outcome, propose_threshold, reliability, thresholds, total


def fared(*groups: tuple[float, int, int]) -> list[Outcome]:
    """(share, accepted, not accepted) -> outcomes."""
    return [Outcome(share, yes + no, yes) for share, yes, no in groups]


def test_too_few_outcomes_say_nothing():
    assert total(fared((0.5, 100, 99))) == ENOUGH - 1
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
