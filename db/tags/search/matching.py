"""Finding a tag while it is being typed: by name or alias, in hanzi, pinyin or initials, traditional or simplified.

The tags stand best first in three columns of text (`db.tags.search.text`), so that the first hits of a class are its
best:

* written: every spelling by `tag_key`, and its simplified forms where they differ;
* squeezed: the same without spaces, punctuation and accents, which is what letters are read against;
* heard: the most common pinyin of every spelling with hanzi, for typing errors only.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from db.tags.names import tag_key
from db.tags.search import pinyin
from db.tags.search.text import Column, Forms, block, forms_of, squeeze_text, union
from db.tags.search.typos import edited, edits_allowed

ACTIVE = "active"
MAX_QUERY = 500  # characters; the rest of a longer query is not looked at
MAX_TYPED = 120  # letters; a longer query is not read as pinyin
_CHUNK = 256  # places looked at in one go, until there are tags enough


@dataclass(frozen=True, slots=True)
class TagEntry:
    """What the index is built from: a tag as the store knows it."""

    tag_id: int
    name: str
    aliases: tuple[str, ...] = ()
    status: str = ACTIVE  # active, deprecated or merged
    uses: int = 0


@dataclass(frozen=True, slots=True)
class TagMatch:
    """A tag that was found, and by which of its spellings."""

    tag_id: int
    name: str
    matched: str  # the name or the alias
    how: str  # exact, prefix, substring, pinyin, initials or typo
    status: str
    uses: int
    score: float  # higher is better; to be compared within one answer only


class TagForms(NamedTuple):
    """What a tag is searched by: the forms of all its spellings in each of the three columns."""

    written: list[str]
    squeezed: list[str]
    heard: list[str]


class _Class(NamedTuple):
    """A way to match: every match of a higher level stands above every match of a lower one."""

    level: float
    how: str


_EXACT_NAME = _Class(22, "exact")
_EXACT_ALIAS = _Class(21, "exact")
_SIMPLIFIED_NAME = _Class(20, "exact")  # the same but for traditional forms
_SIMPLIFIED_ALIAS = _Class(19, "exact")
_PREFIX = _Class(18, "prefix")
_LOOSE_WHOLE = _Class(17, "prefix")  # "iphone15" for "iPhone 15"
_LOOSE_PREFIX = _Class(16, "prefix")
_SUBSTRING = _Class(15, "substring")
_LOOSE_SUBSTRING = _Class(14, "substring")
_INSIDE_WORD = _Class(13, "substring")  # "dy" in "lady"
# Each by where it is read: the whole form, its start, further in.
_PINYIN = _Class(12, "pinyin"), _Class(11, "pinyin"), _Class(10, "pinyin")
_RARE_PINYIN = _Class(9, "pinyin"), _Class(8, "pinyin"), _Class(7, "pinyin")  # 台 as yi
_INITIALS = _Class(6, "initials"), _Class(5, "initials"), _Class(4, "initials")
_TYPO_LEVEL = 4.0  # less the cost of the error, which is from 0.25 up to 3.75
_ALIKE_COSTS = (0.5, 0.75, 1.0)  # of other hanzi of the same sound: the whole form, its start, further in
_HEARD_COST = 0.25  # on top of the edits when sounds are compared, not spellings


class _Hit(NamedTuple):
    """A tag, by its row, and the place of the text that matched; no column stands for the name."""

    kind: _Class
    row: int
    column: Column | None = None
    place: int = 0


class TagIndex:
    """An index over tags that never changes, so that any number of threads may search it.

    revision: the caller's number for the state of the tags; the index only keeps it.
    Of several entries with one tag_id the last counts.
    """

    def __init__(self, entries: Iterable[TagEntry], revision: int = 0):
        self.revision = revision
        self._tags = sorted({entry.tag_id: entry for entry in entries}.values(), key=_order)
        blocks = _blocks(self._tags)
        self._written = Column.of("".join(written for written, _ in blocks))
        self._squeezed = self._written.squeezed()
        self._heard = Column.of("".join(heard for _, heard in blocks))
        self._ids = np.array([tag.tag_id for tag in self._tags], np.int64)

    def __len__(self) -> int:
        return len(self._tags)

    def updated(self, changed: Iterable[TagEntry], removed: Iterable[int], revision: int) -> "TagIndex":
        """A new index: without the removed tags, then with the changed ones added or put in place of the old.

        The text of all other tags is taken over as it stands; this index stays as it is.
        """
        new = TagIndex(changed)
        gone = np.flatnonzero(np.isin(self._ids, np.array([*removed, *new._ids], np.int64)))
        cuts = [(row, 1, 0) for row in gone.tolist()]
        cuts += [(bisect_left(self._tags, _order(tag), key=_order), 0, row) for row, tag in enumerate(new._tags)]
        pieces: list[tuple[TagIndex, int, int]] = []
        done = 0
        for row, skipped, new_row in sorted(cuts):
            pieces.append((self, done, row))
            done = row + skipped
            if not skipped:
                pieces.append((new, new_row, new_row + 1))
        pieces.append((self, done, len(self)))

        index = TagIndex.__new__(TagIndex)
        index.revision = revision
        index._tags = []
        for source, first, last in pieces:
            index._tags += source._tags[first:last]
        index._written = Column.join([(source._written, first, last) for source, first, last in pieces])
        index._squeezed = Column.join([(source._squeezed, first, last) for source, first, last in pieces])
        index._heard = Column.join([(source._heard, first, last) for source, first, last in pieces])
        index._ids = np.concatenate([source._ids[first:last] for source, first, last in pieces])
        return index

    def forms(self) -> Iterator[tuple[int, TagForms]]:
        """Every tag's number with its forms, best tags first."""
        columns = (self._written.forms(), self._squeezed.forms(), self._heard.forms())
        for tag, *forms in zip(self._tags, *columns, strict=True):
            yield tag.tag_id, TagForms(*forms)

    def search(self, query: str, limit: int = 10, *, include_deprecated: bool = True) -> list[TagMatch]:
        """The tags that match, best first, each once; the most used ones for an empty query.

        By class: exact name, exact alias, prefix, substring, pinyin, initials, typing errors. Within a class active
        tags come first, then the more used, then the shorter name. A query in Latin letters may be a word or pinyin:
        unless it is a tag itself, words then leave two places in five to readings, if there are any, so that "dy" shows
        电影 among all the ladies. Typing errors are looked for if places are left and the query itself is no tag.
        """
        rows = len(self) if include_deprecated else bisect_left(self._tags, True, key=_is_retired)
        key = tag_key(query[:MAX_QUERY])
        if limit <= 0 or not rows:
            return []
        if not key:
            return self._matches([_Hit(_PREFIX, row) for row in range(min(limit, rows))])
        forms = forms_of([key])[0]
        typed = squeeze_text(forms.characters)
        found = _Found(rows, limit)
        self._find_text(found, key, forms.distinct)
        hits = found.hits
        is_tag = any(hit.kind.how == "exact" for hit in hits)
        if any(map(pinyin.is_letter, typed)) and len(typed) <= MAX_TYPED:
            has_hanzi = not typed.replace("ü", "u").isascii()
            words = min(len(hits), limit if has_hanzi or is_tag else limit - limit * 2 // 5)
            readings = _Found(rows, limit - words, found.rows)
            self._find_readings(readings, typed)
            hits = hits[: limit - len(readings.hits)] + readings.hits
            found.rows |= readings.rows
        if len(hits) < limit and not is_tag:
            typos = _Found(rows, limit - len(hits), found.rows)
            self._find_typos(typos, typed)
            hits = hits + typos.hits
        return self._matches(hits)

    def _find_text(self, found: "_Found", key: str, forms: Sequence[str]) -> None:
        """Exact, prefix and substring, as written and then as squeezed."""
        whole, start, further, inside = _sort_out(self._written, forms)
        exact = []
        for row, place in zip(self._written.row_of(whole).tolist(), whole.tolist(), strict=True):
            if row < found.last_row:  # all of them: a less used tag of this very name is better than an alias
                hit = _Hit(_EXACT_NAME, row, self._written, place)
                exact.append(hit._replace(kind=self._exactness(hit, key)))
        found.add(sorted(exact, key=lambda hit: (-hit.kind.level, hit.row)))
        squeezed = list(dict.fromkeys(filter(None, (squeeze_text(form).replace("ü", "u") for form in forms))))
        loose_whole, loose_start, loose_further, loose_inside = _sort_out(self._squeezed, squeezed)
        for kind, column, places in (
            (_PREFIX, self._written, start),
            (_LOOSE_WHOLE, self._squeezed, loose_whole),
            (_LOOSE_PREFIX, self._squeezed, loose_start),
            (_SUBSTRING, self._written, further),
            (_LOOSE_SUBSTRING, self._squeezed, loose_further),
            (_INSIDE_WORD, self._written, inside),
            (_INSIDE_WORD, self._squeezed, loose_inside),
        ):
            found.add(found.new(kind, column, places))

    def _exactness(self, hit: _Hit, key: str) -> _Class:
        spelling = self._spelling(hit)
        is_name = spelling == self._tags[hit.row].name
        if tag_key(spelling) == key:
            return _EXACT_NAME if is_name else _EXACT_ALIAS
        return _SIMPLIFIED_NAME if is_name else _SIMPLIFIED_ALIAS

    def _find_readings(self, found: "_Found", typed: str) -> None:
        """Pinyin by common readings, by all, then initials; from the start of a word on."""
        column = self._squeezed
        words = column.locate(typed.replace("ü", "u"))
        places = pinyin.first_places(column.codes, column.word_starts, typed)
        for kinds, rare, initials in ((_PINYIN, False, False), (_RARE_PINYIN, True, False), (_INITIALS, False, True)):
            if found.full or (initials and len(typed) < 2):
                return
            ways = [
                reading._replace(starts=np.setdiff1d(reading.starts, words, assume_unique=True))
                if reading.length == len(typed)  # where the letters stand themselves, they are a word and no reading
                else reading
                for reading in pinyin.read(column.codes, places, typed, rare=rare, initials=initials)
            ]
            for kind, where in zip(kinds, _sort_readings(column, ways), strict=True):
                found.add(found.new(kind, column, where))

    def _find_typos(self, found: "_Found", typed: str) -> None:
        """Hanzi of the same sound, and forms a few edits away in spelling or in sound."""
        errors: list[_Hit] = []
        column = self._squeezed
        sound = pinyin.sounds().usual(typed)
        if sound and 2 <= len(typed) <= MAX_TYPED:
            places = pinyin.first_places(column.codes, column.word_starts, typed, alike=True)
            ways = pinyin.read(column.codes, places, typed, alike=True)
            for cost, where in zip(_ALIKE_COSTS, _sort_readings(column, ways), strict=True):
                errors += found.new(_typo(cost), column, where)
        spelled = typed.replace("ü", "u")
        for cost, where in edited(column, spelled, edits_allowed(spelled), found.last_row):
            errors += found.new(_typo(cost), column, where)
        heard = spelled.replace("v", "u") if spelled.isascii() else sound if len(typed) > 2 else ""
        for cost, where in edited(self._heard, heard, edits_allowed(heard, heard=True), found.last_row):
            errors += found.new(_typo(cost + _HEARD_COST), self._heard, where)
        found.add(sorted(errors, key=lambda hit: (-hit.kind.level, hit.row)))

    def _spelling(self, hit: _Hit) -> str:
        """The name or the alias that a hit lies in."""
        tag = self._tags[hit.row]
        if hit.column is None or not tag.aliases:
            return tag.name
        spellings = zip((tag.name, *tag.aliases), _forms_by_spelling([tag])[0], strict=True)
        if hit.column is self._heard:
            owners = [spelling for spelling, forms in spellings if _sound(forms)]
        else:
            owners = [spelling for spelling, forms in spellings for _ in forms.distinct]
        return owners[hit.column.form_of(hit.row, hit.place)]

    def _matches(self, hits: Sequence[_Hit]) -> list[TagMatch]:
        matches = []
        for hit in hits:
            tag = self._tags[hit.row]
            uses = max(tag.uses, 0)
            score = hit.kind.level + 0.1 * (tag.status == ACTIVE) + 0.1 * uses / (uses + 1000)
            found = TagMatch(tag.tag_id, tag.name, self._spelling(hit), hit.kind.how, tag.status, tag.uses, score)
            matches.append(found)
        return matches


class _Found:
    """The tags found so far, each once, up to a limit; those whose rows are given are left out."""

    def __init__(self, last_row: int, limit: int, rows: Iterable[int] = ()):
        self.hits: list[_Hit] = []
        self.rows = set(rows)
        self.last_row = last_row
        self._limit = limit

    @property
    def full(self) -> bool:
        return len(self.hits) >= self._limit

    def add(self, hits: Iterable[_Hit]) -> None:
        for hit in hits:
            if self.full:
                return
            if hit.row not in self.rows:
                self.rows.add(hit.row)
                self.hits.append(hit)

    def new(self, kind: _Class, column: Column, places: np.ndarray) -> list[_Hit]:
        """A hit for each of the first tags that ascending places lie in, as many as are still wanted."""
        new: dict[int, _Hit] = {}
        wanted = self._limit - len(self.hits)
        for start in range(0, len(places), _CHUNK):
            chunk = places[start : start + _CHUNK]
            for row, place in zip(column.row_of(chunk).tolist(), chunk.tolist(), strict=True):
                if len(new) >= wanted or row >= self.last_row:
                    return list(new.values())
                if row not in self.rows and row not in new:
                    new[row] = _Hit(kind, row, column, place)
        return list(new.values())


def _typo(cost: float) -> _Class:
    return _Class(_TYPO_LEVEL - cost, "typo")


def _sort_out(column: Column, needles: Sequence[str]) -> list[np.ndarray]:
    """Where a needle is a whole form, starts one, stands further in, or starts inside a word; each ascending."""
    sorted_out: list[list[np.ndarray]] = [[], [], [], []]
    for needle in needles:
        places = column.locate(needle)
        starts = column.at_start(places)
        whole = starts & column.at_end(places, len(needle))
        inside = ~column.word_starts[places]
        for kind, mask in enumerate((whole, starts & ~whole, ~starts & ~inside, ~starts & inside)):
            sorted_out[kind].append(places[mask])
    return [union(places) for places in sorted_out]


def _sort_readings(column: Column, ways: Sequence[pinyin.Reading]) -> list[np.ndarray]:
    """Where readings cover a whole form, start one, or stand further in; each ascending."""
    sorted_out: list[list[np.ndarray]] = [[], [], []]
    for reading in ways:
        starts = column.at_start(reading.starts)
        whole = starts & column.at_end(reading.starts, reading.length) & reading.whole
        for kind, mask in enumerate((whole, starts & ~whole, ~starts)):
            sorted_out[kind].append(reading.starts[mask])
    return [union(places) for places in sorted_out]


def _order(tag: TagEntry) -> tuple:
    """Smaller is better: active before the others, more used first, then the shorter name."""
    return (_is_retired(tag), -tag.uses, len(tag.name), tag.name, tag.tag_id)


def _is_retired(tag: TagEntry) -> bool:
    return tag.status != ACTIVE


def _forms_by_spelling(tags: Sequence[TagEntry]) -> list[list[Forms]]:
    """For each tag the forms of its name, then of each of its aliases."""
    forms = iter(forms_of([tag_key(spelling) for tag in tags for spelling in (tag.name, *tag.aliases)]))
    return [[next(forms) for _ in range(1 + len(tag.aliases))] for tag in tags]


def _blocks(tags: Sequence[TagEntry]) -> list[tuple[str, str]]:
    """Each tag as it stands in the written and in the heard column."""
    blocks = []
    for spellings in _forms_by_spelling(tags):
        written = [form for forms in spellings for form in forms.distinct]
        blocks.append((block(written), block([sound for sound in map(_sound, spellings) if sound])))
    return blocks


def _sound(forms: Forms) -> str:
    return pinyin.sounds().usual(forms.words)
