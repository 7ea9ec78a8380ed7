"""How hanzi are typed and heard: their readings, and finding the places of a text that letters can be read as.

A reading is matched hanzi by hanzi, each against the set of all hanzi that can be typed so: the readings of a long name
are never multiplied out, and none is lost. pypinyin's dictionary is read by the first call of `sounds`, once.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from db.tags.search.text import union

_TONES = "012345"  # xi1an1
_CODES = 0x40000  # no hanzi lies beyond
_CANDIDATES = np.ndarray  # (candidates,) positions in the searched text, ascending


class Typing:
    """Which hanzi are typed by which letters, given the readings of each."""

    def __init__(self, readings: Mapping[str, Sequence[str]]):
        self._readings = readings
        typed: dict[str, list[int]] = {}
        for hanzi, found in readings.items():
            for letters in {way for reading in found for way in _ways_to_type(reading)}:
                typed.setdefault(letters, []).append(ord(hanzi))
        self._typed = {letters: np.array(codes, np.uint32) for letters, codes in typed.items()}
        started: dict[str, list[np.ndarray]] = {}
        for letters, codes in self._typed.items():
            for length in range(1, len(letters) + 1):
                started.setdefault(letters[:length], []).append(codes)
        self._started = {letters: np.unique(np.concatenate(codes)) for letters, codes in started.items()}
        self.longest = max(map(len, typed))  # letters of a syllable

    def exactly(self, letters: str) -> np.ndarray | None:
        """The hanzi with a reading that is typed so; None if there are none."""
        return self._typed.get(letters)

    def starting(self, letters: str) -> np.ndarray | None:
        """The hanzi with a reading that starts so; None if there are none."""
        return self._started.get(letters)

    def like(self, hanzi: str) -> np.ndarray | None:
        """The hanzi that share a reading with this one, itself among them; None if it has no reading."""
        same = [self._typed[reading] for reading in self._readings.get(hanzi, ())]
        return np.concatenate(same) if same else None


class Sounds:
    """The readings of hanzi. Made once, by `sounds()`.

    readings: for a hanzi all its toneless readings, the most common first, ü written v (女: nv, ru).
    every, common: how hanzi are typed by all their readings; by those only that are the first or occur in a phrase.
    """

    def __init__(self):
        from pypinyin.phrases_dict import phrases_dict
        from pypinyin.pinyin_dict import pinyin_dict

        first: dict[str, dict[str, None]] = {}  # by hanzi its common readings, with tones
        lengths: dict[str, set[int]] = {}
        for code, toned in pinyin_dict.items():
            first[chr(code)] = {toned.split(",")[0]: None}
        for phrase, by_hanzi in phrases_dict.items():
            lengths.setdefault(phrase[0], set()).add(len(phrase))
            for hanzi, readings in zip(phrase, by_hanzi, strict=False):
                if hanzi in first:
                    first[hanzi][readings[0]] = None
        common = {hanzi: _plain(toned) for hanzi, toned in first.items()}
        self.readings = {
            hanzi: tuple(dict.fromkeys((*_plain(pinyin_dict[ord(hanzi)].split(",")), *readings)))
            for hanzi, readings in common.items()
        }
        self.every, self.common = Typing(self.readings), Typing(common)
        self._phrases = phrases_dict
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}  # by the first hanzi

    def usual(self, text: str) -> str:
        """The letters and digits of the most common reading of a text as a whole (银行: yinhang), ü written u.

        Empty for a text without hanzi.
        """
        found = [self.readings.get(character) for character in text]
        if not any(found):
            return ""
        parts = [
            readings[0] if readings else c if c.isascii() and c.isalnum() else ""
            for readings, c in zip(found, text, strict=True)
        ]
        if any(readings and len(readings) > 1 for readings in found):  # only then do the words around a hanzi matter
            self._read_phrases(text, parts)
        return "".join(parts).replace("v", "u")

    def _read_phrases(self, text: str, parts: list[str]) -> None:
        """Put the readings of known phrases in place; at each hanzi the longest phrase counts."""
        at = 0
        while at < len(text) - 1:
            for length in self._lengths.get(text[at], ()):
                phrase = self._phrases.get(text[at : at + length])
                if phrase and len(phrase) == length:
                    parts[at : at + length] = ["".join(_plain(readings[:1])) for readings in phrase]
                    at += length
                    break
            else:
                at += 1


@cache
def sounds() -> Sounds:
    """The one instance; the first call reads pypinyin's dictionary."""
    return Sounds()


def _plain(toned: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_without_tone, toned))))


@cache
def _without_tone(reading: str) -> str:
    letters = unicodedata.normalize("NFD", reading).replace("u\u0308", "v")
    return "".join(c for c in letters if c.isascii() and c.isalpha())


