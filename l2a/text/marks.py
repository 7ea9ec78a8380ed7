"""Marks: source words that are of no text. One stands before each thing the network is told besides the question.

    在 河北 师范 大学 上学 是 ... ‹listed 3› 河北 师范 大学 ‹near 2› 大学 生活

A mark names who speaks and how far such words are to be trusted. The segmenter never makes such a word, and no search
writes one: it is said to the network, not to people.
"""

import re

_MARK = re.compile(r"‹(\w+) (\d)›")


def make_mark(source: str, strength: int) -> str:
    return f"‹{source} {strength}›"


def source_of_mark(word: str) -> str | None:
    """Who speaks, or None for a word that is no mark."""
    found = _MARK.fullmatch(word)
    return found[1] if found else None


def is_mark(word: str) -> bool:
    return _MARK.fullmatch(word) is not None
