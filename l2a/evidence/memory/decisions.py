"""Memory: what people decided, from the next question on. A function of the decisions in it and of nothing else.

A decision is taken in, replaced and let go of by the number of its question. Whatever the order, the same decisions
give the same answers; what was let go of leaves no trace.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from l2a.data.questions import Question
from l2a.evidence.memory.growing import Growing
from l2a.evidence.memory.meanings import Encoder, Meanings
from l2a.evidence.memory.names import NameInText, Names
from l2a.evidence.memory.outcomes import Outcomes
from l2a.evidence.memory.rows import Nearest, Rows
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords, PreparedQuestion
from l2a.text.cleaning import match_key
from l2a.text.hashing import hash_text
from l2a.text.segmenter import Segmenter

NEAREST = 1_000  # decided questions that are looked at for one question
RECENT = 200  # decisions that count as the latest
_MANY_GONE = 1_000  # rows, or
_MANY_GONE_SHARE = 4  # one of so many, before the room they take is given back


@dataclass(frozen=True)
class DecidedQuestion:
    """A question and what people decided about it."""

    question_id: int
    title: str
    description: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    at: float = 0.0  # seconds, as time.time() counts
    number: int = 0  # of the ledger's line: the greater, the later


class Vector(NamedTuple):
    """A question's words as hashes, and their weights."""

    words: Sequence[int]
    weights: np.ndarray


