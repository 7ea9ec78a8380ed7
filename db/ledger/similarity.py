"""How alike two people's tags for a question are: the MASI similarity of two sets. Pure; no database."""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

Tags = frozenset[str]


def masi_similarity(a: Tags, b: Tags) -> float:
    """Passonneau (2006): Jaccard similarity times 1 if equal, 2/3 if one holds the other, 1/3 if they overlap.

    From 0 (nothing shared) to 1 (equal). Two empty sets are equal; an empty set shares nothing with any other.
    """
    return masi_of_sizes(len(a & b), len(a), len(b))


def masi_of_sizes(shared: int, size_a: int, size_b: int) -> float:
    """MASI similarity of two sets, from their sizes and the size of what they share."""
    if shared == size_a == size_b:
        return 1.0
    part = 2 / 3 if shared in (size_a, size_b) else 1 / 3
    return part * shared / (size_a + size_b - shared)


def mean_pairwise_similarity(opinions: Sequence[Tags]) -> float | None:
    """Mean MASI similarity of all pairs of opinions on one question; None with fewer than two."""
    if len(opinions) < 2:
        return None
    return fmean(masi_similarity(a, b) for a, b in combinations(opinions, 2))
