"""How the words a model read are shown: what its retriever added to a question is said to be that."""

from collections.abc import Iterable

from app.shell.session import text


def shown_words(words: Iterable[str]) -> tuple[str, ...]:
    """Source words for people: the mark before a hint says where the hint comes from."""
    from l2a.evidence.retriever import MARKS

    return tuple(text(f"hint.{MARKS[word]}") if word in MARKS else word for word in words)
