"""The text a tag is searched in: its forms, as characters in one long array that is looked through as a whole.

In the array each tag begins with a mark and each of its forms stands between two line ends, so that a form that starts,
ends or is met whole can be told by the characters around it. opencc's dictionary is read by the first call.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

TAG = 0x1E  # the mark before a tag; `tag_key` leaves neither this nor a line end in a text
END = 0x0A
_HANZI = (0x2E80, 0xA000), (0xF900, 0xFB00), (0x20000, 0x33480)
_SURROGATE = re.compile("[\ud800-\udfff]")  # opencc takes none
_KNOWN = 0x20000  # beyond are hanzi, which are kept as they are
_KEPT_PUNCTUATION = frozenset("#%&*@")  # C# is not C
_LETTER, _DIGIT = 1, 2


class Forms(NamedTuple):
    """A spelling in the forms it can be met in; a part of a spelling is a part of one of them, whatever the words."""

    key: str
    words: str  # simplified word by word: 乾燥 -> 干燥, but 乾隆 stays
    characters: str  # simplified one by one: 乾隆 -> 干隆

    @property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self))


def forms_of(keys: Sequence[str]) -> list[Forms]:
    """The forms of spellings that went through `tag_key`."""
    if not keys:
        return []
    words = _opencc().convert(_SURROGATE.sub("\ufffd", "\n".join(keys))).split("\n")
    characters = "\n".join(keys).translate(_simple_characters()).split("\n")
    return [Forms(*forms) for forms in zip(keys, words, characters, strict=True)]


@cache
def _opencc():
    from opencc import OpenCC

    return OpenCC("t2s")


@cache
def _simple_characters() -> dict[int, str]:
    codes = [code for first, last in _HANZI for code in range(first, last)]
    simple = _opencc().convert("\n".join(map(chr, codes))).split("\n")
    return {code: new for code, new in zip(codes, simple, strict=True) if len(new) == 1 and ord(new) != code}


def block(forms: Sequence[str]) -> str:
    """One tag as it stands in a column."""
    return f"{chr(TAG)}\n" + "\n\n".join(forms) + "\n" if forms else chr(TAG)


def codes_of(text: str) -> np.ndarray:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


class Column:
    """Blocks of tags, one after the other. Made by `of`, `squeezed` or `join`.

    codes: (text,) code points.
    word_starts: (text,) whether a word starts there: runs of letters or of digits, and any other character by itself.
    begins, ends: (forms,) where each form starts, and the line end after it.
    characters, pairs: (forms,) the sets of a form's characters, and of its pairs of neighbours, as `bits`.
    """

    def __init__(self, codes: np.ndarray, word_starts: np.ndarray, sets: tuple[np.ndarray, np.ndarray] | None = None):
        self.codes = codes
        self.word_starts = word_starts
        line_ends = np.flatnonzero(codes == END)
        self.begins = line_ends[::2] + 1
        self.ends = line_ends[1::2]
        self.characters, self.pairs = sets or _sets(codes, self.begins, self.ends)
        self._tags = np.append(np.flatnonzero(codes == TAG), len(codes))

    @classmethod
    def of(cls, text: str) -> "Column":
        """A column of blocks joined."""
        codes = codes_of(text)
        kinds = _tables()[2].take(codes, mode="clip")
        word_starts = kinds == 0
        word_starts[1:] |= kinds[1:] != kinds[:-1]
        return cls(codes.astype(np.uint8) if text.isascii() else codes, word_starts)

    def squeezed(self) -> "Column":
        """The same without spaces, punctuation and accents."""
        kept, plain, _ = _tables()
        keep = kept.take(self.codes, mode="clip")
        codes, word_starts = self.codes[keep], self.word_starts[keep]
        return Column(np.where(codes < _KNOWN, plain.take(codes, mode="clip"), codes), word_starts)

    @staticmethod
    def join(pieces: Sequence[tuple["Column", int, int]]) -> "Column":
        """A new column of pieces of others: each the tags from the first up to the last row."""
        codes, word_starts, characters, pairs = [], [], [], []
        for column, first, last in pieces:
            start, end = column._tags[first], column._tags[last]
            codes.append(column.codes[start:end])
            word_starts.append(column.word_starts[start:end])
            forms = slice(*np.searchsorted(column.begins, (start, end)))
            characters.append(column.characters[forms])
            pairs.append(column.pairs[forms])
        sets = np.concatenate(characters), np.concatenate(pairs)
        return Column(np.concatenate(codes), np.concatenate(word_starts), sets)

    @cached_property
    def text(self) -> str:
        return self.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def forms(self) -> list[list[str]]:
        """For each tag its forms."""
        return [tag.split("\n")[1::2] for tag in self.text.split(chr(TAG))[1:]]

    def forms_before(self, row: int) -> int:
        """How many forms the tags before this row have."""
        return int(np.searchsorted(self.begins, self._tags[row]))

    def row_of(self, places: np.ndarray) -> np.ndarray:
        """The rows of the tags that places lie in."""
        return np.searchsorted(self._tags, places, side="right") - 1

    def form_of(self, row: int, place: int) -> int:
        """Which form of the tag, counted from 0, a place lies in."""
        return int(np.count_nonzero(self.codes[self._tags[row] : place] == END) // 2)

    def locate(self, needle: str) -> np.ndarray:
        """Every place where the needle stands, ascending."""
        codes = codes_of(needle)
        places = np.flatnonzero(self.codes == codes[0])
        for step, code in enumerate(codes[1:], 1):
            places = places[self.codes[places + step] == code]
        return places

    def at_start(self, places: np.ndarray) -> np.ndarray:
        """Whether a form starts at each place."""
        return self.codes[places - 1] == END

    def at_end(self, places: np.ndarray, length: int) -> np.ndarray:
        """Whether a form ends `length` characters after each place."""
        return self.codes[places + length] == END


def union(places: Sequence[np.ndarray]) -> np.ndarray:
    """All places, ascending, each once; every array given is so itself."""
    if len(places) < 2:
        return places[0] if places else np.zeros(0, np.int64)
    merged = np.concatenate(places)
    merged.sort(kind="stable")  # which is quick on runs that are sorted
    return merged[np.append(True, merged[1:] != merged[:-1])] if len(merged) else merged


def bits(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A bit of 64 for each character, and for each pair of neighbours: different bits are different characters."""
    wide = codes.astype(np.uint32)
    pairs = wide[:-1] * np.uint32(0x9E3779B1) + wide[1:] * np.uint32(0x85EBCA77)
    return _bit(wide), _bit(pairs)


