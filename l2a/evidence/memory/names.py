"""Names of tags in a text, whatever the segmenter makes of them: a name that is new today is in no dictionary.

Looked for letter by letter, the longest first. A name of Latin letters or digits must not begin or end inside a word.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from l2a.evidence.arrays import squeeze
from l2a.text.cleaning import match_key

LONGEST_NAME = 40  # letters; a longer one is never looked for


class NameInText(NamedTuple):
    tag: str
    is_in_title: bool


class _Claim(NamedTuple):
    """A spelling's claim to a name; of several the least has it: a tag's own name comes before an alias of another."""

    is_alias: bool
    key: str  # of the spelling
    tag: str


class Names:
    """Spelling -> tag; a tag may have several. The same spellings in any order give the same answers."""

    def __init__(self) -> None:
        self._claims: dict[str, _Claim] = {}  # name as it is looked for -> the claim that has it
        self._others: dict[str, list[_Claim]] = {}  # those that come after it: few names have any
        self._lengths: dict[str, list[int]] = {}  # first two letters -> lengths of the names, the longest first

    def add(self, spelling: str, tag: str) -> None:
        """What the spelling, however it was written, meant before counts no more."""
        key = match_key(spelling)
        name = squeeze(key)
        if not 1 < len(name) <= LONGEST_NAME:
            return
        claim = _Claim(spelling != tag and key != match_key(tag), key, tag)
        self._settle(name, [claim, *self._without(name, key)])
        lengths = self._lengths.setdefault(name[:2], [])
        if len(name) not in lengths:
            lengths.append(len(name))
            lengths.sort(reverse=True)

    def remove(self, spelling: str) -> None:
        """As if it had never been added."""
        key = match_key(spelling)
        name = squeeze(key)
        self._settle(name, self._without(name, key))

    def _without(self, name: str, key: str) -> list[_Claim]:
        if name not in self._claims:
            return []
        return [claim for claim in (self._claims[name], *self._others.get(name, ())) if claim.key != key]

    def _settle(self, name: str, claims: list[_Claim]) -> None:
        self._others.pop(name, None)
        if not claims:
            self._claims.pop(name, None)
            return
        self._claims[name], *others = sorted(claims)
        if others:
            self._others[name] = others

    def find(self, parts: Iterable[Sequence[str]]) -> list[NameInText]:
        """Tags whose name stands in a question's title (the first part) or description, each once.

        parts: casefolded words (l2a.evidence.source.FoldedWords).
        """
        found: dict[str, NameInText] = {}
        for place, words in enumerate(parts):
            for tag in self._find(words):
                found.setdefault(tag, NameInText(tag, place == 0))
        return list(found.values())

    def _find(self, words: Sequence[str]) -> Iterable[str]:
        text = "".join(words)
        edges, position = {0}, 0
        for word in words:
            position += len(word)
            edges.add(position)
        position = 0
        while position < len(text) - 1:
            end = self._longest(text, position, edges)
            if end is not None:
                yield self._claims[text[position:end]].tag
            position = end or position + 1

    def _longest(self, text: str, begin: int, edges: set[int]) -> int | None:
        if begin not in edges and _is_latin(text[begin]):
            return None
        for length in self._lengths.get(text[begin : begin + 2], ()):
            end = begin + length
            if (
                end <= len(text)
                and text[begin:end] in self._claims
                and (end in edges or not _is_latin(text[end - 1 : end]))
            ):
                return end
        return None


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
