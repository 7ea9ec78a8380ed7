"""Decided questions as vectors of a sentence encoder, for those who have one."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from l2a.evidence.source import PreparedQuestion

NEAREST = 40  # decided questions that are looked at for one question
_CLOSE = 1e-5  # of a likeness: what quick numbers may be wrong by


class Encoder(Protocol):
    """A text in, a vector of length one out."""

    @property
    def fingerprint(self) -> str: ...

    def encode(self, title: str, description: str = "") -> np.ndarray: ...


class Meanings:
    """A vector a question. The same questions in any order give the same answers; what was let go of is not there."""

    def __init__(self, encoder: Encoder, arrays: Mapping[str, np.ndarray] | None = None):
        """arrays: what `arrays` gave; raises ValueError where that was with another encoder, or with none."""
        self._encoder = encoder
        self._ids, self._texts = np.zeros(0, np.int64), np.zeros(0, np.uint64)
        self._vectors = np.zeros((0, 0), np.float32)
        if arrays:
            if "meaning_encoder" not in arrays or bytes(arrays["meaning_encoder"]).decode() != encoder.fingerprint:
                raise ValueError("the vectors are of another sentence encoder")
            self._ids, self._texts = arrays["meaning_ids"].copy(), arrays["meaning_texts"].copy()
            self._vectors = arrays["meaning_vectors"].copy()
        self._size = len(self._ids)
        self._place = {question: place for place, question in enumerate(self._ids.tolist())}

    def __len__(self) -> int:
        return self._size

    def __contains__(self, question_id: int) -> bool:
        return question_id in self._place

    def put(self, question_id: int, text: int, title: str, description: str) -> None:
        """text: a hash of title and description: what has not changed is not read again."""
        place = self._place.get(question_id)
        if place is not None and self._texts[place] == text:
            return
        vector = self._encoder.encode(title, description)
        if place is None:
            place = self._size
            self._make_room(place + 1, len(vector))
            self._size += 1
            self._place[question_id] = place
        self._ids[place], self._texts[place], self._vectors[place] = question_id, text, vector

    def forget(self, question_id: int) -> None:
        place = self._place.pop(question_id, None)
        if place is None:
            return
        self._size -= 1
        last = self._size  # takes the free place
        if place != last:
            for array in (self._ids, self._texts, self._vectors):
                array[place] = array[last]
            self._place[int(self._ids[place])] = place
        self._ids[last], self._texts[last], self._vectors[last] = 0, 0, 0.0

    def nearest(self, question: PreparedQuestion) -> list[tuple[int, float]]:
        """(question, likeness) of the decided questions nearest in meaning, those of likeness 0 and less left out."""
        if not self._size:
            return []
        asked = self._encoder.encode(question.question.title, question.question.description)
        quick = self._vectors[: self._size] @ asked
        # Quick numbers differ in their last digits with the place of a row: those that count are worked out again.
        least = -np.inf if self._size <= NEAREST else np.partition(quick, self._size - NEAREST)[self._size - NEAREST]
        some = np.flatnonzero(quick >= least - _CLOSE)
        likeness = np.array([float(row @ asked.astype(np.float64)) for row in self._vectors[some].astype(np.float64)])
        ids = self._ids[some]
        order = np.lexsort((ids, -likeness))[:NEAREST]
        return [(int(ids[place]), float(likeness[place])) for place in order if likeness[place] > 0]

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything it consists of, for storing."""
        return {
            "meaning_encoder": np.frombuffer(self._encoder.fingerprint.encode(), dtype=np.uint8),
            "meaning_ids": self._ids[: self._size].copy(),
            "meaning_texts": self._texts[: self._size].copy(),
            "meaning_vectors": self._vectors[: self._size].copy(),
        }

    def _make_room(self, rows: int, width: int) -> None:
        if rows <= len(self._ids) and self._vectors.shape[1] == width:
            return
        more = max(64, rows + rows // 4)
        ids, texts, vectors = np.zeros(more, np.int64), np.zeros(more, np.uint64), np.zeros((more, width), np.float32)
        if self._size:
            ids[: self._size], texts[: self._size] = self._ids[: self._size], self._texts[: self._size]
            vectors[: self._size] = self._vectors[: self._size]
        self._ids, self._texts, self._vectors = ids, texts, vectors
