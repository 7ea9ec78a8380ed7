"""What people said about a question besides its tags: flags and comments, as our own exports keep them.

Many files have a column called comments or flags that means something else. Ours is told by its partner, which says
who: two lists of texts, equally long. Anything else is no note of ours and is left alone.
"""

from typing import TypeGuard

from l2a.data.readers.columns import NOTE_COLUMNS

Notes = tuple[tuple[str, str], ...]  # (who, words)


def notes_in(meta: object) -> dict:
    """The lists of flags and comments in the "meta" of a row."""
    return {name: meta[name] for name in NOTE_COLUMNS if name in meta} if isinstance(meta, dict) else {}


def who_said_what(row: dict, words: str, by: str) -> Notes:
    """Who said what, of a row's two lists; empty where they are not a pair of ours."""
    texts, people = row.get(words), row.get(by)
    if not (_is_texts(texts) and _is_texts(people) and len(texts) == len(people)):
        return ()
    return tuple(zip(people, texts, strict=True))


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
