"""Finds the names in a title: runs of words that look like a tag, whether or not anybody ever used them as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.spans import (
    BEGINS_WORD,
    ENDS_WORD,
    FIGURES,
    WORDS_INSIDE,
    Spans,
    describe,
)
from l2a.evidence.names.tokens import Tokens, cut, runs_of
from l2a.evidence.names.usage import Usage
from l2a.evidence.trees import Trees
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

_ARRAYS = ("span", "usage", "looks", "becomes")  # what the names of its arrays begin with
MOST = 4  # names of a title: of more, the last ones are hardly ever right
YOUNG_FROM = 10.0  # nats: that it stands so late in the text by chance happens once in twenty thousand times
LEAST_LIKENESS = 0.02  # of what is worth a mention
BELIEFS = FIGURES + 6  # figures that a belief is made of


class Name(NamedTuple):
    """A name that stands in a title."""

    text: str  # as it is written there
    likeness: float  # to the tags of lists: how much it looks like one, 0 to 1
    probability: float  # that a person tags the question with it, given that nobody has used it as a tag
    is_young: bool = False  # people write it since lately only, so that no list could have it


@dataclass(frozen=True)
class Best:
    """Runs of a title that do not overlap, those most like a tag first."""

    spans: Spans
    places: list[int]
    likeness: np.ndarray  # (candidates,)


class NameFinder:
    """What was counted and learned; made by `learning.learn`, stored by `arrays`."""

    def __init__(self, arrays: Mapping[str, np.ndarray], segmenter: Segmenter):
        """segmenter: one that cuts as the one then did."""
        self.arrays = dict(arrays)  # everything it consists of, for storing
        self.segmenter = segmenter
        self.counts = SpanCounts(arrays)
        self.usage = Usage(arrays)
        self._looks = Trees(arrays, "looks")
        self._becomes = Trees(arrays, "becomes")

    def grow(self, own: SpanCounts | None) -> None:
        """Know the texts of a store besides: what they name often is known from now on. None: only the model's own."""
        counts = SpanCounts(self.arrays)
        self.counts = counts if own is None else counts.joined(own)

    def find(self, title: str, description: str = "") -> list[Name]:
        """The names in a title, the likeliest first; of names that overlap the one that looks most like a tag."""
        return self.find_in(cut(title), description)

    def find_in(self, tokens: Tokens, description: str = "") -> list[Name]:
        """As `find`, of a title that is cut already."""
        best, rest = self.best(tokens), match_key(clean(description))
        if not best.places:
            return []
        chances = self._becomes.probability(np.stack([believe(best, rank, rest) for rank in range(len(best.places))]))
        found = [
            Name(best.spans.text(place), float(best.likeness[place]), float(chance), self.is_young(best.spans, place))
            for place, chance in zip(best.places, chances, strict=True)
        ]
        return sorted(found, key=lambda name: -name.probability)

    def is_young(self, spans: Spans, place: int) -> bool:
        first = int(spans.first[place])
        run = runs_of(spans.tokens.numbers[first : first + int(spans.length[place])])[-1]
        return self.counts.lateness(int(run[0])) > YOUNG_FROM

    def best(self, tokens: Tokens) -> Best:
        spans = describe(tokens, word_ends(tokens.text, self.segmenter), self.counts, self.usage)
        likeness = self._looks.probability(spans.figures)
        return choose(spans, np.where(is_word(spans), 0.0, likeness))  # a word of the dictionary is no name


def is_of_names(array: str) -> bool:
    """Whether an array of this name belongs to a NameFinder."""
    return array.partition("_")[0] in _ARRAYS


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
    """What tells a name that becomes a tag of its question from one that does not, (BELIEFS,).

    description: as `match_key` folds it.
    """
    place = best.places[rank]
    tokens, first = best.spans.tokens, int(best.spans.first[place])
    name = best.spans.text(place)
    others = [best.likeness[other] for other in best.places if other != place]
    return np.array(
        [
            *best.spans.figures[place],
            best.likeness[place],
            rank,
            max(others, default=0.0),
            tokens.begins[first],
            np.log1p(len(description)),
            np.log1p(description.count(match_key(name))),
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
