"""Keys that a person presses for a question on the page Annotate, with suggestions and without.

The rule. A right tag that is shown takes its digit; or `A` accepts all that are kept, and each tag that it got wrong
(its digit, once more, rejects what is accepted) or left out takes a digit, where that is less. A right tag that is not
shown takes `/`, letters and Enter. Enter submits. Without suggestions every tag is typed. A wrong tag that stays
untouched takes nothing. (The board keeps its search open after a tag and needs an Enter to leave it: that is a key more
than the rule for a question with one tag to type, as many for two, one less for three.)

Letters are the initials of the tag's pinyin, as many as it takes until the search offers the tag first. Of tags whose
initials begin so, that one is first which has no others; then the one given to more questions; then the one that the
model was trained with more often; then the shorter one. A tag that is not first after all its initials takes an arrow
key for each one before it, or its whole pinyin where that is less. A tag that nobody knows yet takes its whole pinyin.
Latin letters and digits are typed as they stand, spaces and punctuation not at all.

This is a small model of the tag search, which the engine may not import (db/tags/search): no aliases, no second
readings, no typing errors, and an input method that needs no key beyond the pinyin.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from l2a.suggestions import Suggestions
from l2a.text.cleaning import match_key

BESIDES = 2  # `/` and Enter, for a tag that is typed
_TYPED_PUNCTUATION = frozenset("#%&*@")  # C# is not C


class TagSearch:
    """The tags that can be found, as of one moment."""

    def __init__(self, trained: Mapping[str, int], given: Mapping[str, int], listed: Iterable[str] = ()):
        """trained: tag -> times it was among the model's labels. given: matching key -> times people gave it so far."""
        labels: Counter[str] = Counter()
        for tag, times in trained.items():
            labels[match_key(tag)] += times

        def order(key: str) -> tuple:
            return -given.get(key, 0), -labels[key], len(key), key

        known = labels.keys() | given.keys() | set(map(match_key, listed))
        self._initials = {key: initials(key) for key in sorted(known, key=order)}
        self._whole: dict[str, list[str]] = {}  # all initials of a tag -> the tags that have just these, in their order
        self._first: dict[str, str] = {}  # initials that a tag begins with -> the first of such tags
        for key, letters in self._initials.items():
            self._whole.setdefault(letters, []).append(key)
            for length in range(1, len(letters) + 1):
                self._first.setdefault(letters[:length], key)

    def keys(self, tag: str) -> int:
        """From `/` to Enter."""
        key = match_key(tag)
        whole = len(pinyin(key))
        letters = self._initials.get(key)
        if letters is None:
            return whole + BESIDES
        for length in range(1, len(letters) + 1):
            if self._first_for(letters[:length]) == key:
                return length + BESIDES
        return min(len(letters) + self._whole[letters].index(key), whole) + BESIDES

    def _first_for(self, letters: str) -> str:
        return self._whole[letters][0] if letters in self._whole else self._first[letters]


def keys_without(tags: Sequence[str], search: TagSearch) -> int:
    """For a question that nothing is suggested for."""
    return sum(search.keys(tag) for tag in _distinct(tags).values()) + 1


def keys_with(answer: Suggestions, tags: Sequence[str], search: TagSearch) -> int:
    """For a question with these right tags."""
    return keys_for({tag.tag: tag.kept for tag in answer.shown}, tags, search)


def keys_for(shown: Mapping[str, bool], tags: Sequence[str], search: TagSearch) -> int:
    """shown: tag -> whether it is kept. tags: the right ones."""
    right = _distinct(tags)
    shown = {match_key(tag): kept for tag, kept in shown.items()}
    one_by_one = sum(key in right for key in shown)
    at_once = 1 + sum((key in right) != kept for key, kept in shown.items())
    choosing = min(one_by_one, at_once) if any(shown.values()) else one_by_one
    return choosing + sum(search.keys(tag) for key, tag in right.items() if key not in shown) + 1


@cache
def initials(key: str) -> str:
    """What finds a tag when a letter is typed for each hanzi. key: its matching key."""
    from pypinyin import Style

    return _letters(key, Style.FIRST_LETTER)


@cache
def pinyin(key: str) -> str:
    """What writes a tag."""
    from pypinyin import Style

    return _letters(key, Style.NORMAL)


def _letters(key: str, style) -> str:
    from pypinyin import lazy_pinyin

    written = "".join(lazy_pinyin(key, style=style))
    return "".join(c for c in written if c in _TYPED_PUNCTUATION or unicodedata.category(c)[0] not in "ZP") or written


def _distinct(tags: Sequence[str]) -> dict[str, str]:
    return {match_key(tag): tag for tag in tags}
