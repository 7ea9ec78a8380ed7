"""A flat array that grows at its end: a few large arrays take less room than millions of small objects."""

from collections.abc import Sequence

import numpy as np

_ROOM = 1.25  # times what is needed: twice as much would lie idle for long


class Growing:
    """What was read of it before stays as it was when more comes; what is changed in place changes there as well."""

    def __init__(self, values: np.ndarray):
        self._all = values
        self._size = len(values)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int | slice):
        return self._all[place]

    def __setitem__(self, place: int, value) -> None:
        self._all[place] = value

    @property
    def values(self) -> np.ndarray:
        return self._all[: self._size]

    def append(self, value) -> None:
        self.extend((value,))

    def extend(self, values: Sequence | np.ndarray) -> None:
        end = self._size + len(values)
        if end > len(self._all):
            roomy = np.zeros(max(64, int(_ROOM * end)), dtype=self._all.dtype)
            roomy[: self._size] = self.values
            self._all = roomy
        self._all[self._size : end] = values
        self._size = end
