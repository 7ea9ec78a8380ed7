"""Questions as rows of word weights, that can be added, taken out, and asked which of them are most like a question.

Flat arrays: a row is never changed, only marked as gone. Most rows are looked up in one large inverted list that is
made for all of them at once; the newest are in small ones, until the large one is made anew. The same rows in any order
give the same answers, to the last bit: likeness is added up word by word in the order of the question that is asked
about, and ties go by the question's number.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix

from l2a.evidence.memory.growing import Growing

_FRESH = 1_000  # rows in the small lists, or
_FRESH_SHARE = 8  # one in so many of all rows, before all are put into the large one


class Nearest(NamedTuple):
    """The rows most like a question, the nearest first."""

    rows: np.ndarray  # (n,) numbers of rows
    likeness: np.ndarray  # (n,) cosines, above 0


class _Lists(NamedTuple):
    """For each word the rows that have it, as one array: those of word i are at starts[i]:starts[i + 1]."""

    starts: np.ndarray
    rows: np.ndarray
    weights: np.ndarray


class Rows:
    """Sparse rows of length one, looked up by word."""

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None):
        """arrays: what `arrays` gave."""
        if not arrays:
            arrays = _EMPTY
        self.ids = Growing(arrays["ids"])  # of the question, a row each
        self._is_there = Growing(np.ones(len(arrays["ids"]), dtype=bool))
        self._starts = Growing(arrays["starts"])
        self._columns = Growing(arrays["columns"])  # numbers of words, of every row, one row after another
        self._weights = Growing(arrays["weights"])
        self._arranged = self._listed = 0  # rows in the large list, and in any
        self._arrange(arrays["words"])

    def __len__(self) -> int:
        """Rows, those that are gone too."""
        return len(self.ids)

    @property
    def there(self) -> np.ndarray:
        """Numbers of the rows that are not gone."""
        return np.flatnonzero(self._is_there.values)

    def add(self, question_id: int, words: Sequence[int], weights: np.ndarray) -> int:
        """The number of the new row."""
        row, columns = len(self), self._find(words)
        for place, word in enumerate(words):
            if columns[place] < 0:
                columns[place] = self._new_words.setdefault(word, len(self._words) + len(self._new_words))
        self.ids.append(question_id)
        self._is_there.append(True)
        self._columns.extend(columns)
        self._weights.extend(weights)
        self._starts.append(len(self._columns))
        return row

    def take_out(self, row: int) -> None:
        self._is_there[row] = False

    def bring_back(self, row: int) -> None:
        self._is_there[row] = True

    def nearest(self, words: Sequence[int], weights: np.ndarray, most: int) -> Nearest:
        """At most so many rows that share a word with the question."""
        self._list_new()
        rows: list[np.ndarray] = [np.zeros(0, np.int32)]
        own: list[np.ndarray] = [np.zeros(0, np.float32)]
        sizes = []
        for column in self._find(words):
            size = 0
            for some, theirs in self._having(column):
                rows.append(some)
                own.append(theirs)
                size += len(some)
            sizes.append(size)
        found = (np.concatenate(own), np.concatenate(rows), np.cumsum([0, *sizes], dtype=np.int32))
        likeness = csc_matrix(found, shape=(len(self), len(sizes))) @ weights.astype(np.float32)
        likeness[~self._is_there.values] = 0
        return self._best(likeness, most)

    def _having(self, column: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """The rows with this word, and its weight in them."""
        found = []
        if 0 <= column < len(self._words):
            begin, end = self._large.starts[column], self._large.starts[column + 1]
            found.append((self._large.rows[begin:end], self._large.weights[begin:end]))
        if column in self._small:
            rows, weights = self._small[column]
            found.append((np.frombuffer(rows, dtype=np.int32), np.frombuffer(weights, dtype=np.float32)))
        return found

    def _best(self, likeness: np.ndarray, most: int) -> Nearest:
        found = np.flatnonzero(likeness > 0)
        if len(found) > most:
            least = np.partition(likeness[found], len(found) - most)[len(found) - most]
            found = found[likeness[found] >= least]
        order = np.lexsort((self.ids.values[found], -likeness[found]))[:most]
        return Nearest(found[order], likeness[found[order]].astype(np.float64))

    def matrix(self, rows: np.ndarray) -> csr_matrix:
        """These rows, (n, words that any of them has)."""
        columns, weights, pointers = self._of(rows)
        # Words are numbered anew, in the order in which they come: all of the store's would make the matrix wide.
        first = np.zeros(len(self._words) + len(self._new_words), dtype=np.int32)
        places = np.arange(len(columns), dtype=np.int32)
        first[columns[::-1]] = places[::-1]  # of the same word the last one is written: here the first place
        is_first = first[columns] == places
        number = np.cumsum(is_first, dtype=np.int32) - 1
        numbered = number[first[columns]]
        shape = (len(rows), int(is_first.sum()))
        return csr_matrix((weights.astype(np.float64), numbered, pointers), shape=shape)

    def _of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Columns and weights of these rows, one row after another, and where each begins."""
        starts = self._starts.values
        begin, size = starts[rows], starts[rows + 1] - starts[rows]
        ends = np.cumsum(size)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - (ends - size), size)
        pointers = np.concatenate([[0], ends]).astype(np.int64)
        return self._columns.values[places], self._weights.values[places], pointers

    # --- words and their lists --------------------------------------------------------------------------------------

    def _find(self, words: Sequence[int]) -> list[int]:
        """The column of each word; -1 for one that no row has."""
        hashes = np.array(words, dtype=np.uint32)
        places = np.searchsorted(self._words, hashes)
        known = np.zeros(len(hashes), dtype=bool)
        inside = places < len(self._words)
        known[inside] = self._words[places[inside]] == hashes[inside]
        pairs = zip(words, places.tolist(), known.tolist(), strict=True)
        return [place if is_known else self._new_words.get(word, -1) for word, place, is_known in pairs]

    def _all_words(self) -> np.ndarray:
        """A column each."""
        return np.concatenate([self._words, np.fromiter(self._new_words, np.uint32, len(self._new_words))])

    def _list_new(self) -> None:
        """Have all rows in one of the lists: asked for by who looks something up, so that many can be added at once."""
        if len(self) - self._arranged > max(_FRESH, len(self) // _FRESH_SHARE):
            self._arrange(self._all_words())
        for row in range(self._listed, len(self)):
            begin, end = self._starts[row], self._starts[row + 1]
            pairs = zip(self._columns[begin:end].tolist(), self._weights[begin:end].tolist(), strict=True)
            for column, weight in pairs:
                rows, own = self._small.setdefault(column, (array("i"), array("f")))
                rows.append(row)
                own.append(weight)
        self._listed = len(self)

    def _arrange(self, words: np.ndarray) -> None:
        """Put all rows into the large list, the words in order of their hashes, without those that no row has."""
        columns, size = self._columns.values, len(self)
        used = np.zeros(len(words), dtype=bool)
        used[columns] = True
        order = np.argsort(words, kind="stable")
        order = order[used[order]]
        place = np.zeros(len(words), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        self._words = words[order]
        self._columns = Growing(place[columns])
        entries = (self._weights.values, self._columns.values, self._starts.values)
        lists = csr_matrix(entries, shape=(size, len(order))).tocsc()
        self._large = _Lists(lists.indptr.astype(np.int64), lists.indices.astype(np.int32, copy=False), lists.data)
        self._new_words: dict[int, int] = {}  # hash -> column, of words that came since
        self._small: dict[int, tuple[array, array]] = {}  # column -> rows that came since, and their weights
        self._arranged = self._listed = size

    # --- kept on disk -----------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """The rows that are there, without those that are gone, in their order."""
        there = self.there
        if len(there) == len(self):
            columns, weights, starts = self._columns.values, self._weights.values, self._starts.values
        else:
            columns, weights, starts = self._of(there)
        return {
            "ids": self.ids.values[there],
            "starts": starts,
            "columns": columns,
            "weights": weights,
            "words": self._all_words(),
        }


_EMPTY: dict[str, np.ndarray] = {
    "ids": np.zeros(0, np.int64),
    "starts": np.zeros(1, np.int64),
    "columns": np.zeros(0, np.int32),
    "weights": np.zeros(0, np.float32),
    "words": np.zeros(0, np.uint32),
}
