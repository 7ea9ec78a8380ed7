import pytest

from l2a.experiments.report.claims import (
    FAILS,
    HOLDS,
    UNKNOWN,
    all_of,
    better_claims,
    compare,
    higher_in_every_seed,
    more_counted,
)

GOLD = [("对",)] * 40


def answers(right: int):
    """One tag a question, the first `right` of them correct: P, R and F1 are right / 40."""
    return [["对"] if number < right else ["错"] for number in range(40)]


@pytest.mark.parametrize(
    ("better", "worse", "verdict"),
    [
        ([30], [10], HOLDS),
        ([10], [30], FAILS),
        ([20], [21], UNKNOWN),
        ([30, 29], [10, 11], HOLDS),
        ([30, 9], [10, 11], UNKNOWN),  # one seed says otherwise
    ],
)
def test_better_needs_the_interval_and_every_seed(better, worse, verdict):
    found = compare([answers(n) for n in better], [answers(n) for n in worse], GOLD)
    assert found["verdict"] == verdict
    assert found["difference"] == pytest.approx(sum(better) / len(better) / 40 - sum(worse) / len(worse) / 40)
    assert found["interval"][0] <= found["difference"] <= found["interval"][1]


def test_nothing_to_compare_says_nothing():
    assert compare([[]], [[]], [])["verdict"] == UNKNOWN


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [([HOLDS, HOLDS], HOLDS), ([HOLDS, UNKNOWN], UNKNOWN), ([UNKNOWN, FAILS], FAILS), ([], UNKNOWN)],
)
def test_a_claim_with_several_parts(verdicts, whole):
    assert all_of(verdicts) == whole


@pytest.mark.parametrize(
    ("more", "fewer", "verdict"),
    # 1.96 times the root of 82 + 23 is 20.1.
    [
        ([82], [23], HOLDS),
        ([23], [82], FAILS),
        ([30], [23], UNKNOWN),
        ([82, 20], [23, 21], UNKNOWN),
        ([0], [0], UNKNOWN),
    ],
)
def test_counts_must_lie_further_apart_than_chance_puts_them(more, fewer, verdict):
    assert more_counted(more, fewer) == verdict


@pytest.mark.parametrize(
    ("higher", "lower", "verdict"),
    [([3, 4], [1, 2], HOLDS), ([1, 2], [3, 4], FAILS), ([1, 4], [2, 3], UNKNOWN), ([4], [1], UNKNOWN)],
)
def test_seeds_must_agree_and_one_cannot_tell(higher, lower, verdict):
    assert higher_in_every_seed(higher, lower) == verdict


def test_a_claim_is_judged_by_both_rules():
    def run(paper: int, chosen: int):
        return [{"answers": {"paper": {"test": answers(paper)}, "chosen": {"test": answers(chosen)}}}]

    runs = {"A": run(30, 10), "B": run(10, 10)}
    first, second = better_claims("A is better", runs, [("A", "B")], GOLD, "test")
    assert (first["claim"], first["verdict"]) == ("A is better (as the paper scores)", HOLDS)
    assert (second["claim"], second["verdict"]) == ("A is better (number of tags chosen on dev)", UNKNOWN)
    assert first["figures"].startswith("A against B +50.0 [")
