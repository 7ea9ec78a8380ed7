"""Labels questions as gold ones are labelled: candidates from many sides, weighed by what they were worth on folds.

Names that are in no list are apart: gold has hardly any, as whoever tagged it chose from these lists, more or less.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.evidence.aliases import Aliases
from l2a.evidence.arrays import keys_of, squeeze
from l2a.evidence.literal import LiteralMatcher, Match
from l2a.evidence.names.finder import Name
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training.cutting import distinct_tags
from l2a.training.teaching.forest import Forest
from l2a.training.teaching.pages import WEIGHT
from l2a.training.teaching.ridge import Ridge

# Chosen for the position-weighted F1 by cross-fitting on train, and on dev.
MIN_FIRST = 0.17  # probability from which the first tag is kept; below, the question stays unlabelled
MIN_FURTHER = 0.16  # the same for the other tags
MIN_NAME = 0.2  # the same for a name in no list
MAX_TAGS = 5  # as many as the score looks at

FindNames = Callable[[Sequence[Question]], list[list[Name]]]
_UNNAMED = 10  # place of a tag that a ranking of ten does not name


class Teacher:
    """A few tags for a question, the likely ones, the likeliest first. Raises InputError if gold is too small.

    gold: to learn from. tags: looked for literally. pages: questions with weak labels, which one of the classifiers
    learns from too. further: lists whose tags are looked for as well, and are right less often. names: what finds names
    in titles.
    """

    def __init__(
        self,
        gold: Sequence[Question],
        tags: Iterable[str],
        segmenter: Segmenter,
        folds: int = 4,
        *,
        pages: Sequence[Question] = (),
        further: Iterable[str] = (),
        names: FindNames | None = None,
    ):
        self.segmenter, self.tags, self.further = segmenter, tuple(tags), tuple(further)
        self._find_names, self._folds = names or (lambda questions: [[] for _ in questions]), folds
        self._first_list = set(map(match_key, self.tags))
        self._pages = [page for page in pages if page.tags]
        self._page_texts = [FoldedWords.of(page, segmenter) for page in self._pages]
        gold = [question for question in gold if question.tags]
        if len(gold) < folds:
            raise InputError("silver.too_few", count=len(gold), needed=folds)
        rows: list[list[float]] = []
        labels: list[bool] = []
        for question, candidates in self.held_out(gold):
            keys = set(map(match_key, question.tags))
            for key, numbers in candidates.items():
                rows.append(numbers)
                labels.append(key in keys)
        if len(set(labels)) < 2:
            raise InputError("silver.too_unlike")
        self._learn(gold)
        from sklearn.ensemble import HistGradientBoostingClassifier

        # What one side says is worth more or less by what the others say, which a logistic regression cannot tell: with
        # one F1 is 1.5 points lower on dev.
        self._ranker = HistGradientBoostingClassifier(
            max_iter=120,
            learning_rate=0.07,
            max_leaf_nodes=15,
            min_samples_leaf=min(40, 1 + len(rows) // 100),
            l2_regularization=5,
            early_stopping=False,
            random_state=1,
        ).fit(rows, labels)

    def rank(
        self, questions: Sequence[Question], names: list[list[Name]] | None = None
    ) -> list[list[tuple[str, float]]]:
        """For each question every candidate tag with its probability, the likeliest first.

        names: in the titles, where somebody has found them already.
        """
        names = self._find_names(questions) if names is None else names
        found = self._candidates(questions, names)
        rows = [row for candidates in found for row in candidates.values()]
        values = iter(self._ranker.predict_proba(rows)[:, 1].tolist() if rows else ())
        ranked = []
        for own, candidates in zip(names, found, strict=True):
            pairs = [(self._spelling[key], next(values)) for key in candidates]
            # Gold cannot say what these are worth; how names that nobody else gave became tags can.
            pairs += [(name.text, name.probability) for name in own if not self.is_listed(name.text)]
            ranked.append(sorted(pairs, key=lambda pair: pair[1], reverse=True))
        return ranked

    def label(self, questions: Sequence[Question], names: list[list[Name]] | None = None) -> list[Question]:
        """The questions with silver tags, their source `silver`: tags they have, then likely ones; maybe none."""
        labelled = []
        for question, ranked in zip(questions, self.rank(questions, names), strict=True):
            likely = [tag for place, (tag, p) in enumerate(ranked) if p >= self._least(place, tag)]
            both = replace(question, tags=(*question.tags, *likely), source="silver")
            labelled.append(replace(both, tags=distinct_tags(both)[:MAX_TAGS]))
        return labelled

    def _least(self, place: int, tag: str) -> float:
        if not self.is_listed(tag):
            return MIN_NAME
        return MIN_FURTHER if place else MIN_FIRST

    def is_listed(self, tag: str) -> bool:
        """Whether a tag is in a list or was given by people: it is more than a name then."""
        return squeeze(match_key(tag)) in self._squeezed

    def held_out(self, gold: Sequence[Question]) -> Iterator[tuple[Question, dict[str, list[float]]]]:
        """Gold questions with their candidates, as found by what was learned from the others."""
        for fold in range(self._folds):
            self._learn([question for index, question in enumerate(gold) if index % self._folds != fold])
            held = gold[fold :: self._folds]
            for question, candidates in zip(held, self._candidates(held, self._find_names(held)), strict=True):
                if question.partial_tags:  # its rare tags are missing first: it says nothing about names
                    candidates = {key: row for key, row in candidates.items() if self._is_telling(key)}
                yield question, candidates

    def _is_telling(self, key: str) -> bool:
        return self._count[key] > 0 or key in self._first_list

    def _learn(self, gold: Sequence[Question]) -> None:
        texts = [FoldedWords.of(question, self.segmenter) for question in gold]
        keys = [frozenset(map(match_key, question.tags)) for question in gold]
        page_keys = [frozenset(map(match_key, page.tags)) for page in self._pages]
        self._count = Counter(key for one in keys for key in one)
        self._page_count = Counter(key for one in page_keys for key in one)
        # A tag is written as gold writes it most often, otherwise as the lists do: the first spelling wins.
        given = [tag for tag, _ in Counter(tag for q in (*gold, *self._pages) for tag in q.tags).most_common()]
        tags = [*given, *self.tags, *self.further]
        self._spelling = {match_key(tag): tag for tag in reversed(tags)}
        self._squeezed = {squeeze(key): key for key in self._spelling}  # C 语言 is C语言
        self._matcher = LiteralMatcher(tags, self.segmenter)
        self._matcher.learn(texts, keys)
        own = [keys_of(question.tags) for question in gold]
        self._aliases = Aliases(Aliases.learn(tags, keys_of(tags), texts, own))
        self._forest = Forest(texts, keys)
        weights = [1.0] * len(texts) + [WEIGHT] * len(self._pages)
        self._ridge = Ridge([*texts, *self._page_texts], [*keys, *page_keys], weights)

    def _candidates(
        self, questions: Sequence[Question], names: Sequence[Sequence[Name]]
    ) -> list[dict[str, list[float]]]:
        """For each question: match key of a candidate -> the numbers its probability is made of."""
        texts = [FoldedWords.of(question, self.segmenter) for question in questions]
        parts = zip(texts, self._forest.predict(texts), self._ridge.predict(texts), names, strict=True)
        return [self._of(*part) for part in parts]

    def _of(
        self,
        words: FoldedWords,
        forest: Sequence[tuple[str, float]],
        ridge: Sequence[tuple[str, float]],
        in_title: Sequence[Name],
    ) -> dict[str, list[float]]:
        in_forest, in_ridge = _Ranked(forest), _Ranked(ridge)
        literal = {match_key(match.tag): (place, match) for place, match in enumerate(self._matcher.rank(words))}
        aliases = {
            match_key(alias.tag): probability
            for alias in self._aliases.find(words)
            if (probability := self._aliases.probability(alias)) is not None
        }
        own = {squeeze(match_key(name.text)): name for name in in_title}
        names = {self._squeezed[key]: name for key, name in own.items() if key in self._squeezed}
        found: dict[str, list[float]] = {}
        for key in dict.fromkeys((*in_forest.place, *in_ridge.place, *literal, *aliases, *names)):
            count = self._count[key]
            found[key] = [
                *(count > 0, _log(1 + count), _log(1 + self._page_count[key]), key in self._first_list),
                *in_forest.describe(key),
                *in_ridge.describe(key),
                *_literal(literal.get(key), in_forest.score(key), key in self._first_list),
                *_alias(aliases.get(key)),
                *_name(names.get(key), is_given=count > 0),
            ]
        return found


class _Ranked:
    """What a classifier ranks for a question: match key -> place and score."""

    def __init__(self, pairs: Sequence[tuple[str, float]]):
        self.place = {key: (place, score) for place, (key, score) in enumerate(pairs)}
        self._best = max((score for _, score in pairs), default=0.0)

    def score(self, key: str) -> float:
        return self.place.get(key, (0, 0.0))[1]

    def describe(self, key: str) -> list[float]:
        place, score = self.place.get(key, (_UNNAMED, 0.0))
        return [_log(score), 1 / (1 + place), _log(self._best)]


def _literal(found: tuple[int, Match] | None, score: float, is_first: bool) -> list[float]:
    if found is None:
        return [0.0] * 8
    place, match = found
    # Logarithms of odds are what a logistic regression adds up.
    odds = _odds(match.score)
    return [1.0, match.in_title, odds, match.words, 1 / (1 + place), _log(score), is_first, is_first * match.in_title]


def _alias(probability: float | None) -> list[float]:
    return [0.0] * 2 if probability is None else [1.0, _odds(probability)]


def _name(name: Name | None, is_given: bool) -> list[float]:
    """A name that people gave is found otherwise too: it is worth something else."""
    if name is None:
        return [0.0] * 6
    own = [1.0, _odds(name.likeness), _odds(name.probability)]
    return [*own, *[0.0] * 3] if is_given else [*[0.0] * 3, *own]


def _log(value: float) -> float:
    return math.log(max(value, 1e-4))


def _odds(probability: float) -> float:
    return _log(probability / (1.001 - probability))
