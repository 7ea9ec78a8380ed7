"""How often two tags were given together: millions of pairs in two flat arrays, the newest in a small dict."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

_MANY = 20_000  # changes, or
_MANY_SHARE = 8  # one for so many pairs, before they are put into the arrays


class Pairs:
    """Pairs of numbers, counted."""

    def __init__(self, sets: Sequence[Sequence[int]] = ()):
        """sets: each with its numbers in order, as in `count`."""
        self._keys, self._times = _count_all(sets)
        self._changes: Counter[int] = Counter()

    def count(self, numbers: Sequence[int], change: int) -> None:
        """All pairs of these numbers, the smaller first."""
        for pair in combinations(numbers, 2):
            self._changes[_key(*pair)] += change
        if len(self._changes) > max(_MANY, len(self._keys) // _MANY_SHARE):
            self._settle()

    def times(self, one: int, two: int) -> int:
        key = _key(min(one, two), max(one, two))
        place = int(np.searchsorted(self._keys, key))
        is_there = place < len(self._keys) and self._keys[place] == key
        return (int(self._times[place]) if is_there else 0) + self._changes.get(key, 0)

    def _settle(self) -> None:
        size = len(self._changes)
        keys = np.concatenate([self._keys, np.fromiter(self._changes.keys(), np.int64, size)])
        times = np.concatenate([self._times, np.fromiter(self._changes.values(), np.int64, size)])
        unique, place = np.unique(keys, return_inverse=True)
        added = np.bincount(place, weights=times, minlength=len(unique)).astype(np.int32)
        self._keys, self._times = unique[added > 0], added[added > 0]
        self._changes.clear()


def _key(smaller: int, greater: int) -> int:
    return smaller << 32 | greater


def _count_all(sets: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs in order, and how often each comes."""
    by_size: dict[int, list[Sequence[int]]] = {}
    for numbers in sets:
        by_size.setdefault(len(numbers), []).append(numbers)
    keys = [np.zeros(0, np.int64)]
    for size, alike in by_size.items():
        if size > 1:
            table = np.array(alike, dtype=np.int64)
            smaller, greater = np.triu_indices(size, 1)
            keys.append((table[:, smaller] << 32 | table[:, greater]).ravel())
    unique, times = np.unique(np.concatenate(keys), return_counts=True)
    return unique, times.astype(np.int32)
