"""What a tag sequence may contain: optional rules for the beam search, one object a question.

Off in the paper's configuration. All of them drop hypotheses or narrow the next word; none changes the
probabilities of what is left.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from l2a.text import match_key
from l2a.vocabulary import DELIMITER, END, UNKNOWN


@dataclass(frozen=True)
class Progress:
    """What a hypothesis holds so far."""

    done: tuple[tuple[int, ...], ...] = ()  # complete tags
    current: tuple[int, ...] = ()  # words of the tag being written


class TagTrie:
    """Known tags by their words, so that a search can be kept inside them."""

    def __init__(self, tags_as_words: Iterable[Sequence[str]]):
        self._root: dict = {}
        for words in tags_as_words:
            node = self._root
            for word in words:
                node = node.setdefault(word, {})
            node[None] = True  # a tag may end here

    def next_words(self, words: Sequence[str]) -> tuple[list[str], bool]:
        """Words that continue this beginning of a tag, and whether it is a whole tag already."""
        node = self._root
        for word in words:
            node = node.get(word)
            if node is None:
                return [], False
        return [word for word in node if word is not None], None in node


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
    number: Callable[[str], int] = field(default=int)  # word -> number, for `known_tags`

    @property
    def is_needed(self) -> bool:
        return bool(self.max_tags or self.drop_repeats or self.banned or self.first_tag or self.known_tags)

    def start(self) -> Progress:
        return Progress()

    def allowed(self, memory: Progress) -> list[int] | None:
        written = self._written(memory)
        if len(written) < len(self.first_tag):
            return [self.first_tag[len(written)]]
        if self.known_tags is None:
            return None
        words, is_tag = self.known_tags.next_words([self.spell(number) for number in memory.current])
        numbers = [n for n in map(self.number, words) if n != UNKNOWN]
        if not memory.current:
            return [*numbers, END]
        return [*numbers, DELIMITER] if is_tag else numbers

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
