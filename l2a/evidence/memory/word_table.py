"""How rare each word is in a large text, which travels with the model.

It is not counted from the decisions: with fifty of those every word is rare. And because it never changes, taking a
decision in and letting go of it again leaves no trace.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from l2a.evidence.source import FoldedWords
from l2a.text.hashing import hash_word

LEAST_TEXTS = 3  # that a word must stand in to have a row; a rarer one counts as never seen


class WordTable:
    """Words as hashes, and in how many of so many texts each stands."""

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None):
        self.arrays = dict(arrays or {})  # everything it consists of, for storing; none without a text
        arrays = arrays or {"words": np.zeros(0, np.uint32), "texts": np.zeros(0, np.uint32), "size": np.zeros(1)}
        self._size = float(arrays["size"][0])
        counts = arrays["texts"].astype(np.float64)
        weights = np.log((self._size + 1) / (counts + 0.5) + 1)
        self._weights: dict[int, float] = dict(zip(arrays["words"].tolist(), weights.tolist(), strict=True))
        self._unknown = float(np.log((self._size + 1) / 0.5 + 1))

    @classmethod
    def count(cls, texts: Iterable[FoldedWords]) -> "WordTable":
        """Of any questions, one at a time."""
        spread: Counter[int] = Counter()
        size = 0
        for words in texts:
            spread.update(set(map(hash_word, words.weighted())))
            size += 1
        kept = sorted(word for word, count in spread.items() if count >= LEAST_TEXTS)
        return cls(
            {
                "words": np.array(kept, dtype=np.uint32),
                "texts": np.array([spread[word] for word in kept], dtype=np.uint32),
                "size": np.array([size], dtype=np.float64),
            }
        )

    def vector(self, words: FoldedWords) -> tuple[list[int], np.ndarray]:
        """Hashes of a question's words, and their weights, of length one: (1 + log count) x log rarity."""
        counts = Counter(map(hash_word, words.weighted()))
        hashes = list(counts)
        known = np.array([self._weights.get(word, self._unknown) for word in hashes])
        weights = (1 + np.log(np.array([counts[word] for word in hashes], dtype=np.float64))) * known
        length = float(np.sqrt(weights @ weights))
        return hashes, (weights / length if length else weights).astype(np.float32)
