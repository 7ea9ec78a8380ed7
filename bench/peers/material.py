"""What every peer learns from and answers: gold, silver, pages, the tag list, and questions without their tags."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.source import FoldedWords
from l2a.simulation.peers import CANDIDATES, label_matrix
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training.teaching.forest import vectorise
from l2a.training.teaching.pages import Page, read_pages

SHOWN = CANDIDATES

Ranking = list[list[tuple[str, float]]]  # for each question its candidate tags with scores, the best first
Variants = dict[str, Ranking]  # by setting: the development questions decide between them


class Unavailable(Exception):
    """A peer that cannot run on this machine, and why."""


@dataclass
class Material:
    """Read once, shared by all peers. `questions` carry no tags, so that no peer can look at them."""

    gold: Sequence[Question]
    lexicon: Sequence[str]
    read_silver: Callable[[], list[Question]]
    questions: Sequence[Question]
    pages: Path | None = None  # questions with the topic pages they stood on: weak labels
    folder: Path | None = None  # where a peer may build what it needs
    segmenter: Segmenter = field(default_factory=Segmenter)

    def __post_init__(self) -> None:
        if any(question.tags for question in self.questions):
            raise ValueError("the questions to answer still carry tags; strip them first")

    @cached_property
    def cuts(self) -> list[FoldedWords]:
        """The words of the gold questions."""
        return self.cut(self.gold)

    @cached_property
    def question_cuts(self) -> list[FoldedWords]:
        return self.cut(self.questions)

    @cached_property
    def keys(self) -> list[frozenset[str]]:
        """The match keys of the gold questions' tags."""
        return tag_keys(self.gold)

    @cached_property
    def features(self) -> tuple:
        """TF-IDF of the gold questions and of the questions to answer: two sparse matrices, rows of length one."""
        return tfidf(self.cuts, self.question_cuts)

    @cached_property
    def label_matrix(self) -> tuple[list[str], np.ndarray]:
        """The distinct match keys, and (gold questions, keys) with True where a question has the tag."""
        return label_matrix(self.keys)

    @cached_property
    def silver_cuts(self) -> list[FoldedWords]:
        """The words of the silver questions. Raises Unavailable without a file."""
        return self.cut(self.read_silver())

    @cached_property
    def page_cuts(self) -> list[FoldedWords]:
        """The words of the questions of topic pages, in the order of the file. Raises Unavailable without one."""
        return self.cut([page.question for page in self.page_rows])

    @cached_property
    def page_keys(self) -> list[frozenset[str]]:
        return tag_keys([page.question for page in self.page_rows])

    @cached_property
    def page_leaf_keys(self) -> list[frozenset[str]]:
        """Without the tags above another one of the same question."""
        return tag_keys([page.as_question() for page in self.page_rows])

    @cached_property
    def page_rows(self) -> list[Page]:
        if self.pages is None:
            raise Unavailable("not run: no --pages file")
        return read_pages(self.pages)

    def cut(self, questions: Sequence[Question]) -> list[FoldedWords]:
        return [FoldedWords.of(question, self.segmenter) for question in questions]


def tag_keys(questions: Sequence[Question]) -> list[frozenset[str]]:
    return [frozenset(map(match_key, question.tags)) for question in questions]


def tfidf(learn: Sequence[FoldedWords], answer: Sequence[FoldedWords]) -> tuple:
    """The features of the silver labels' teacher, so that peers differ in what they do with them only."""
    vectorizer, features = vectorise(learn)
    return features, vectorizer.transform(answer)