def _ways_to_type(reading: str) -> set[str]:
    """A reading in the spellings people use: ü as v, u or ü, and after j, q, x and y, where it is written u, also."""
    if "v" in reading:
        return {reading, reading.replace("v", "u"), reading.replace("v", "ü")}
    if reading[:1] in tuple("jqxy") and reading[1:2] == "u":
        return {reading, reading.replace("u", "v", 1), reading.replace("u", "ü", 1)}
    return {reading}


class Reading(NamedTuple):
    """Places where the whole query was read: from each of `starts`, over `length` characters."""

    starts: _CANDIDATES
    length: int
    whole: bool  # False if the last syllable is only begun (dianyi for 电影)


class _Step(NamedTuple):
    """One character of the searched text may be passed by reading the query up to `end`."""

    end: int
    hanzi: np.ndarray | None  # None: the character must be `literal`
    literal: int
    whole: bool = True


def first_places(codes: np.ndarray, allowed: np.ndarray, query: str, *, alike: bool = False) -> _CANDIDATES:
    """Where a reading of the query can start: the one look at the whole text.

    codes, allowed: (text,) the code points, and whether a word starts there.
    alike: a hanzi of the query may also be another one that sounds the same.
    """
    letter = query[0]
    hanzi = sounds().every.starting(letter) if is_letter(letter) else sounds().common.like(letter) if alike else None
    there = codes == _literal(letter)
    if hanzi is not None:
        there |= _table(hanzi).take(codes, mode="clip")
    return np.flatnonzero(there & allowed)


def read(
    codes: np.ndarray,
    places: _CANDIDATES,
    query: str,
    *,
    rare: bool = False,
    initials: bool = False,
    alike: bool = False,
) -> list[Reading]:
    """All ways to read the query from the places: by full syllables, the last perhaps only begun, and by itself.

    rare: hanzi also have their rare readings.
    initials: a hanzi may be passed by its first letter too, or by zh, ch, sh.
    alike: as for `first_places`.
    """
    reached: list[dict[int, _CANDIDATES]] = [{} for _ in query]  # by letters read: {characters passed: starts}
    reached[0][0] = places
    done: dict[tuple[int, bool], _CANDIDATES] = {}
    for at in range(len(query)):
        if not reached[at]:
            continue
        typing = sounds().every if rare else sounds().common
        steps = [
            (step, None if step.hanzi is None else _table(step.hanzi))
            for step in _steps(typing, query, at, initials, alike)
        ]
        for passed, starts in reached[at].items():
            here = codes[starts + passed]
            for step, table in steps:
                if not step.whole and passed == at > 0 and not initials and is_letter(query[at - 1]):
                    continue  # a word and one letter are no pinyin yet: "dy" is not 3D游戏
                fits = here == step.literal if table is None else table.take(here, mode="clip")
                kept = starts[fits]
                if not kept.size:
                    continue
                if step.end == len(query):
                    _merge(done, (passed + 1, step.whole), kept)
                else:
                    _merge(reached[step.end], passed + 1, kept)
        reached[at] = {}
    return [Reading(starts, length, whole) for (length, whole), starts in done.items()]


def _steps(typing: Typing, query: str, at: int, initials: bool, alike: bool) -> Iterator[_Step]:
    letter = query[at]
    if not is_letter(letter):
        yield _Step(at + 1, typing.like(letter) if alike else None, _literal(letter))
        return
    yield _Step(at + 1, None, _literal(letter))
    for end in range(at + 1, min(at + typing.longest, len(query)) + 1):
        hanzi = typing.exactly(query[at:end])
        if hanzi is not None:
            yield _Step(end, hanzi, 0)
            if query[end : end + 1] in tuple(_TONES):
                yield _Step(end + 1, hanzi, 0)
    begun = typing.starting(query[at:])
    if begun is not None:
        yield _Step(len(query), begun, 0, whole=False)
    if initials:
        pair = query[at : at + 2]
        for initial in (letter, pair) if pair in ("zh", "ch", "sh") else (letter,):
            hanzi = typing.starting(initial)
            if hanzi is not None:
                yield _Step(at + len(initial), hanzi, 0)


def _merge(into: dict, key, starts: _CANDIDATES) -> None:
    into[key] = union([into[key], starts]) if key in into else starts


def is_letter(character: str) -> bool:
    """True for what syllables are typed with."""
    return "a" <= character <= "z" or character == "ü"


def _literal(character: str) -> int:
    return ord("u" if character == "ü" else character)


def _table(hanzi: np.ndarray) -> np.ndarray:
    """Whether a code point is among these; the last place, for all that lie beyond, is False."""
    table = np.zeros(_CODES, bool)
    table[hanzi[hanzi < _CODES - 1]] = True
    return table
