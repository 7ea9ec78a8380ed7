"""Finds tags that stand verbatim in a question, and says how often such a match is right: in one way for everybody.

Every label source that looks for tags in a text walks it with `TagFinder` and estimates with `Precision`.
`LiteralMatcher` is one by itself, and one half of the silver labels.
"""

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import clean, is_word_like, match_key
from l2a.text.segmenter import Segmenter

# Chosen on the development questions.
MIN_PRECISION = 0.02  # a tag that stands in texts and is less often than this one of their tags is junk
STRENGTH = 2.0  # matches of the average that every tag's precision is smoothed with


class TextMatch(NamedTuple):
    """A tag of a list that stands in a text."""

    place: int  # of the tag in the list
    key: str
    words: int
    column: int  # 0 in the title, 1 in the description


class TagFinder(ABC):
    """A list of tags that can be looked for in a text.

    A tag matches where its words are a run of the text's words, the longest first. Runs inside a longer match are not
    looked at: who asks about 机器学习 does not ask about 机器.
    """

    @abstractmethod
    def longest_at(self, words: Sequence[str], position: int, column: int) -> TextMatch | None:
        """The longest tag that begins with the word at this position."""

    def matches(self, words: FoldedWords) -> list[TextMatch]:
        """The tags that stand in a text, at word boundaries, each once; of overlapping ones the longest."""
        found: dict[int, TextMatch] = {}
        for column, part in enumerate(words):
            position = 0
            while position < len(part):
                match = self.longest_at(part, position, column)
                if match:
                    found.setdefault(match.place, match)
                position += match.words if match else 1
        return list(found.values())


class Precision:
    """How often a tag that stands in a text is one of its tags; (2,): in titles, in descriptions.

    A tag's own precision is the average one, times a gain, which is 1 for a tag never met and is smoothed for others.
    """

    def __init__(self, average: np.ndarray):
        self._average = average  # (2,)

    @classmethod
    def counted(cls, found: np.ndarray, right: np.ndarray) -> "Precision":
        """From all matches and the right ones, (2,) each."""
        return cls((right + 1) / (found + 4))

    def of(self, column: int, found: np.ndarray, right: np.ndarray) -> float:
        """Of a match in this column, of a tag that was found and right so often, (2,) each."""
        prior = STRENGTH * self._average.mean()
        gain = (right.sum() + prior) / (found @ self._average + prior)
        return float(min(1.0, self._average[column] * gain))


class Match(NamedTuple):
    """A listed tag that stands in a text; `score` estimates how often such a match is a true tag."""

    tag: str
    words: int
    in_title: bool
    score: float


class LiteralMatcher(TagFinder):
    """Tags known by name, with what was learned about each."""

    def __init__(self, tags: Iterable[str], segmenter: Segmenter):
        self.segmenter = segmenter
        self._tags: list[str] = []
        self._by_first: dict[str, list[tuple[list[str], int]]] = defaultdict(list)
        for tag in {match_key(tag): tag for tag in reversed(list(tags))}.values():
            words = segmenter.source_words(clean(tag).casefold())
            # A single hanzi, letter or digit stands in too many texts to say anything.
            if sum(map(len, words)) > 1 and is_word_like(words[0]):
                self._by_first[words[0]].append((words, len(self._tags)))
                self._tags.append(tag)
        for beginning_alike in self._by_first.values():
            beginning_alike.sort(key=lambda item: len(item[0]), reverse=True)
        self._precision = Precision(np.array([0.5, 0.25]))
        self._found, self._right = np.zeros((2, len(self._tags), 2))  # (tags, 2) each

    def learn(self, texts: Sequence[FoldedWords], gold: Sequence[frozenset[str]]) -> None:
        """Estimate precisions from questions and the match keys of their tags."""
        self._found, self._right = np.zeros((2, len(self._tags), 2))
        for words, keys in zip(texts, gold, strict=True):
            for match in self.matches(words):
                self._found[match.place, match.column] += 1
                self._right[match.place, match.column] += match_key(self._tags[match.place]) in keys
        self._precision = Precision.counted(self._found.sum(axis=0), self._right.sum(axis=0))

    def find(self, question: Question) -> list[Match]:
        """Tags that stand in the question, the best first, without junk."""
        return self.rank(FoldedWords.of(question, self.segmenter))

    def rank(self, words: FoldedWords) -> list[Match]:
        """As `find`, for a question already cut."""
        scored = [
            Match(
                self._tags[match.place],
                match.words,
                match.column == 0,
                self._precision.of(match.column, self._found[match.place], self._right[match.place]),
            )
            for match in self.matches(words)
        ]
        found = [match for match in scored if match.score >= MIN_PRECISION]
        return sorted(found, key=lambda match: match.score * math.sqrt(match.words), reverse=True)

    def longest_at(self, words: Sequence[str], position: int, column: int) -> TextMatch | None:
        for own, place in self._by_first.get(words[position], ()):
            if words[position : position + len(own)] == own:
                return TextMatch(place, "".join(own), len(own), column)
        return None
