"""Pairs of neighbouring characters as TF-IDF: what the segmenter cut apart, or cut in another way, meets here.

Kept as hashes, like words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_matrix

from l2a.evidence.source import TITLE_WEIGHT, FoldedWords
from l2a.text.hashing import hash_word

LEAST_TEXTS = 3  # that a pair must stand in


class Pairs:
    """Rarities of pairs; made by `learn`, stored by `arrays`."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.arrays = {name: arrays[name] for name in ("pair_keys", "pair_rarity")}
        self._keys = self.arrays["pair_keys"]  # (n,) uint32, rising
        self._rarity = self.arrays["pair_rarity"].astype(np.float32)  # (n,)

    @classmethod
    def learn(cls, texts: Sequence[FoldedWords]) -> "Pairs":
        spread = Counter(pair for text in texts for pair in set(_pairs(text)))
        counts = {pair: times for pair, times in spread.items() if times >= LEAST_TEXTS}
        keys = np.array(sorted(counts), dtype=np.uint32)
        rarity = np.log((1 + len(texts)) / (1 + np.array([counts[int(key)] for key in keys], dtype=float))) + 1
        return cls({"pair_keys": keys, "pair_rarity": rarity.astype(np.float16)})

    def __len__(self) -> int:
        return len(self._keys)

    def vector(self, text: FoldedWords) -> tuple[np.ndarray, np.ndarray]:
        """Columns and weights of a text's pairs, of length one; empty where it has no known pair."""
        counts = Counter(_pairs(text))
        keys = np.fromiter(counts, dtype=np.uint32, count=len(counts))
        times = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        columns = np.minimum(np.searchsorted(self._keys, keys), max(0, len(self) - 1))
        is_known = self._keys[columns] == keys if len(self) else np.zeros(len(keys), dtype=bool)
        columns = columns[is_known]
        weights = (1 + np.log(times[is_known])) * self._rarity[columns]
        return columns, weights / max(float(np.linalg.norm(weights)), 1e-9)

    def matrix(self, texts: Sequence[FoldedWords]) -> csr_matrix:
        """(texts, pairs)"""
        vectors = [self.vector(text) for text in texts]
        starts = np.cumsum([0, *(len(columns) for columns, _ in vectors)])
        columns = np.concatenate([np.zeros(0, np.int64), *(columns for columns, _ in vectors)])
        weights = np.concatenate([np.zeros(0, np.float32), *(weights for _, weights in vectors)])
        return csr_matrix((weights, columns, starts), shape=(len(texts), len(self)))


def _pairs(text: FoldedWords) -> list[int]:
    title, description = (
        [hash_word(a + b) for a, b in pairwise("".join(words)) if a.isalnum() and b.isalnum()] for words in text
    )
    return title * TITLE_WEIGHT + description
