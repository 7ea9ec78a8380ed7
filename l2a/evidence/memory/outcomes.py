"""What was decided about each row: the tags it was given and those it was refused, and how often each was."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np

from l2a.evidence.arrays import name_arrays, read_names
from l2a.evidence.memory.names import Names
from l2a.evidence.memory.pairs import Pairs
from l2a.text.cleaning import match_key

_Taken = tuple[tuple[int, ...], tuple[int, ...], dict[int, str]]


class Outcomes:
    """Tags by row. A tag has a number; spellings with one matching key are one tag, called as most rows spell it."""

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None):
        """arrays: what `arrays` gave."""
        names = read_names(arrays) if arrays else []
        odd = arrays["odd"].tolist() if arrays else []
        self._first = names[: len(names) - len(odd)]  # the spelling that each number was made for
        self.tags = list(self._first)
        self._number_of = {match_key(tag): number for number, tag in enumerate(self._first)}
        same = list(range(len(self._first)))  # equal numbers are one object, which saves most of the room
        self.given, self.rejected = (_read_sets(arrays, name, same) for name in ("given", "rejected"))
        self._times: Counter[int] = Counter(tag for tags in self.given for tag in tags)
        self._pairs = Pairs(self.given)
        # Of tags that are spelled in several ways: rows with another spelling than the first, and all its spellings.
        self._odd: dict[int, dict[int, str]] = {}
        self._spelled: dict[int, Counter[str]] = {}
        self.names = Names()  # of tags that a row has
        self._read_odd(odd, names[len(self._first) :])
        for tag in self._times:
            self.names.add(self.tags[tag], self.tags[tag])

    def put(self, row: int, tags: Sequence[str], rejected: Sequence[str]) -> None:
        """In the place of what was known about the row; the first time for the next row."""
        if row < len(self.given):
            self.take_out(row)
        else:
            self.given.append(())
            self.rejected.append(())
        odd: dict[int, str] = {}
        given, refused = (tuple(sorted({self._make(tag, odd) for tag in some})) for some in (tags, rejected))
        self.bring_back(row, (given, refused, odd))

    def take_out(self, row: int) -> _Taken:
        """What was decided; from now on the row has nothing."""
        taken = self.given[row], self.rejected[row], self._odd.pop(row, {})
        self._count(*taken, -1)
        self.given[row] = self.rejected[row] = ()
        return taken

    def bring_back(self, row: int, taken: _Taken) -> None:
        self.given[row], self.rejected[row], odd = taken
        if odd:
            self._odd[row] = odd
        self._count(*taken, 1)

    def number(self, tag: str) -> int | None:
        return self._number_of.get(match_key(tag))

    def times_given(self, tag: str) -> int:
        number = self.number(tag)
        return 0 if number is None else self._times.get(number, 0)

    def times_together(self, tag: str, other: str) -> int:
        one, two = self.number(tag), self.number(other)
        return 0 if one is None or two is None or one == two else self._pairs.times(one, two)

    def _make(self, tag: str, odd: dict[int, str]) -> int:
        """The tag's number; in `odd` how it is spelled, where that is not as the first time."""
        number = self._number_of.setdefault(match_key(tag), len(self.tags))
        if number == len(self.tags):
            self.tags.append(tag)
            self._first.append(tag)
        elif tag != self._first[number]:
            odd[number] = tag
            if number not in self._spelled:
                self._spelled[number] = Counter({self._first[number]: self._uses(number)})
        return number

    def _uses(self, number: int) -> int:
        """Rows that name a tag; asked once for a tag that is spelled in a second way."""
        both = zip(self.given, self.rejected, strict=True)
        return sum((number in given) + (number in refused) for given, refused in both)

    def _count(self, given: Collection[int], refused: Collection[int], odd: Mapping[int, str], change: int) -> None:
        if self._spelled:
            for number in (*given, *refused):
                if number in self._spelled:
                    self._spelled[number][odd.get(number, self._first[number])] += change
                    self._choose_name(number)
        self._pairs.count(tuple(given), change)
        for number in given:
            self._times[number] += change
            if not self._times[number]:  # nobody has it any more: its name must not hide a shorter one
                del self._times[number]
                self.names.remove(self.tags[number])
            elif change > 0 and self._times[number] == 1:
                self.names.add(self.tags[number], self.tags[number])

    def _choose_name(self, number: int) -> None:
        """The spelling that most rows have; of equal ones the first in order."""
        used = [(-times, spelling) for spelling, times in self._spelled[number].items() if times > 0]
        if not used:
            return
        name = min(used)[1]
        if name != self.tags[number]:
            self.tags[number] = name
            if number in self._times:
                self.names.add(name, name)

    # --- kept on disk -----------------------------------------------------------------------------------------------

    def arrays(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Of these rows, with the tags that they name and no others."""
        wanted = rows.tolist()
        given, refused = [self.given[row] for row in wanted], [self.rejected[row] for row in wanted]
        used = sorted({tag for sets in (given, refused) for tags in sets for tag in tags})
        place = {tag: number for number, tag in enumerate(used)}
        names = [self._first[tag] for tag in used]
        odd = []
        for number, row in enumerate(wanted):
            for tag, spelling in self._odd.get(row, {}).items():
                odd.append((number, place[tag]))
                names.append(spelling)
        return {
            **name_arrays(names),
            **_set_arrays(given, "given", place),
            **_set_arrays(refused, "rejected", place),
            "odd": np.array(odd, dtype=np.int32).reshape(len(odd), 2),  # row and tag; the last names are its spellings
        }

    def _read_odd(self, odd: Sequence[tuple[int, int]], spellings: Sequence[str]) -> None:
        for (row, tag), spelling in zip(odd, spellings, strict=True):
            self._odd.setdefault(row, {})[tag] = spelling
        for tag in {tag for _, tag in odd}:
            self._spelled[tag] = Counter({self._first[tag]: self._uses(tag)})
        for row, spelled in self._odd.items():
            for tag, spelling in spelled.items():
                times = (tag in self.given[row]) + (tag in self.rejected[row])
                self._spelled[tag].update({spelling: times, self._first[tag]: -times})
        for tag in self._spelled:
            self._choose_name(tag)


def _set_arrays(sets: Sequence[Collection[int]], name: str, place: Mapping[int, int]) -> dict[str, np.ndarray]:
    return {
        name: np.array([place[tag] for tags in sets for tag in tags], dtype=np.int32),
        f"{name}_starts": np.cumsum([0, *map(len, sets)], dtype=np.int32),
    }


def _read_sets(arrays: Mapping[str, np.ndarray] | None, name: str, numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """What `_set_arrays` made."""
    if not arrays:
        return []
    flat = [numbers[tag] for tag in arrays[name].tolist()]
    return [tuple(flat[begin:end]) for begin, end in pairwise(arrays[f"{name}_starts"].tolist())]
