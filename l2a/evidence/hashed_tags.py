"""Tags that are kept as hashes: the list can be asked whether it has a tag, and cannot be read."""

from collections.abc import Sequence

import numpy as np

from l2a.evidence.literal import TagFinder, TextMatch
from l2a.text.cleaning import is_word_like
from l2a.text.hashing import hash_text, hash_word

BEGINNING = 2  # characters; no listed tag is shorter
LONGEST = 10  # words of a tag that is looked for in the text


class HashedTags(TagFinder):
    """Tags known by their hashes only."""

    def __init__(self, keys: np.ndarray, beginnings: np.ndarray):
        self._places = {int(key): place for place, key in enumerate(keys)}
        self._beginnings = frozenset(beginnings.tolist())

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return hash_text(key) in self._places

    def place(self, key: str) -> int | None:
        """Of a tag among the hashes; None where it is not there."""
        return self._places.get(hash_text(key))

    def longest_at(self, words: Sequence[str], position: int, column: int) -> TextMatch | None:
        words = words[position : position + LONGEST]
        # Most words begin no tag: a look at two characters spares ten hashes.
        if beginning("".join(words[:BEGINNING])) in self._beginnings and is_word_like(words[0]):
            for length in range(len(words), 0, -1):
                key = "".join(words[:length])
                place = self._places.get(hash_text(key))
                if place is not None:
                    return TextMatch(place, key, length, column)
        return None


def beginning(text: str) -> int:
    return hash_word(text[:BEGINNING])
