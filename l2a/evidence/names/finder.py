"""Finds the names in a title: runs of words that look like a tag, whether or not anybody ever used them as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.spans import (
    BEGINS_WORD,
    ENDS_WORD,
    WORDS_INSIDE,
    Spans,
    describe,
)
from l2a.evidence.names.tokens import Tokens, cut
from l2a.evidence.names.trees import Trees
from l2a.evidence.names.usage import Usage
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

MOST = 4  # names of a title: of more, the last ones are hardly ever right
LEAST_LIKENESS = 0.02  # of what is worth a mention
BELIEFS = 9  # figures that a belief is made of
_EDGE = 1e-4  # of a likeness, so that its logarithm stays finite


class Name(NamedTuple):
    """A name that stands in a title."""

    text: str  # as it is written there
    likeness: float  # to the tags of lists: how much it looks like one, 0 to 1
    probability: float  # that a person tags the question with it, given that nobody has used it as a tag


@dataclass(frozen=True)
class Best:
    """Runs of a title that do not overlap, those most like a tag first."""

    spans: Spans
    places: list[int]
    likeness: np.ndarray  # (candidates,)


class NameFinder:
    """What was counted and learned; made by `learning.learn`, stored by `arrays`."""

    def __init__(self, arrays: Mapping[str, np.ndarray], *, counts: SpanCounts | None = None):
        """counts: in the place of the model's own, where a store has counted its own questions too."""
        self.arrays = dict(arrays)  # everything it consists of, for storing
        self.counts = counts or SpanCounts(arrays)
        self.usage = Usage(arrays)
        self._trees = Trees(arrays)
        self._belief = arrays["belief_names"]  # (BELIEFS,) how a likeness becomes a probability

    def with_counts(self, counts: SpanCounts) -> "NameFinder":
        return NameFinder(self.arrays, counts=counts)

    def find(self, title: str, segmenter: Segmenter, description: str = "") -> list[Name]:
        """The names in a title, the likeliest first; of names that overlap the one that looks most like a tag."""
        return self.find_in(cut(title), segmenter, description)

    def find_in(self, tokens: Tokens, segmenter: Segmenter, description: str = "") -> list[Name]:
        """As `find`, of a title that is cut already."""
        best, rest = self.best(tokens, segmenter), match_key(clean(description))
        found = [
            Name(
                best.spans.text(place),
                float(best.likeness[place]),
                float(expit(self._belief @ believe(best, rank, rest))),
            )
            for rank, place in enumerate(best.places)
        ]
        return sorted(found, key=lambda name: -name.probability)

    def best(self, tokens: Tokens, segmenter: Segmenter) -> Best:
        spans = describe(tokens, word_ends(tokens.text, segmenter), self.counts, self.usage)
        likeness = self._trees.probability(spans.figures)
        return choose(spans, np.where(is_word(spans), 0.0, likeness))  # a word of the dictionary is no name


def choose(spans: Spans, likeness: np.ndarray) -> Best:
    """The run most like a tag, then the next one that does not overlap it, and so on."""
    places: list[int] = []
    for place in np.argsort(-likeness, kind="stable").tolist():
        if likeness[place] < LEAST_LIKENESS or len(places) == MOST:
            break
        begin, end = spans.first[place], spans.first[place] + spans.length[place]
        if all(end <= spans.first[other] or spans.first[other] + spans.length[other] <= begin for other in places):
            places.append(place)
    return Best(spans, places, likeness)


def believe(best: Best, rank: int, description: str) -> np.ndarray:
    """What tells a name that is a tag from one that is not: (BELIEFS,), the first for the constant.

    description: as `match_key` folds it.
    """
    place = best.places[rank]
    tokens, first = best.spans.tokens, int(best.spans.first[place])
    name = best.spans.text(place)
    certain = float(logit(np.clip(best.likeness[place], _EDGE, 1 - _EDGE)))
    return np.array(
        [
            1.0,
            certain,
            certain**2 / 4,
            float(rank > 0),
            tokens.begins[first] / max(1, len(tokens.text)),
            np.log1p(len(tokens.text)),
            np.log1p(description.count(match_key(name))),
            min(len(name), 8) / 4,
            float(name[0].isascii()),
        ]
    )


def is_word(spans: Spans) -> np.ndarray:
    """(candidates,) whether a run is just one word of the dictionary."""
    shape = spans.figures
    is_whole = (shape[:, BEGINS_WORD] > 0) & (shape[:, ENDS_WORD] > 0) & (shape[:, WORDS_INSIDE] == 0)
    return is_whole & (spans.length > 1)


def word_ends(text: str, segmenter: Segmenter) -> frozenset[int]:
    """Where the segmenter's words begin and end, in characters."""
    found, end = [0], 0
    for word in segmenter.split(text):
        end += len(word)
        found.append(end)
    return frozenset(found)


def longest_of(spans: Spans, is_listed: Sequence[bool]) -> np.ndarray:
    """(candidates,) whether a run is listed and no part of a longer listed one."""
    listed = np.flatnonzero(is_listed)
    begin, end = spans.first, spans.first + spans.length
    found = np.zeros(len(spans.first), dtype=bool)
    for place in listed:
        covers = (begin[listed] <= begin[place]) & (end[listed] >= end[place]) & (listed != place)
        found[place] = not covers.any()
    return found
