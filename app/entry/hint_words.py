"""How the words a model read are shown: what it was told besides the question is said to be that."""

from collections.abc import Iterable

from app.shell.session import text
from l2a.text.marks import source_of_mark


def shown_words(words: Iterable[str]) -> tuple[str, ...]:
    """Source words for people: the mark before a hint says where the hint comes from."""
    return tuple(text(f"hint.{source}") if (source := source_of_mark(word)) else word for word in words)
