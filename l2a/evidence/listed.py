"""Tags of a list that stand in a text, and how likely one is right that nobody has given yet.

The list is kept as hashes: it can be asked whether it has a tag, and cannot be read.
"""

import hashlib
import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from l2a.evidence.literal import Cut
from l2a.text.cleaning import is_word_like

BEGINNING = 2  # characters; no listed tag is shorter
LONGEST = 10  # words of a tag that is looked for in the text
_LONGEST_NAME = 8  # characters: a longer name is no surer than one of these
_RIDGE = 1.0  # keeps the weights finite where few tags were met


class Run(NamedTuple):
    """A listed tag in a text."""

    place: int  # of the tag in the list
    key: str
    words: int
    column: int  # 0 in the title, 1 in the description


class ListedTags:
    """Tags known by their hashes only."""

    def __init__(self, keys: np.ndarray, beginnings: np.ndarray):
        self._places = {int(key): place for place, key in enumerate(keys)}
        self._beginnings = frozenset(beginnings.tolist())

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return hash_text(key) in self._places

    def runs(self, one: Cut) -> list[Run]:
        """The tags that stand in a text, at word boundaries, each once; of overlapping ones the longest."""
        found: dict[int, Run] = {}
        for column, words in enumerate(one):
            position = 0
            while position < len(words):
                run = self._longest(words[position : position + LONGEST], column)
                if run:
                    found.setdefault(run.place, run)
                position += run.words if run else 1
        return list(found.values())

    def _longest(self, words: Sequence[str], column: int) -> Run | None:
        # Most words begin no tag: a look at two characters spares ten hashes.
        if beginning("".join(words[:BEGINNING])) in self._beginnings and is_word_like(words[0]):
            for length in range(len(words), 0, -1):
                key = "".join(words[:length])
                place = self._places.get(hash_text(key))
                if place is not None:
                    return Run(place, key, length, column)
        return None


def describe(run: Run, one: Cut, runs: int, seen: float) -> list[float]:
    """What tells a right listed tag from a wrong one: (8,), the first for the constant.

    runs: listed tags that stand in the text; seen: labelled questions in which this one stood and was no tag.
    """
    text = "".join(one[run.column])
    in_title = float(run.column == 0)
    return [
        1.0,
        in_title,
        min(len(run.key), _LONGEST_NAME),
        np.log1p(max(0.0, seen)),
        in_title * text.find(run.key) / max(1, len(text)),
        np.log1p(sum(len(word) for word in one.title if is_word_like(word))),
        np.log1p(runs),
        np.log1p("".join((*one.title, *one.description)).count(run.key)),
    ]


def fit(described: np.ndarray, is_right: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression, (8,), for tags (n, 8) of which some are right (n,)."""
    from scipy.optimize import minimize  # a good part of a second, and only training needs it

    def cost(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = described @ weights
        loss = np.logaddexp(0, scores).sum() - scores[is_right].sum() + 0.5 * _RIDGE * (weights[1:] @ weights[1:])
        slope = described.T @ (expit(scores) - is_right)
        slope[1:] += _RIDGE * weights[1:]
        return loss, slope

    return minimize(cost, np.zeros(described.shape[1]), jac=True, method="L-BFGS-B").x


def probability(weights: np.ndarray, described: Sequence[float]) -> float:
    return float(expit(np.asarray(described) @ weights))


def as_written(key: str, *texts: str) -> str:
    """A listed tag as one of the texts spells it: the list knows it in small letters and without spaces only."""
    letters = re.compile(r"\s?".join(map(re.escape, key)), re.IGNORECASE)
    found = next(filter(None, map(letters.search, texts)), None)
    return found.group() if found else key


def beginning(text: str) -> int:
    return zlib.crc32(text[:BEGINNING].encode("utf-8", "surrogatepass"))


def hash_text(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
