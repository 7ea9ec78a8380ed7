"""How often runs of tokens stand in a large text, and how freely they stand there: the statistics names are told by.

Kept as hashes of runs: nothing can be read back. The same function counts a model's text once and a store's own
questions whenever there are new ones.
"""

from collections.abc import Mapping

import numpy as np

from l2a.evidence.names.tokens import BREAK, LONGEST, extend_hashes, scramble

OLDEST = 0.1  # part of the text: what stands in it is not young, however often it stands in the rest
_STEPS = 16.0  # of a stored logarithm or entropy, a unit each


class SpanCounts:
    """Hash of a run -> how often it stands, the entropy of what stands before and behind it, and since when."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.arrays = dict(arrays)
        self._keys = arrays["span_keys"]  # (n,) uint32, rising
        # (n, 4) uint8: log of the count, entropy before, entropy behind, where in the text it stands first
        self._values = arrays["span_values"]
        self.tokens = float(arrays["span_tokens"][0])  # in the text
        self.least = float(arrays["span_least"][0])  # rarer runs are not kept

    @classmethod
    def count(cls, numbers: np.ndarray, least: int) -> "SpanCounts":
        """Of texts as `tokens.numbers_of` gives them, the oldest first. least: times from which a run is kept."""
        is_token, positions = numbers != BREAK, len(numbers)
        hashes, is_run = numbers.copy(), is_token.copy()
        around = np.concatenate([[BREAK], numbers, np.full(LONGEST + 1, BREAK)]).astype(np.uint64)
        kept: list[tuple[np.ndarray, np.ndarray]] = []
        for length in range(1, min(LONGEST, positions) + 1):
            if length > 1:
                hashes = extend_hashes(hashes, numbers, length)
                is_run = is_run[: positions - length + 1] & is_token[length - 1 :]
            begins = np.flatnonzero(is_run)
            if not len(begins):
                break
            keys, first, run, counts = np.unique(
                scramble(hashes[begins]), return_index=True, return_inverse=True, return_counts=True
            )
            is_often = counts >= least
            since = begins[first[is_often]] / positions
            begins, run = begins[is_often[run]], (np.cumsum(is_often) - 1)[run[is_often[run]]]
            keys, counts = keys[is_often], counts[is_often]
            before = _entropy(run, around[begins], counts)
            behind = _entropy(run, around[begins + length + 1], counts)
            # A longer run that is always part of a still longer one is no name, and only the parts of names are asked
            # for besides: those are short.
            is_free = (length <= 2) | (np.minimum(before, behind) > 0)
            values = np.stack([np.log(counts), before, behind, since * 255 / _STEPS], axis=1)[is_free]
            kept.append((keys[is_free], _stored(values)))
        keys = np.concatenate([np.zeros(0, np.uint32), *(keys for keys, _ in kept)])
        values = np.concatenate([np.zeros((0, 4), np.uint8), *(values for _, values in kept)])
        keys, first = np.unique(keys, return_index=True)  # of two runs with one hash the shorter stays
        return cls(
            {
                "span_keys": keys,
                "span_values": values[first],
                "span_tokens": np.array([is_token.sum()], dtype=np.float64),
                "span_least": np.array([least], dtype=np.float64),
            }
        )

    def joined(self, other: "SpanCounts") -> "SpanCounts":
        """As if both texts were one, and the other the newer part of it; entropies are at least those of either."""
        keys = np.union1d(self._keys, other._keys)
        mine, its = self._rows(keys), other._rows(keys)
        is_mine, is_its = mine[:, 0] >= 0, its[:, 0] >= 0
        times = np.where(is_mine, np.exp(mine[:, 0]), 0) + np.where(is_its, np.exp(its[:, 0]), 0)
        share = self.tokens / max(1.0, self.tokens + other.tokens)
        since = np.where(is_mine, mine[:, 3] * share, share * 255 / _STEPS + its[:, 3] * (1 - share))
        values = np.stack([np.log(times), *np.maximum(mine, its)[:, 1:3].T, since], axis=1)
        return SpanCounts(
            {
                "span_keys": keys,
                "span_values": _stored(values),
                "span_tokens": np.array([self.tokens + other.tokens]),
                "span_least": np.array([self.least]),
            }
        )

    def __len__(self) -> int:
        return len(self._keys)

    def free_keys(self, entropy: float) -> np.ndarray:
        """Runs with at least so much entropy on both sides."""
        return self._keys[self._values[:, 1:3].min(axis=1, initial=255) >= entropy * _STEPS]

    def of(self, keys: np.ndarray) -> np.ndarray:
        """(n, 4) float: log of the count, entropies before and behind, lateness; of a run that is not kept -1, 0, 0, 0.

        Lateness: how much against chance it is that the run stands in the text from so late on, in nats: of a run that
        stands there so often, evenly. 0 for one that stands in the text's oldest part.
        """
        found = self._rows(keys)
        since = found[:, 3] * _STEPS / 256
        found[:, 3] = np.where((found[:, 0] < 0) | (since < OLDEST), 0.0, -np.exp(found[:, 0]) * np.log1p(-since))
        return found

    def _rows(self, keys: np.ndarray) -> np.ndarray:
        """(n, 4)"""
        found = np.full((len(keys), 4), (-1.0, 0.0, 0.0, 0.0))
        if len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            is_there = self._keys[places] == keys
            found[is_there] = self._values[places[is_there]] / _STEPS
        return found


def _stored(values: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(values * _STEPS), 0, 255).astype(np.uint8)


def _entropy(run: np.ndarray, neighbour: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(runs,) of the tokens beside each run. Every break counts as a neighbour of its own: names stand free there."""
    if not len(counts):
        return np.zeros(0)
    is_token = neighbour != BREAK
    pairs = run[is_token].astype(np.uint64) << np.uint64(32) | scramble(neighbour[is_token]).astype(np.uint64)
    pairs, times = np.unique(pairs, return_counts=True)
    repeated = np.bincount((pairs >> np.uint64(32)).astype(np.int64), times * np.log(times), minlength=len(counts))
    return np.log(counts) - repeated / counts
