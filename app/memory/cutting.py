"""Cuts questions into words for memory, on several cores: by far the most of what a rebuild takes.

Other processes import this module: it brings along what cuts, and nothing else.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np

from l2a.bulk.processes import in_order
from l2a.evidence.memory.decisions import Memory, Vector, cut
from l2a.evidence.memory.word_table import WordTable
from l2a.text.segmenter import Segmenter


class Text(Protocol):
    @property
    def title(self) -> str: ...
    @property
    def description(self) -> str: ...


SomeText = TypeVar("SomeText", bound=Text)


def with_vectors(
    pages: Iterable[Sequence[SomeText]], memory: Memory, processes: int
) -> Iterator[tuple[Sequence[SomeText], Sequence[Vector | None]]]:
    """Each page with its texts cut; None where memory does that itself, which it does where one process is enough."""
    if processes <= 1:
        for page in pages:
            yield page, [None] * len(page)
        return
    under_way: deque[Sequence[SomeText]] = deque()

    def texts() -> Iterator[list[tuple[str, str]]]:
        for page in pages:
            under_way.append(page)
            yield [(one.title, one.description) for one in page]

    for vectors in in_order(_cutter, (memory.segmenter.words, memory.table.arrays), texts(), processes):
        yield under_way.popleft(), vectors


def _cutter(given: tuple[Sequence[str], Mapping[str, np.ndarray]]) -> Callable[[list[tuple[str, str]]], list[Vector]]:
    words, table = Segmenter(given[0]), WordTable(given[1])
    return lambda texts: [cut(table, words, *text) for text in texts]
