"""What tags people use look like from outside: how they begin and end, and between which words they stand.

Learned from lists of tags and from a large text in which they stand, and kept as counts of hashes; no tag can be read
back. Only what several tags share is kept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from l2a.evidence.names.tokens import BREAK, LONGEST, cut, extend_hashes, runs_of, scramble

LEAST_TAGS = 2  # that begin or end alike
LEAST_PLACES = 4  # in the text where a listed tag stands beside the same tokens
EDGE_TOKENS = 3  # beside a tag, and of its beginning or ending, that figures are made of
LONGEST_EDGE = 6  # tokens of a beginning or an ending that is known as one
BEGINS, ENDS, BEFORE, BEHIND = range(4)
_STEPS = 16.0
_SALTS = np.array([0x1B873593, 0xCC9E2D51, 0x85EBCA6B, 0xC2B2AE35], dtype=np.uint32)


class Usage:
    """Hash of (kind, run of tokens) -> log of how many listed tags begin or end so, or stand behind or before it."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.arrays = {name: arrays[name] for name in ("usage_keys", "usage_values")}
        self._keys, self._values = self.arrays["usage_keys"], self.arrays["usage_values"]

    @classmethod
    def learn(cls, tags: Iterable[str], numbers: np.ndarray) -> "Usage":
        """tags: listed ones. numbers: a large text (tokens.numbers_of), in which they are looked for."""
        counted: Counter[int] = Counter()
        by_length: dict[int, set[int]] = {}
        for tag in tags:
            tokens = cut(tag).numbers
            if not 1 < len(tokens) <= LONGEST or not tokens.all():
                continue
            runs = runs_of(tokens)
            by_length.setdefault(len(tokens), set()).add(int(runs[len(tokens)][0]))
            for length in range(1, min(LONGEST_EDGE, len(tokens) - 1) + 1):
                counted[int(salted(runs[length][:1], BEGINS)[0])] += 1
                counted[int(salted(runs[length][-1:], ENDS)[0])] += 1
        counted = Counter({key: times for key, times in counted.items() if times >= LEAST_TAGS})
        for key, times in _beside(by_length, numbers).items():
            counted[key] = times
        keys = np.array(sorted(counted), dtype=np.uint32)
        values = np.log([counted[int(key)] for key in keys]) if len(keys) else np.zeros(0)
        return cls({"usage_keys": keys, "usage_values": np.clip(np.rint(values * _STEPS), 0, 255).astype(np.uint8)})

    def of(self, keys: np.ndarray, kind: int) -> np.ndarray:
        """(n,) logs for hashes of runs; -1 for one that is not kept."""
        found = np.full(len(keys), -1.0)
        if len(self._keys):
            wanted = salted(keys, kind)
            places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
            is_there = self._keys[places] == wanted
            found[is_there] = self._values[places[is_there]] / _STEPS
        return found


def salted(keys: np.ndarray, kind: int) -> np.ndarray:
    return (keys ^ _SALTS[kind]) * np.uint32(0x9E3779B1)


def _beside(by_length: Mapping[int, set[int]], numbers: np.ndarray) -> dict[int, int]:
    """How often each run of tokens stands right before or right behind a listed tag in the text."""
    around = np.concatenate([np.full(EDGE_TOKENS, BREAK), numbers, np.full(EDGE_TOKENS + LONGEST, BREAK)]).astype(
        np.uint64
    )
    sides = runs_of(around, EDGE_TOKENS)
    found: list[np.ndarray] = []
    hashes = numbers
    for length in range(2, LONGEST + 1):
        hashes = extend_hashes(hashes, numbers, length)
        # Tags of two hanzi are mostly common words, which stand anywhere.
        if length < 3 or not (listed := by_length.get(length)):
            continue
        begins = np.flatnonzero(np.isin(scramble(hashes), np.fromiter(listed, np.uint32, len(listed)))) + EDGE_TOKENS
        for side in range(1, EDGE_TOKENS + 1):
            found.append(salted(sides[side][begins - side], BEFORE))
            found.append(salted(sides[side][begins + length], BEHIND))
    keys, times = np.unique(np.concatenate([np.zeros(0, np.uint32), *found]), return_counts=True)
    often = times >= LEAST_PLACES
    return dict(zip(keys[often].tolist(), times[often].tolist(), strict=True))
