"""Learns what names look like, from lists of tags and a large text, and how often they become tags, from gold.

Two steps, because there are many names and few gold tags. Listed tags that stand in unlabelled titles show what a name
looks like: a longer one beats its parts, and a rare one is told by how it begins and ends. Titles of works show it as
well, with their marks 《》 taken away: unlike tags of lists many of them are young. Gold questions then say how
likely such a name is to be one of a question's tags, if nobody used it as one before; there every tag counts as unknown
to the questions that did not use it.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.arrays import keys_of, squeeze
from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.finder import BELIEFS, NameFinder, believe, is_ending, is_word, longest_of, word_ends
from l2a.evidence.names.spans import BEGINS_WORD, ENDS_WORD, FIGURES, WORDS_INSIDE, Spans, describe
from l2a.evidence.names.tokens import LONGEST, cut, numbers_of
from l2a.evidence.names.usage import Usage
from l2a.evidence.trees import Trees
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

LEAST_TIMES = 5  # that a run stands in the text for its statistics to travel with the model
TITLES = 40_000  # of the text, that trees are learned from
WORKS = 8_000  # titles that name a work, besides
WORK_WORTH = 0.5  # of such a title: names of other things are marked by nobody
TREES = 200
BEGINNING = 2  # characters
COMMON = 10  # tags from which a beginning or ending of two characters is one of many names
SWAPPED = 3  # characters of a listed tag that another one may take the place of
POOR = 3  # every so many-th title is described as if the text were much smaller: rare names must be told by their form
POOR_TIMES = 40
_WORK = re.compile(r"《([^《》]{2,20})》")
_WRONG_KEPT = 0.15  # of runs in no list
_WORD_WORTH = 0.15  # of a listed tag that is a word of the dictionary: a tag, but mostly no name
LEAST_RIGHT = 20  # names that became tags, for a belief to mean anything
KNOWN_FROM = 4  # times that others gave a tag, from which nobody calls it new


Arrays = Mapping[str, np.ndarray]


def learn(
    titles: Sequence[str],
    listed: Iterable[str],
    gold: Sequence[Question],
    segmenter: Segmenter,
    *,
    seed: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> NameFinder:
    """titles: of the large text. listed: tags of lists. gold: labelled questions."""
    titles = [clean(title) for title in titles]
    numbers = numbers_of(titles)
    counts, poor = SpanCounts.count(numbers, LEAST_TIMES), SpanCounts.count(numbers, POOR_TIMES)
    listed = keys_of(listed)
    usage = Usage.learn(listed, numbers)
    chance = random.Random(seed)
    some: list[tuple[str, str | None]] = [(title, None) for title in chance.sample(titles, min(TITLES, len(titles)))]
    works = [(_WORK.sub(r"\1", title), found[1]) for title in titles if (found := _WORK.search(title))]
    some += chance.sample(works, min(WORKS, len(works)))
    swap = Swap(listed, chance)
    figures, is_name, weights = [np.zeros((0, FIGURES))], [np.zeros(0)], [np.zeros(0)]
    for place, (title, work) in enumerate(some):
        progress(place, len(some))
        for text, name in filter(None, ((title, work), None if work else swap(title, listed))):
            tokens = cut(text)
            if not len(tokens.numbers):
                continue
            of = poor if place % POOR == 0 else counts
            spans = describe(tokens, word_ends(text, segmenter), of, usage)
            rows, names, worth = _examples(spans, listed, keys_of([name] if name else []), chance)
            figures.append(rows)
            is_name.append(names)
            weights.append(worth if work is None else WORK_WORTH * worth)
    looks = Trees.learn(
        "looks",
        np.concatenate(figures),
        np.concatenate(is_name),
        np.concatenate(weights),
        trees=TREES,
        rate=0.08,
        leaves=15,
        least=60,
        seed=seed,
    )
    arrays = {**counts.arrays, **usage.arrays, **looks.arrays}
    return NameFinder({**arrays, **_learn_belief(arrays, gold, segmenter, seed).arrays}, segmenter)


class Swap:
    """Puts another name in the place of a listed tag that stands in a title: most names of a list stand in no text, and
    a rare name is what is to be found. Every second one is in no list either: what many names begin with, and the rest
    of a name that begins so (of 河北 and 浙江师范大学 comes 河北师范大学)."""

    def __init__(self, listed: Iterable[str], chance: random.Random):
        self._chance = chance
        self._alike: dict[str, list[str]] = {}  # last one or two characters of a tag -> tags
        beginnings = Counter(tag[:BEGINNING] for tag in listed if len(tag) >= SWAPPED + BEGINNING)
        self._beginnings = sorted(part for part, times in beginnings.items() if times > COMMON)
        for tag in sorted(listed):
            if len(tag) >= SWAPPED:
                for ending in (tag[-1], tag[-2:]):
                    self._alike.setdefault(ending, []).append(tag)

    def __call__(self, title: str, listed: set[str]) -> tuple[str, str] | None:
        """The title with another name of the same ending in it, and that name; None where nothing in it is listed."""
        for size in range(min(LONGEST, len(title)), SWAPPED - 1, -1):
            for begin in range(len(title) - size + 1):
                tag = title[begin : begin + size]
                if tag not in listed:
                    continue
                others = self._alike.get(tag[-2:], ())
                if len(others) <= COMMON:
                    others = self._alike.get(tag[-1], ())
                if len(others) > 1:
                    name = self._composed(self._chance.choice(others))
                    return title[:begin] + name + title[begin + size :], name
        return None

    def _composed(self, tag: str) -> str:
        begins_so = len(tag) >= SWAPPED + BEGINNING and tag[:BEGINNING] in self._beginnings
        if begins_so and self._chance.random() < 0.5:
            return self._chance.choice(self._beginnings) + tag[BEGINNING:]
        return tag


def _examples(
    spans: Spans, listed: set[str], further: set[str], chance: random.Random
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Figures, whether it is a name, and how much that counts, of some runs of a title. further: names beside listed
    ones."""
    keys = [squeeze(match_key(spans.text(place))) for place in range(len(spans.first))]
    is_listed = [key in listed or key in further for key in keys]
    is_longest, is_one_word, shape = longest_of(spans, is_listed), is_word(spans), spans.figures
    is_inside_word = (shape[:, WORDS_INSIDE] == 0) & ~((shape[:, BEGINS_WORD] > 0) & (shape[:, ENDS_WORD] > 0))
    # 师范大学 behind another word is as often the end of a name in no list: an example of nothing.
    ends_names = is_ending(spans)
    rows: list[int] = []
    names: list[float] = []
    worth: list[float] = []

    def add(place: int, name: bool, weight: float) -> None:
        rows.append(place)
        names.append(float(name))
        worth.append(weight)

    unclear = {int(spans.first[place] + spans.length[place]) for place in np.flatnonzero(is_longest & ends_names)}
    for place in range(len(spans.first)):
        end = int(spans.first[place] + spans.length[place])
        if is_inside_word[place]:
            is_named = False
        elif end in unclear and (not is_listed[place] or (is_longest[place] and ends_names[place])):
            continue
        else:
            is_named = bool(is_longest[place])
        if is_named and is_one_word[place]:
            add(place, True, _WORD_WORTH)
            add(place, False, 1 - _WORD_WORTH)
        elif is_named:
            add(place, True, 1.0)
        elif is_listed[place] or chance.random() < _WRONG_KEPT:
            add(place, False, 1.0 if is_listed[place] else 1 / _WRONG_KEPT)
    return shape[rows], np.array(names), np.array(worth)


