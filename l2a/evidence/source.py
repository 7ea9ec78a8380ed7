"""The interface of a source of evidence: a prepared question in, findings out.

A source is one file in `l2a/evidence/sources/`, named as the source, with its class as `SOURCE`. Nothing else needs to
know of it: its findings vote with the weight `decode.NAME_weight`, which is stored with a model. What it learns from
labelled questions is stored with the model too.

All sources read the same prepared question, cut into words once. What several of them need of it is worked out for the
first that asks (`PreparedQuestion.once`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from l2a.data.questions import Question
from l2a.messages import Message
from l2a.text.cleaning import clean, is_word_like, match_key
from l2a.text.hashing import hash_text
from l2a.text.marks import make_mark
from l2a.text.segmenter import Segmenter

if TYPE_CHECKING:
    from l2a.evidence.memory.decisions import Memory
    from l2a.evidence.names.finder import NameFinder
    from l2a.evidence.retriever import Retriever

TITLE_WEIGHT = 3  # a word of the title counts like three of the description
DESCRIPTION_CHARACTERS = 2_000  # longer descriptions add time, not tags

_Result = TypeVar("_Result")


class FoldedWords(NamedTuple):
    """A question's casefolded words; title and description apart, so that no match runs across the two."""

    title: list[str]
    description: list[str]

    @classmethod
    def of(cls, question: Question, segmenter: Segmenter) -> "FoldedWords":
        """Casefolds before cutting, so that both cases are cut in the same places."""
        texts = (question.title, question.description[:DESCRIPTION_CHARACTERS])
        return cls(*(segmenter.source_words(clean(text).casefold()) for text in texts))

    def weighted(self) -> list[str]:
        return [word for word in self.title * TITLE_WEIGHT + self.description if is_word_like(word)]


@dataclass(frozen=True)
class PreparedQuestion:
    """A question as all sources read it."""

    question: Question
    words: FoldedWords
    # It may be among the labelled questions, as in training: what it says about itself is then left out.
    is_labelled: bool = False
    # Any: each entry is what its own function returned, and `once` gives it back under that type.
    _worked_out: dict[Callable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, question: Question, segmenter: Segmenter, *, is_labelled: bool = False) -> "PreparedQuestion":
        """It is cut into words here and nowhere else."""
        return cls(question, FoldedWords.of(question, segmenter), is_labelled)

    def afresh(self) -> "PreparedQuestion":
        """Without what was worked out: what people decided is another by now."""
        return PreparedQuestion(self.question, self.words, self.is_labelled)

    @cached_property
    def digest(self) -> int:
        return hash_question(self.question)

    def once(self, work_out: Callable[["PreparedQuestion"], _Result]) -> _Result:
        """`work_out` of this question; who asks again gets what the first was given."""
        if work_out not in self._worked_out:
            self._worked_out[work_out] = work_out(self)
        return self._worked_out[work_out]


class HintGroup(NamedTuple):
    """Hints that compete for the same few places among the words that the network reads."""

    place: int  # of the group among the groups
    most: int  # hints that are told


IN_TEXT, OF_NEIGHBOURS = HintGroup(0, 5), HintGroup(1, 6)


@dataclass(frozen=True)
class Hint:
    """What the network is told of a finding."""

    tag: str
    source: str
    strength: int  # 1 to 3, from how often such a finding is right
    group: HintGroup = field(default=IN_TEXT, compare=False)
    rank: tuple[float, int] = field(default=(0.0, 0), compare=False)  # in its group, the least first

    @property
    def mark(self) -> str:
        return make_mark(self.source, self.strength)


@dataclass(frozen=True)
class Finding:
    """A tag that a source speaks for."""

    tag: str
    source: str
    # What the source knows about it, for the ranker. `probability`: how likely the tag is right as far as this source
    # goes.
    figures: Mapping[str, float]
    hint: Hint | None = None  # a network knows only hints that it was trained with: most sources give none
    text: Message | None = None  # what a person is told; None where the figures alone say nothing to anybody

    @property
    def probability(self) -> float | None:
        return self.figures.get("probability")


class Vote(Protocol):
    """How the hypotheses stand behind a tag (l2a.search.voting)."""

    @property
    def tag(self) -> str: ...
    @property
    def share(self) -> float: ...
    @property
    def probability(self) -> float: ...
    @property
    def rank(self) -> int: ...
    @property
    def best_hypothesis(self) -> int: ...


class Known(NamedTuple):
    """What sources can be opened over; a source takes what it needs and is not there without it."""

    retriever: "Retriever | None" = None  # what a model keeps of its labelled questions
    memory: "Memory | None" = None  # what people decided in this store
    names: "NameFinder | None" = None  # what a model knows of names in any text


class Source(ABC):
    """One kind of evidence."""

    name: ClassVar[str]  # also the file's
    rank: ClassVar[int]  # among the sources: they are asked in this order
    gives_hints: ClassVar[bool] = False

    @classmethod
    def learn(cls, retriever: "Retriever") -> dict[str, np.ndarray]:
        """What is stored for this source beyond what the retriever keeps anyway.

        Asked for when a model is trained whose vote has a weight for the source, and again when decisions of people
        are added to that model.
        """
        return {}

    @classmethod
    @abstractmethod
    def open(cls, known: Known) -> "Source | None":
        """The source, over what is known; None where it has nothing to say then."""

    @abstractmethod
    def find(self, question: PreparedQuestion) -> list[Finding]:
        """What speaks for which tags; a tag may be there twice."""

    def weigh(self, question: PreparedQuestion, found: Sequence[Finding], votes: Sequence[Vote]) -> list[Finding]:
        """What it makes of what all sources found, and of the votes."""
        return []

    def judge(self, question: PreparedQuestion, tags: Sequence[str]) -> list[Finding]:
        """What it has to say about tags that hypotheses or other sources named."""
        return []


class RetrieverSource(Source):
    """A source that looks things up in the retriever."""

    needs: ClassVar[str | None] = None  # an array without which it has nothing to say

    def __init__(self, retriever: "Retriever"):
        self.retriever = retriever

    @classmethod
    def open(cls, known: Known) -> Self | None:
        retriever = known.retriever
        if retriever is None or (cls.needs is not None and cls.needs not in retriever.arrays):
            return None
        return cls(retriever)


class MemorySource(Source):
    """A source that looks things up in what people decided."""

    def __init__(self, memory: "Memory"):
        self.memory = memory

    @classmethod
    def open(cls, known: Known) -> Self | None:
        return None if known.memory is None else cls(known.memory)


def hash_question(question: Question) -> int:
    return hash_text(f"{match_key(question.title)}\n{match_key(question.description)}")


def strength_of(probability: float, steps: tuple[float, float]) -> int:
    """1, 2 or 3: one more from each of the steps on."""
    return 1 + sum(probability >= step for step in steps)
