"""How alike the opinions on a question are; the MASI similarity of two sets is tested with its distance in figures."""

import pytest

from db.ledger.similarity import mean_pairwise_similarity


def unit(*opinions: str) -> list[frozenset[str]]:
    """`unit("ab", "a")`: one person gave the tags a and b, another a alone."""
    return [frozenset(letters) for letters in opinions]


def test_pairwise_similarity_needs_two_opinions():
    assert mean_pairwise_similarity([]) is None
    assert mean_pairwise_similarity(unit("ab")) is None
    assert mean_pairwise_similarity(unit("ab", "ab")) == 1.0
    assert mean_pairwise_similarity(unit("", "")) == 1.0


def test_pairwise_similarity_is_the_mean_of_all_pairs():
    # {a,b} with {a}: 1/2 * 2/3 = 1/3; {a,b} with {c}: 0; {a} with {c}: 0; mean 1/9
    assert mean_pairwise_similarity(unit("ab", "a", "c")) == pytest.approx(1 / 9)