def _learn_belief(arrays: Arrays, gold: Sequence[Question], segmenter: Segmenter, seed: int) -> Trees:
    """How likely a name is to be a tag, from names that hardly anybody else used."""
    finder = NameFinder({**arrays, **Trees.nothing("becomes").arrays}, segmenter)
    given = Counter(key for question in gold for key in keys_of(question.tags))
    described, is_right = [np.zeros((0, BELIEFS))], []
    for question in gold:
        if question.partial_tags:  # the rare ones are missing first
            continue
        own, rest = keys_of(question.tags), match_key(clean(question.description))
        best = finder.best(cut(question.title))
        for rank, place in enumerate(best.places):
            key = squeeze(match_key(best.spans.text(place)))
            if given[key] - (key in own) < KNOWN_FROM:
                described.append(believe(best, rank, rest)[None])
                is_right.append(float(key in own))
    if sum(is_right) < LEAST_RIGHT:
        return Trees.nothing("becomes")
    return Trees.learn(
        "becomes",
        np.concatenate(described),
        np.array(is_right),
        np.ones(len(is_right)),
        trees=100,
        rate=0.05,
        leaves=6,
        least=30,
        seed=seed,
    )


def oldest_first(questions: Iterable[Question]) -> list[str]:
    """Their titles. Sites number their questions as they come; where ids are no numbers the order stays."""
    questions = list(questions)
    if all(question.id.isdecimal() for question in questions):
        questions.sort(key=lambda question: int(question.id))
    return [question.title for question in questions]
