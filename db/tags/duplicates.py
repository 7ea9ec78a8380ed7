"""Tags that are likely the same: by how they are written, how they sound, and on which questions they stand.

Nobody compares every tag with every other: tags are put together by what they share (a simplified form, a spelling
without spaces, a reading, a question), so the work grows with the number of tags, and of decisions read no more than
the newest QUESTIONS.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from db.ledger.history import last_number
from db.ledger.replay import POSITIVE
from db.spellings.view import TagView
from db.store.engine import Store
from db.store.settings import tags_gone
from db.store.tables import Entry, Tag, Verdict
from db.tags import distinct as tag_distinct
from db.tags.search.index import TagSearch
from db.tags.search.matching import TagEntry, TagIndex

# The surest first: traditional and simplified, spaces and punctuation, one wrong letter, same questions, same sound.
REASONS = ("script", "spelling", "typo", "questions", "pinyin")
MAX_PAIRS = 1_000
KEPT_PAIRS = 5_000  # among which those are that people said are none
EACH_WITH_EACH = 6  # tags that share something; of more, each is compared with the most used one only
SHORTEST_TYPO = 6  # letters: a shorter word is soon another one
QUESTIONS = 20_000  # decided ones that are looked at, the newest
MANY_TAGS = 10  # a question with more says little about two of them
SHARED, ALIKE = 3, 0.8  # questions that two tags share at least, and which part of all that either has
FEW_TAGS = 5_000  # are compared again after every change
CHANGES = 50  # of more tags, and lines of the ledger, until all are compared again

NEW = 0  # stands for a name that is no tag yet; the numbers of tags begin at 1
CANDIDATES = 20  # tags that a search finds for such a name, among which those are that look like it

Found = dict[tuple[int, int], set[str]]  # (better, other) -> reasons


@dataclass(frozen=True)
class Pair:
    """Two tags by their numbers, the better one (active, more used) first."""

    first: int
    second: int
    reasons: tuple[str, ...]
    shared: int = 0  # questions with both tags, of
    together: int = 0  # questions with either; both only where that is a reason


class DuplicateSearch:
    """What is likely the same in a store; one for all threads of a process. Works when asked, and keeps the answer."""

    def __init__(self, store: Store, tag_search: TagSearch):
        self._store = store
        self._tag_search = tag_search
        self._lock = threading.Lock()
        self._pairs: list[Pair] = []
        self._state: tuple[int, int] | None = None  # the tags' revision, and the newest entry that was read

    def find(self) -> list[Pair]:
        """At most MAX_PAIRS, the surest first, without those that people said are different."""
        with self._lock:
            index = self._tag_search.index()
            with self._store.read() as session:
                newest = last_number(session)
                if self._state is None or self._is_stale(session, index, newest, *self._state):
                    self._pairs = likely(index, _same_questions(session))
                    self._state = (index.revision, newest)
                merged = set(_changed(session, self._state[0], Tag.status == "merged"))
                distinct = tag_distinct.pairs(session)
            left = (
                pair
                for pair in self._pairs
                if merged.isdisjoint((pair.first, pair.second))
                and tuple(sorted((pair.first, pair.second))) not in distinct
            )
            return list(islice(left, MAX_PAIRS))

    @staticmethod
    def _is_stale(session: Session, index: TagIndex, newest: int, revision: int, last_read: int) -> bool:
        """Whoever goes through the duplicates of very many tags does not wait for all to be compared after each."""
        if newest >= last_read + CHANGES:
            return True
        if index.revision == revision:
            return False
        if tags_gone(session) > revision:
            return True
        return len(index) <= FEW_TAGS or len(_changed(session, revision)) > CHANGES


def _changed(session: Session, revision: int, *conditions) -> list[int]:
    """Tags that changed since a revision."""
    return list(session.scalars(select(Tag.id).where(Tag.revision > revision, *conditions)))


def likely(index: TagIndex, shared: dict[tuple[int, int], tuple[int, int]]) -> list[Pair]:
    """Pairs by spelling, sound and questions (`shared`: pair -> questions with both, with either); the surest first."""
    places: dict[int, int] = {}  # of each tag, the best first
    scripts, spellings, typos = defaultdict(list), defaultdict(list), defaultdict(list)
    heard: dict[str, list[int]] = defaultdict(list)
    latin: dict[str, list[int]] = defaultdict(list)
    words: dict[int, list[str]] = {}
    for place, (tag_id, forms) in enumerate(index.forms()):
        places[tag_id] = place
        for form in forms.written:
            scripts[form].append(tag_id)
        for form in set(forms.squeezed):
            spellings[form].append(tag_id)
            if form.isascii():
                latin[form].append(tag_id)
                if form.isalpha() and len(form) >= SHORTEST_TYPO:
                    words.setdefault(tag_id, []).append(form)
                    for shorter in _with_one_less(form):
                        typos[shorter].append(tag_id)
        if any(len(form) > 1 for form in forms.squeezed):  # a single hanzi sounds like too many
            for sound in set(forms.heard):
                heard[sound].append(tag_id)
    found: Found = defaultdict(set)
    _join(found, "script", scripts.values(), places)
    _join(found, "spelling", spellings.values(), places)
    for better, other in _pairs(typos.values(), places):
        if any(_one_error(a, b) for a in words[better] for b in words[other]):
            found[better, other].add("typo")
    sounds = (tag_ids + latin.get(sound, []) for sound, tag_ids in heard.items())
    _join(found, "pinyin", sounds, places)
    for one, other in shared:
        if one in places and other in places:
            found[_in_order(one, other, places)].add("questions")
    ranked = sorted(found.items(), key=lambda item: _rank(item[0], item[1], places))[:KEPT_PAIRS]
    return [_pair(pair, reasons, shared) for pair, reasons in ranked]


def like_name(search: TagSearch, name: str) -> list[tuple[str, str]]:
    """Tags that are likely what a name means that is no tag yet, each with the reason; the surest first."""
    matches = search.search(name, CANDIDATES)
    entries = [TagEntry(m.tag_id, m.name, tuple({m.matched} - {m.name}), m.status, m.uses) for m in matches]
    names = {match.tag_id: match.name for match in matches}
    pairs = likely(TagIndex([TagEntry(NEW, name), *entries]), {})
    other = [({pair.first, pair.second} - {NEW}, pair.reasons[0]) for pair in pairs if NEW in (pair.first, pair.second)]
    return [(names[tag_id], reason) for (tag_id,), reason in other]


def _pair(pair: tuple[int, int], reasons: set[str], shared: dict[tuple[int, int], tuple[int, int]]) -> Pair:
    surest = next(reason for reason in REASONS if reason in reasons)
    # What is written alike is also spelled, mistyped and read alike: only the surest of these says something.
    named = tuple(reason for reason in REASONS if reason in reasons and reason in (surest, "questions"))
    if surest == "questions" and "pinyin" in reasons:
        named += ("pinyin",)
    return Pair(*pair, named, *shared.get((min(pair), max(pair)), (0, 0)))


def _rank(pair: tuple[int, int], reasons: set[str], places: dict[int, int]) -> tuple:
    """By the surest reason, then more reasons first, then by how used both are."""
    surest = min(map(REASONS.index, reasons))
    return surest, "questions" not in reasons, places[pair[1]], places[pair[0]]


def _join(found: Found, reason: str, groups: Iterable[list[int]], places: dict[int, int]) -> None:
    for pair in _pairs(groups, places):
        found[pair].add(reason)


def _pairs(groups: Iterable[list[int]], places: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs of tags that share something, each in order; a large group is compared with its best tag only."""
    for group in groups:
        if len(group) < 2:
            continue
        ordered = sorted(set(group), key=places.__getitem__)
        if len(ordered) <= EACH_WITH_EACH:
            yield from combinations(ordered, 2)
        else:
            yield from ((ordered[0], other) for other in ordered[1:])


