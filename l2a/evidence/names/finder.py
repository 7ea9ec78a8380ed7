"""Finds the names in a title: runs of words that look like a tag, whether or not anybody ever used them as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.spans import (
    BEFORE_IT,
    BEGINS_WORD,
    ENDS_WORD,
    FIGURES,
    FREE_BEFORE,
    IS_RARE,
    LATENESS,
    LOG_COUNT,
    OF_WHOLE_ENDING,
    WORDS_INSIDE,
    Spans,
    describe,
)
from l2a.evidence.names.tokens import Tokens, cut, runs_of
from l2a.evidence.names.usage import BEGINS, ENDS, Usage
from l2a.evidence.trees import Trees
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

_ARRAYS = ("span", "usage", "looks", "becomes")  # what the names of its arrays begin with
MOST = 4  # names of a title: of more, the last ones are hardly ever right
NEW_MEANING = 10.0  # nats of lateness from which a word of the dictionary means something new: by chance it would stand
# so late in the text once in twenty thousand times
COMMON_ENDING = np.log(10)  # listed tags that end with it: what stands before it may belong to the name
COMMON_BEGINNING, VERY_COMMON_ENDING = np.log(5), np.log(70)  # listed tags that begin or end so
EDGE = 2  # tokens of such a beginning or ending
FREE = (
    0.7  # of the greatest entropy that a run could have: what stands so freely behind other words is no part of a name
)
LEAST_OF_PART = 0.1  # likeness of the end of a name, for the whole of it to be one
LEAST_LIKENESS = 0.02  # of what is worth a mention
BELIEFS = FIGURES + 6  # figures that a belief is made of


class Name(NamedTuple):
    """A name that stands in a title."""

    text: str  # as it is written there
    likeness: float  # to the tags of lists: how much it looks like one, 0 to 1
    probability: float  # that a person tags the question with it, given that nobody has used it as a tag
    lateness: float = 0.0  # against chance, of its first place in the large text, in nats; 0: it is old, or never there
    is_rare: bool = False  # the large text hardly has it
    is_regular: bool = False  # it begins and ends as many names do

    @property
    def is_young(self) -> bool:
        """Whether people write it since lately only, so that no list could have it."""
        return self.lateness > 0


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
        regular = is_regular(best.spans, self.usage)
        found = [
            Name(
                best.spans.text(place),
                float(best.likeness[place]),
                float(chance),
                float(best.spans.figures[place, LATENESS]),
                bool(best.spans.figures[place, IS_RARE]),
                bool(regular[place]),
            )
            for place, chance in zip(best.places, chances, strict=True)
        ]
        return sorted(found, key=lambda name: -name.probability)

    def best(self, tokens: Tokens) -> Best:
        spans = describe(tokens, word_ends(tokens.text, self.segmenter), self.counts, self.usage)
        likeness = self._looks.probability(spans.figures)
        # A word of the dictionary is no name, unless people write it since lately only.
        is_old_word = is_word(spans) & (spans.figures[:, LATENESS] <= NEW_MEANING)
        likeness = np.where(is_old_word | is_ending(spans), 0.0, likeness)
        return choose(spans, whole_names(spans, likeness, is_regular(spans, self.usage)))


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
            *best.spans.figures[place, :LATENESS],
            best.likeness[place],
            rank,
            max(others, default=0.0),
            tokens.begins[first],
            np.log1p(len(description)),
            np.log1p(description.count(match_key(name))),
            best.spans.figures[place, LATENESS],
        ]
    )


def is_word(spans: Spans) -> np.ndarray:
    """(candidates,) whether a run is just one word of the dictionary."""
    shape = spans.figures
    is_whole = (shape[:, BEGINS_WORD] > 0) & (shape[:, ENDS_WORD] > 0) & (shape[:, WORDS_INSIDE] == 0)
    return is_whole & (spans.length > 1)


def is_ending(spans: Spans) -> np.ndarray:
    """(candidates,) whether many names end with a run that stands behind another word: 师范大学 in 河北师范大学."""
    shape = spans.figures
    return (shape[:, OF_WHOLE_ENDING] >= COMMON_ENDING) & (shape[:, BEFORE_IT] == 0)


def is_regular(spans: Spans, usage: Usage) -> np.ndarray:
    """(candidates,) whether a run begins and ends as many names do, and at words: 深圳职业技术大学."""
    shape, numbers = spans.figures, spans.tokens.numbers
    is_long = spans.length >= 2 * EDGE
    found = np.zeros(len(spans.first), dtype=bool)
    if is_long.any():
        runs, first = runs_of(numbers)[EDGE], spans.first[is_long]
        begins = usage.of(runs[first], BEGINS) >= COMMON_BEGINNING
        ends = usage.of(runs[first + spans.length[is_long] - EDGE], ENDS) >= VERY_COMMON_ENDING
        found[is_long] = begins & ends
    return found & (shape[:, BEGINS_WORD] > 0) & (shape[:, ENDS_WORD] > 0) & ~spans.has_particle


def whole_names(spans: Spans, likeness: np.ndarray, regular: np.ndarray) -> np.ndarray:
    """(candidates,) with what the end of a regular name is like given to the whole of it: who has met 技术大学 has not
    met 深圳职业技术大学."""
    likeness, ends, shape = likeness.copy(), spans.first + spans.length, spans.figures
    stands_alone = (shape[:, IS_RARE] == 0) & (shape[:, FREE_BEFORE] >= FREE * shape[:, LOG_COUNT])
    for whole in np.flatnonzero(regular)[np.argsort(-spans.length[regular], kind="stable")]:
        is_part = (ends == ends[whole]) & (spans.length < spans.length[whole])
        is_part &= (shape[:, BEFORE_IT] == 0) & (likeness >= LEAST_OF_PART) & ~stands_alone
        if is_part.any():
            likeness[whole] = max(likeness[whole], likeness[is_part].max())
            likeness[is_part] = 0.0
    return likeness


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
