"""Words and their numbers, for the source side and the target side (paper section 4.1).

Special symbols have numbers of their own and no spelling: a tag that contains `|` or even `<s>` as text
can never be taken for one of them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

PAD, START, END, DELIMITER, UNKNOWN = range(5)
SPECIALS = ("<pad>", "<s>", "</s>", "|", "<unk>")  # how they are shown, not how they are looked up
FIRST_WORD = len(SPECIALS)


class Vocabulary:
    """An ordered list of words; word number FIRST_WORD + i is `words[i]`."""

    def __init__(self, words: Iterable[str]):
        self.words = tuple(words)
        self._numbers = {word: number for number, word in enumerate(self.words, start=FIRST_WORD)}
        if len(self._numbers) != len(self.words):
            raise ValueError("a vocabulary holds each word once")

    def __len__(self) -> int:
        """Size with the special symbols: the number of rows of an embedding table."""
        return FIRST_WORD + len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._numbers

    def number(self, word: str) -> int:
        """The word's number, or UNKNOWN."""
        return self._numbers.get(word, UNKNOWN)

    def numbers(self, words: Iterable[str]) -> list[int]:
        return [self._numbers.get(word, UNKNOWN) for word in words]

    def word(self, number: int) -> str:
        """The spelling of a word, or how a special symbol is shown."""
        return SPECIALS[number] if number < FIRST_WORD else self.words[number - FIRST_WORD]


def most_frequent(counts: Counter[str], limit: int | None = None, at_least: int = 1) -> list[str]:
    """Words by falling count, then by spelling, so that the same data always gives the same numbers."""
    kept = (item for item in counts.items() if item[1] >= at_least)
    ranked = sorted(kept, key=lambda item: (-item[1], item[0]))
    return [word for word, _ in ranked[:limit]]


def build_vocabularies(
    source_counts: Counter[str],
    target_counts: Counter[str],
    *,
    max_source_words: int,
    max_target_words: int | None = None,
    min_source_count: int = 1,
    shared: bool = False,
) -> tuple[Vocabulary, Vocabulary]:
    """(source, target) vocabularies; sizes include the special symbols, as the paper counts them.

    shared: the source vocabulary begins with the whole target vocabulary, so that one embedding table serves
    both: a word has the same number on both sides, and output words are the table's first rows.
    """
    target = Vocabulary(most_frequent(target_counts, _words_under(max_target_words)))
    source: Sequence[str] = most_frequent(source_counts, None, min_source_count)
    if shared:
        known = set(target.words)
        source = [*target.words, *(word for word in source if word not in known)]
    return Vocabulary(source[: _words_under(max(max_source_words, len(target) if shared else 0))]), target


def _words_under(size: int | None) -> int | None:
    # Never negative: a slice up to -2 would keep all but the last two words.
    return None if size is None else max(0, size - FIRST_WORD)
