"""A text as tokens that names are made of: a hanzi, or a run of Latin letters and digits; everything else is a break.

The segmenter is not asked: names are what it does not know, and it cuts them in two as often as not.
"""

import re
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from l2a.text.cleaning import clean

LONGEST = 10  # tokens of a name
BREAK = 0  # the number of what no name goes across
MIDDLE = frozenset("·・")  # may stand inside a name, never at its ends

_HANZI = "\u3400-\u4dbf\u4e00-\u9fff\u3007"
# A full stop, plus and the like belong to a word inside or behind it: C++, GPT-4, 3.5, Node.js.
_TOKEN = re.compile(rf"[{_HANZI}]|[·・]|[^\W_{_HANZI}](?:[^\W_{_HANZI}]|[.+#'&\-](?=[^\W_{_HANZI}]))*[+#]*|\S")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MARK = np.uint64(1) << np.uint64(40)  # apart from the numbers of hanzi, which are their code points


class Tokens(NamedTuple):
    """A clean text, its tokens, and where each begins and ends in it."""

    text: str
    numbers: np.ndarray  # (n,) uint64; BREAK where no name goes across
    begins: list[int]
    ends: list[int]

    def between(self, first: int, last: int) -> str:
        """The text of tokens first to last, last included."""
        return self.text[self.begins[first] : self.ends[last]]


def cut(text: str) -> Tokens:
    """Of a text as people write it."""
    return cut_clean(clean(text))


def cut_clean(text: str) -> Tokens:
    matches = list(_TOKEN.finditer(text))
    numbers = np.fromiter((_number(match.group()) for match in matches), dtype=np.uint64, count=len(matches))
    return Tokens(text, numbers, [match.start() for match in matches], [match.end() for match in matches])


def numbers_of(texts: Iterable[str]) -> np.ndarray:
    """The tokens of clean texts one after the other, a break behind each: (n,) uint64."""
    found: list[int] = []
    for text in texts:
        found.extend(map(_number, _TOKEN.findall(text)))
        found.append(BREAK)
    return np.array(found, dtype=np.uint64)


def _number(token: str) -> int:
    if len(token) == 1 and not token.isascii():
        return ord(token) if token.isalnum() or token in MIDDLE else BREAK
    if not token[0].isalnum():
        return BREAK
    return int(_MARK) | zlib.crc32(token.casefold().encode("utf-8", "surrogatepass"))


def extend_hashes(hashes: np.ndarray, numbers: np.ndarray, length: int) -> np.ndarray:
    """Hashes of all runs of `length` tokens from those of one token less; (n - length + 1,).

    hashes: of the runs of length - 1, where each begins.
    """
    return hashes[: len(numbers) - length + 1] * _MULTIPLIER + numbers[length - 1 :]


def scramble(hashes: np.ndarray) -> np.ndarray:
    """64 bits to 32 in which all of them count."""
    mixed = hashes ^ (hashes >> np.uint64(33))
    mixed = mixed * np.uint64(0xFF51AFD7ED558CCD)
    return (mixed ^ (mixed >> np.uint64(32))).astype(np.uint32)


def runs_of(numbers: np.ndarray, longest: int = LONGEST) -> list[np.ndarray]:
    """Hashes of all runs by their length, each (n - length + 1,); of length 0 there are none."""
    found, hashes = [np.zeros(0, np.uint32)], numbers
    for length in range(1, min(longest, len(numbers)) + 1):
        hashes = extend_hashes(hashes, numbers, length) if length > 1 else numbers
        found.append(scramble(hashes))
    return found
