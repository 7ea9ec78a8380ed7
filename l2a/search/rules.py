"""What a tag sequence may contain: optional rules for the beam search, one object a question.

Off in the paper's configuration. All of them drop hypotheses or narrow the next word; none changes the
probabilities of what is left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from l2a.text.cleaning import match_key
from l2a.text.vocabulary import DELIMITER, END, UNKNOWN


@dataclass(frozen=True)
class Progress:
    """What a hypothesis holds so far."""

    done: tuple[tuple[int, ...], ...] = ()  # complete tags
    current: tuple[int, ...] = ()  # words of the tag being written


@dataclass
class _Node:
    """A beginning of known tags."""

    words: dict[str, "_Node"] = field(default_factory=dict)  # that continue it
    is_tag: bool = False
    # Of the words that have a number, in their order; looked up when a search first comes here: few beginnings are met.
    numbers: list[int] | None = None


class TagTrie:
    """Known tags by their words, so that a search can be kept inside them.

    number: word -> number, or UNKNOWN. It is the same for all questions, so each word is numbered once.
    """

    def __init__(self, tags_as_words: Iterable[Sequence[str]], number: Callable[[str], int] = int):
        self._number = number
        self._root = _Node()
        for words in tags_as_words:
            node = self._root
            for word in words:
                node = node.words.setdefault(word, _Node())
            node.is_tag = True

    def following(self, words: Iterable[str], extra: Mapping[str, int]) -> tuple[list[int], bool]:
        """Numbers of the words that continue this beginning of a tag, and whether it is a whole tag already.

        extra: numbers that one question gives to words which have none.
        """
        node = self._root
        for word in words:
            if word not in node.words:
                return [], False
            node = node.words[word]
        if node.numbers is None:
            node.numbers = [number for number in map(self._number, node.words) if number != UNKNOWN]
        return [*node.numbers, *(number for word, number in extra.items() if word in node.words)], node.is_tag


@dataclass(frozen=True)
class TagRules:
    """Rules of one question, in its own numbers. `is_label`: every symbol is a whole tag."""

    is_label: bool = False
    max_tags: int | None = None
    drop_repeats: bool = False
    banned: frozenset[str] = frozenset()  # matching keys: other spellings and other cuts into words are meant too
    first_tag: tuple[int, ...] = ()  # numbers every hypothesis must begin with, the delimiter included
    known_tags: TagTrie | None = None
    spell: Callable[[int], str] = field(default=str)  # number -> word, for `banned` and `known_tags`
    extra: Mapping[str, int] = field(default_factory=dict)  # words that have a number in this question only
    _known: dict[tuple[int, ...], list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def is_needed(self) -> bool:
        return bool(self.max_tags or self.drop_repeats or self.banned or self.first_tag or self.known_tags)

    def start(self) -> Progress:
        return Progress()

    def allowed(self, memory: Progress) -> list[int] | None:
        """The very same list for beams that write on from the same beginning: most of them are at that of a tag, where
        thousands of words may follow."""
        written = self._written(memory) if self.first_tag else ()
        if len(written) < len(self.first_tag):
            return [self.first_tag[len(written)]]
        if self.known_tags is None:
            return None
        if memory.current not in self._known:
            numbers, is_tag = self.known_tags.following(map(self.spell, memory.current), self.extra)
            ends = [END] if not memory.current else [DELIMITER] * is_tag
            self._known[memory.current] = numbers + ends
        return self._known[memory.current]

    def advance(self, memory: Progress, symbol: int) -> Progress | None:
        if symbol == END:
            return memory
        if self.max_tags is not None and len(memory.done) >= self.max_tags:
            return None
        if self.is_label:
            return self._complete(memory.done, (symbol,))
        if symbol == DELIMITER:
            return self._complete(memory.done, memory.current)
        return Progress(memory.done, (*memory.current, symbol))

    def _complete(self, done: tuple[tuple[int, ...], ...], tag: tuple[int, ...]) -> Progress | None:
        if not tag or self._is_banned(tag) or (self.drop_repeats and tag in done):
            return None
        return Progress((*done, tag))

    def _is_banned(self, tag: tuple[int, ...]) -> bool:
        return bool(self.banned) and match_key("".join(map(self.spell, tag))) in self.banned

    def _written(self, memory: Progress) -> list[int]:
        ends = [] if self.is_label else [DELIMITER]
        return [number for tag in memory.done for number in (*tag, *ends)] + list(memory.current)