class Memory:
    """The decisions that are in force."""

    def __init__(
        self,
        table: WordTable,
        segmenter: Segmenter,
        arrays: Mapping[str, np.ndarray] | None = None,
        encoder: Encoder | None = None,
    ):
        """arrays: what `arrays` gave, with the same table, a segmenter that cuts as the one then did, and the same
        encoder: ValueError for another one."""
        self.table, self.segmenter = table, segmenter
        self._other_names = Names()  # of the store's list
        self._parents: dict[str, str] = {}  # matching key -> name of the tag above it
        self.meanings = None if encoder is None else Meanings(encoder, arrays)
        self._open(arrays or {})

    def _open(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._rows = Rows(arrays)
        self._row_of = {question: row for row, question in enumerate(self._rows.ids.values.tolist())}
        self._texts = Growing(arrays.get("texts", np.zeros(0, np.uint64)))  # a hash of each row's text
        self._numbers = Growing(arrays.get("numbers", np.zeros(0, np.int64)))  # ledger lines
        self._outcomes = Outcomes(arrays)
        self._latest: Counter[int] | None = None  # tag -> times among the latest decisions; None: to be counted

    def __len__(self) -> int:
        return len(self._row_of)

    def __contains__(self, question_id: int) -> bool:
        return question_id in self._row_of

    # --- taking in and letting go ------------------------------------------------------------------------------------

    def put(self, decided: DecidedQuestion, vector: Vector | None = None) -> None:
        """In the place of what was known about the question. vector: of its text, where somebody cut it already."""
        text = hash_text(f"{decided.title}\n{decided.description}")
        if self.meanings is not None:  # first of all: it may not be able to read the text
            self.meanings.put(decided.question_id, text, decided.title, decided.description)
        row = self._row_of.get(decided.question_id)
        if row is not None and self._texts[row] != text:
            self._forget(decided.question_id)
            row = None
        if row is None:
            words, weights = vector or cut(self.table, self.segmenter, decided.title, decided.description)
            row = self._rows.add(decided.question_id, words, weights)
            self._row_of[decided.question_id] = row
            self._texts.append(text)
            self._numbers.append(0)
        self._outcomes.put(row, decided.tags, decided.rejected)
        self._numbers[row] = decided.number
        self._latest = None

    def forget(self, question_id: int) -> None:
        """As if it had never been decided; nothing happens if it was not."""
        if self.meanings is not None:
            self.meanings.forget(question_id)
        self._forget(question_id)

    def _forget(self, question_id: int) -> None:
        row = self._row_of.pop(question_id, None)
        if row is None:
            return
        self._rows.take_out(row)
        self._outcomes.put(row, (), ())
        self._latest = None
        gone = len(self._rows) - len(self)
        if gone > max(_MANY_GONE, len(self._rows) // _MANY_GONE_SHARE):
            self._open(self._arrays())

    @contextmanager
    def without(self, question_id: int) -> Iterator[None]:
        """As if the question had never been decided, for as long as this lasts: nobody is asked what they said."""
        row = self._row_of.pop(question_id, None)
        if row is None:
            yield
            return
        self._rows.take_out(row)
        taken = self._outcomes.take_out(row)
        self._latest = None
        try:
            yield
        finally:
            self._rows.bring_back(row)
            self._outcomes.bring_back(row, taken)
            self._row_of[question_id] = row
            self._latest = None

    def learn_names(self, names: Iterable[tuple[str, str, str | None]]) -> None:
        """The store's own list: (spelling, tag, tag above it); takes the place of the list before."""
        self._other_names, self._parents = Names(), {}
        self.change_names(names)

    def change_names(self, names: Iterable[tuple[str, str, str | None]], gone: Iterable[str] = ()) -> None:
        """What is new in the store's list, or means something else by now; and spellings that are no longer in it."""
        for spelling in gone:
            self._other_names.remove(spelling)
            self._parents.pop(match_key(spelling), None)
        for spelling, tag, parent in names:
            self._other_names.add(spelling, tag)
            if spelling == tag or (key := match_key(spelling)) == match_key(tag):
                key = match_key(tag)
                if parent:
                    self._parents[key] = parent
                else:
                    self._parents.pop(key, None)
            else:
                self._parents.pop(key, None)

    # --- what sources look up ----------------------------------------------------------------------------------------

    @property
    def tags(self) -> Sequence[str]:
        """Names; a tag keeps its number for as long as a question has it."""
        return self._outcomes.tags

    def vector(self, question: PreparedQuestion) -> tuple[list[int], np.ndarray]:
        return self.table.vector(question.words)

    def nearest(self, question: PreparedQuestion) -> Nearest:
        """The decided questions most like this one, the question itself among them (see `without`)."""
        return self._rows.nearest(*question.once(self.vector), NEAREST)

    def similar(self, question: PreparedQuestion, most: int, least: float) -> list[tuple[int, float]]:
        """The decided questions most like this one, at most so many and at least so like: (question, likeness)."""
        near = question.once(self.nearest)
        pairs = zip(near.rows[:most].tolist(), near.likeness[:most].tolist(), strict=True)
        return [(int(self._rows.ids[row]), likeness) for row, likeness in pairs if likeness >= least]

    def row_of(self, question_id: int) -> int | None:
        return self._row_of.get(question_id)

    def words_of(self, rows: np.ndarray) -> csr_matrix:
        """(rows, words)"""
        return self._rows.matrix(rows)

    def tags_of(self, row: int) -> tuple[int, ...]:
        return self._outcomes.given[row]

    def rejected_of(self, row: int) -> tuple[int, ...]:
        return self._outcomes.rejected[row]

    def names_in(self, question: PreparedQuestion) -> list[NameInText]:
        """Tags whose name or alias stands in the text: those given before, then those of the store's list."""
        given = {match_key(name.tag): name for name in self._outcomes.names.find(question.words)}
        for name in self._other_names.find(question.words):
            given.setdefault(match_key(name.tag), name)
        return list(given.values())

    def times_given(self, tag: str) -> int:
        return self._outcomes.times_given(tag)

    def times_given_lately(self, tag: str) -> int:
        """Among the latest decisions."""
        if self._latest is None:
            newest = self._newest_rows(RECENT).tolist()
            self._latest = Counter(tag for row in newest for tag in self._outcomes.given[row])
        number = self._outcomes.number(tag)
        return 0 if number is None else self._latest.get(number, 0)

    def times_together(self, tag: str, other: str) -> int:
        return self._outcomes.times_together(tag, other)

    def parent(self, tag: str) -> str | None:
        return self._parents.get(match_key(tag))

    # --- what keeps it looks up --------------------------------------------------------------------------------------

    def newest(self) -> list[tuple[int, int]]:
        """(question, number of the decision) of all, the newest first."""
        rows = self._newest_rows(len(self))
        ids, numbers = self._rows.ids.values[rows], self._numbers.values[rows]
        return list(zip(ids.tolist(), numbers.tolist(), strict=True))

    def _newest_rows(self, most: int) -> np.ndarray:
        """Of decisions with the same number that of the greater question counts as the later one."""
        rows = self._rows.there
        numbers = self._numbers.values[rows]
        if len(rows) > most:  # sorting all of them takes longer than everything else
            least = np.partition(numbers, len(numbers) - most)[len(numbers) - most]
            rows = rows[numbers >= least]
        order = np.lexsort((self._rows.ids.values[rows], self._numbers.values[rows]))
        return rows[order[::-1][:most]]

    def number_of(self, question_id: int) -> int | None:
        """The ledger line of the decision that is known; None without one."""
        row = self._row_of.get(question_id)
        return None if row is None else int(self._numbers[row])

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that was decided, for storing: without the store's names, and without what was let go of."""
        return self._arrays() if self.meanings is None else {**self._arrays(), **self.meanings.arrays()}

    def _arrays(self) -> dict[str, np.ndarray]:
        rows = self._rows.there
        return {
            **self._rows.arrays(),
            **self._outcomes.arrays(rows),
            "texts": self._texts.values[rows],
            "numbers": self._numbers.values[rows],
        }


def cut(table: WordTable, segmenter: Segmenter, title: str, description: str) -> Vector:
    """A text as memory keeps it."""
    return Vector(*table.vector(FoldedWords.of(Question(title=title, description=description), segmenter)))
