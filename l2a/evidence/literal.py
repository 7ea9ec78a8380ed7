"""Finds tags that stand verbatim in a question: a label source of its own, and one half of the silver labels."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from l2a.data.questions import Question
from l2a.text.cleaning import clean, is_word_like, match_key
from l2a.text.segmenter import Segmenter

# Chosen on the development questions.
MIN_PRECISION = 0.02  # a tag that stands in texts and is less often than this one of their tags is junk
STRENGTH = 2.0  # matches of the average that every tag's precision is smoothed with
TITLE_WEIGHT = 3  # a word of the title counts like three of the description
DESCRIPTION_CHARACTERS = 2_000  # longer descriptions add time, not tags


class Cut(NamedTuple):
    """A question's casefolded words; title and description apart, so that no match runs across the two."""

    title: list[str]
    description: list[str]

    @classmethod
    def of(cls, question: Question, segmenter: Segmenter) -> "Cut":
        """Casefolds before cutting, so that both cases are cut in the same places."""
        texts = (question.title, question.description[:DESCRIPTION_CHARACTERS])
        return cls(*(segmenter.source_words(clean(text).casefold()) for text in texts))

    def weighted(self) -> list[str]:
        return [word for word in self.title * TITLE_WEIGHT + self.description if is_word_like(word)]


class Match(NamedTuple):
    """A listed tag that stands in a text; `score` estimates how often such a match is a true tag."""

    tag: str
    words: int
    in_title: bool
    score: float


class LiteralMatcher:
    """Finds the tags that stand verbatim in a text, at word boundaries, the longest first.

    A tag matches where its words are a run of the text's words. Runs inside a longer match are not looked at:
    who asks about 机器学习 does not ask about 机器.
    """

    def __init__(self, tags: Iterable[str], segmenter: Segmenter):
        self.segmenter = segmenter
        self._average = {True: 0.5, False: 0.25}  # precision of matches in the title, in the description
        self._gain: dict[str, float] = {}  # a tag's precision as a multiple of the average; 1 if never seen
        self._by_first: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for tag in {match_key(tag): tag for tag in reversed(list(tags))}.values():
            words = segmenter.source_words(clean(tag).casefold())
            # A single hanzi, letter or digit stands in too many texts to say anything.
            if sum(map(len, words)) > 1 and is_word_like(words[0]):
                self._by_first[words[0]].append((words, tag))
        for runs in self._by_first.values():
            runs.sort(key=lambda run: len(run[0]), reverse=True)

    def learn(self, cuts: Sequence[Cut], gold: Sequence[frozenset[str]]) -> None:
        """Estimate precisions from questions and the match keys of their tags."""
        found, right = Counter(), Counter()
        for one, keys in zip(cuts, gold, strict=True):
            for tag, (_, in_title) in self._runs(one).items():
                for counted in ((tag, in_title), in_title):
                    found[counted] += 1
                    right[counted] += match_key(tag) in keys
        self._average = {place: (right[place] + 1) / (found[place] + 4) for place in (True, False)}
        prior = STRENGTH * sum(self._average.values()) / 2
        for tag in {counted[0] for counted in found if isinstance(counted, tuple)}:
            expected = sum(found[tag, place] * self._average[place] for place in (True, False))
            self._gain[tag] = (right[tag, True] + right[tag, False] + prior) / (expected + prior)

    def find(self, question: Question) -> list[Match]:
        """Tags that stand in the question, the best first, without junk."""
        return self.matches(Cut.of(question, self.segmenter))

    def matches(self, one: Cut) -> list[Match]:
        """As `find`, for a question already cut."""
        found = [
            Match(tag, words, in_title, min(1.0, self._average[in_title] * self._gain.get(tag, 1.0)))
            for tag, (words, in_title) in self._runs(one).items()
        ]
        found = [match for match in found if match.score >= MIN_PRECISION]
        return sorted(found, key=lambda match: match.score * math.sqrt(match.words), reverse=True)

    def _runs(self, one: Cut) -> dict[str, tuple[int, bool]]:
        """Tag -> (its number of words, whether it stands in the title), junk included."""
        found: dict[str, tuple[int, bool]] = {}
        for words, in_title in ((one.title, True), (one.description, False)):
            position = 0
            while position < len(words):
                runs = self._by_first.get(words[position], ())
                longest = next((run for run in runs if words[position : position + len(run[0])] == run[0]), None)
                if longest:
                    found.setdefault(longest[1], (len(longest[0]), in_title))
                position += len(longest[0]) if longest else 1
        return found