def _in_order(one: int, other: int, places: dict[int, int]) -> tuple[int, int]:
    return (one, other) if places[one] < places[other] else (other, one)


def _with_one_less(word: str) -> set[str]:
    """The word, and the word without any one of its letters: words with one error between them share one of these."""
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


def _one_error(one: str, other: str) -> bool:
    """Whether a letter is wrong, missing or too many, or two neighbours are swapped; nothing else differs."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    return max(len(left), len(right)) == 1 or (len(left) == 2 and left == right[::-1])


def _same_questions(session: Session) -> dict[tuple[int, int], tuple[int, int]]:
    """Pairs of tags, the smaller number first -> on how many decided questions both stand, and either."""
    later = aliased(Entry)
    stands = ~select(later.number).where(later.target == Entry.number).exists()  # neither taken back nor replaced
    decided = select(Entry.number, Entry.question_id).where(Entry.kind.in_(("decision", "review")), stands)
    newest = decided.order_by(Entry.number.desc()).limit(QUESTIONS).subquery()
    rows = session.execute(
        select(newest.c.question_id, Verdict.key)
        .join(Verdict, Verdict.entry_number == newest.c.number)
        .where(Verdict.verdict.in_(POSITIVE))
    ).all()
    view = TagView(session)
    view.load({row.key for row in rows})
    tags: dict[int, set[int]] = defaultdict(set)
    for question, key in rows:
        if (tag := view.tag_id(key)) is not None:
            tags[question].add(tag)
    return _often_together(tags.values())


def _often_together(questions: Iterable[set[int]]) -> dict[tuple[int, int], tuple[int, int]]:
    alone: Counter[int] = Counter()
    both: Counter[tuple[int, int]] = Counter()
    for tags in questions:
        alone.update(tags)
        if len(tags) <= MANY_TAGS:
            both.update(combinations(sorted(tags), 2))
    found = {}
    for pair, shared in both.items():
        either = alone[pair[0]] + alone[pair[1]] - shared
        if shared >= SHARED and shared >= ALIKE * either:
            found[pair] = (shared, either)
    return found
