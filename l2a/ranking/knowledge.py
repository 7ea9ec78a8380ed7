"""What people decided, ready to be asked: memory, and how the suggestions fared that were served to them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from l2a.evidence.memory.decisions import DecidedQuestion, Memory, Vector
from l2a.evidence.memory.meanings import Encoder
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import Known, Source
from l2a.evidence.sources import source_classes
from l2a.ranking import kept
from l2a.ranking.ranker import WINDOW, Prior, Ranker, Served
from l2a.text.segmenter import Segmenter

SPARE = WINDOW // 2  # servings kept beyond those that the ranker is fitted on: the newest may still be undone


class Knowledge:
    """Decisions go in and out by the number of their question; the same decisions always give the same chances.

    Of the servings only the newest are kept, which are those that a ranker is fitted on. Where so many were taken back
    that these do not suffice, `is_complete` says so, and whoever has the older ones gives them with `serve`.
    """

    def __init__(self, memory: Memory, prior: Prior, arrays: Mapping[str, np.ndarray] | None = None):
        """arrays: what `arrays` gave."""
        self.memory, self.prior = memory, prior
        opened = (source.open(Known(memory=memory)) for source in source_classes())
        self.sources: list[Source] = [source for source in opened if source is not None]
        # Question -> number of its decision, and what was served.
        self._served: dict[int, tuple[int, Served]] = {} if arrays is None else kept.read_served(arrays)
        self.known_from = 0 if arrays is None else int(arrays["served_from"][0])  # number from which none is missing
        self._ranker: Ranker | None = None

    def learn(self, decided: DecidedQuestion, served: Served | None = None, *, vector: Vector | None = None) -> None:
        """In the place of what was known about the question.

        served: as it was shown before anybody had decided. vector: of its words, where somebody cut them already.
        """
        self.memory.put(decided, vector)
        self.serve(decided.question_id, decided.number, served)

    def serve(self, question_id: int, number: int, served: Served | None) -> None:
        """How a decided question was served; None: nobody knows, or it teaches nothing."""
        if self._served.pop(question_id, None) is not None or served is not None:
            self._ranker = None
        if served is not None:
            self._served[question_id] = (number, served)

    def forget(self, question_id: int) -> None:
        """As if it had never been decided."""
        self.memory.forget(question_id)
        self.serve(question_id, 0, None)

    @property
    def served(self) -> list[Served]:
        """Of the newest decisions, the newest last: what the ranker is fitted on."""
        return [self._served[question][1] for question in self._by_number()[-WINDOW:]]

    def _by_number(self) -> list[int]:
        return sorted(self._served, key=lambda question: (self._served[question][0], question))

    @property
    def ranker(self) -> Ranker:
        """Fitted on everything that was decided up to now."""
        if self._ranker is None:
            served = self.served
            shipped = Ranker.shipped(self.prior)
            self._ranker = shipped.fitted(served) if served else shipped
        return self._ranker

    def ranker_without(self, sources: Sequence[str]) -> Ranker:
        """A ranker that does without these sources, to see what they are worth."""
        shipped = Ranker.shipped(self.prior)
        return shipped.fitted(self.served, without=frozenset(sources))

    # --- only the newest servings -----------------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """Whether everything is there that the ranker is fitted on."""
        return not self.known_from or sum(number >= self.known_from for number, _ in self._served.values()) >= WINDOW

    def drop_old(self) -> None:
        """Let go of servings that no ranker will be fitted on any more; some more than a window of them stay."""
        if len(self._served) <= WINDOW + 2 * SPARE:
            return
        oldest_first = self._by_number()
        for question in oldest_first[: -(WINDOW + SPARE)]:
            del self._served[question]
        self.known_from = max(self.known_from, self._served[oldest_first[-(WINDOW + SPARE)]][0])

    # --- kept on disk -----------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything but the store's names of tags, for storing; as it is now, whatever is learned afterwards."""
        served = {question: self._served[question] for question in self._by_number()}
        return {
            **self.memory.arrays(),
            **kept.served_arrays(served),
            "served_from": np.array([self.known_from], dtype=np.int64),
        }

    def save(self, path: Path, about: Mapping[str, Any]) -> None:
        """about: plain values that `load` gives back. Raises OSError; the file that was there stays whole then."""
        kept.write(path, self.arrays(), about)

    @classmethod
    def load(
        cls, path: Path, table: WordTable, segmenter: Segmenter, prior: Prior, encoder: Encoder | None = None
    ) -> tuple["Knowledge", dict[str, Any]]:
        """What was saved with the same table and a segmenter that cuts alike. The store's names must be learned again.

        Raises OSError for a file that cannot be read, and ValueError for one that is damaged, none of ours, or made
        with another sentence encoder.
        """
        arrays, about = kept.read(path)
        return cls(Memory(table, segmenter, arrays, encoder), prior, arrays), about