def _bit(hashed: np.ndarray) -> np.ndarray:
    return np.uint64(1) << ((hashed ^ hashed >> 7) & 63).astype(np.uint64)


def _sets(codes: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if not len(begins):
        return np.zeros(0, np.uint64), np.zeros(0, np.uint64)
    single, pair = bits(codes)
    pair = np.append(pair, np.uint64(0))
    # Every second slice lies between two forms. An empty form gets a bit that is not its own, which is harmless.
    characters = np.bitwise_or.reduceat(single, np.stack([begins, ends], 1).ravel())[::2]
    pairs = np.bitwise_or.reduceat(pair, np.stack([begins, np.maximum(begins, ends - 1)], 1).ravel())[::2]
    return characters, pairs


def squeeze_text(text: str) -> str:
    """A query without spaces, punctuation and accents; but an ü stays one, since it is typed for itself in pinyin."""
    kept, plain, _ = _tables()
    squeezed = []
    for character in text:
        code = ord(character)
        if code >= _KNOWN:
            squeezed.append(character)
        elif unicodedata.normalize("NFD", character).startswith("u\u0308"):
            squeezed.append("ü")
        elif kept[code]:
            squeezed.append(chr(plain[code]))
    return "".join(squeezed)


@cache
def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every code point: whether squeezing keeps it, as what, and if it is a letter or a digit of a word."""
    kept = np.ones(_KNOWN + 1, bool)
    plain = np.arange(_KNOWN + 1, dtype=np.uint32)
    kind = np.zeros(_KNOWN + 1, np.uint8)
    for code in range(_KNOWN):
        character = chr(code)
        category = unicodedata.category(character)
        if character == "`" or (category[0] in "ZPM" and character not in _KEPT_PUNCTUATION):
            kept[code] = False
        elif category[0] == "L" and (code < 0x530 or 0x1E00 <= code < 0x2000):  # Latin, Greek, Cyrillic
            kind[code] = _LETTER
            base = unicodedata.normalize("NFD", character)[0]
            plain[code] = ord(base) if base.isascii() else code
        elif category == "Nd":
            kind[code] = _DIGIT
    return kept, plain, kind
