"""An error's text in the reader's language. Errors are raised in English; app/shell/texts/errors.py has the Chinese."""

import string
from dataclasses import dataclass
from functools import cache

from app.shell.texts import errors

DEPTH = 6  # a complaint in a complaint in ...: no deeper, whatever a text looks like


def said(error: object, language: str) -> str:
    """What an error or a message says, in `language`; a text that the catalogue does not know stays as it is."""
    if hasattr(error, "in_language") and str(error) != error.in_language(language):
        return error.in_language(language)
    return _in_chinese(str(error), DEPTH)[1] if language == "zh" else str(error)


def _in_chinese(text: str, depth: int) -> tuple[int, str]:
    """How many characters of the text the catalogue knows, and the text in Chinese.

    Several templates may fit: "q.csv, line 3: 'a' is not a tag" is that of a bad line as well as that of a bad tag with
    a long name. The reading that leaves the least unknown counts.
    """
    best = (0, text)
    for template in _templates() if depth else ():
        values = template.match(text)
        if values is None:
            continue
        known = template.known
        for number in template.nested:
            more, values[number] = _in_chinese(values[number], depth - 1)
            known += more
        if known > best[0]:
            best = (known, template.chinese.format(*values))
    return best


@dataclass(frozen=True)
class _Template:
    words: tuple[str, ...]  # what stands before, between and after the blanks: one more than there are blanks
    blanks: tuple[int, ...]  # their numbers; what is said twice has the same number twice
    chinese: str
    nested: frozenset[int]  # the blanks that are said in Chinese themselves

    @property
    def known(self) -> int:
        return sum(map(len, self.words))

    def match(self, text: str) -> list[str] | None:
        """What fills the blanks, by their numbers; None if the text is not of this template.

        Each blank ends at the first place where the words after it are found. Unlike a regular expression this never
        goes back, so that no text, however long and odd, takes more than one pass.
        """
        if not self.blanks:
            return [] if text == self.words[0] else None
        first, *between, last = self.words
        end = len(text) - len(last)
        if not text.startswith(first) or not text.endswith(last) or end < len(first):
            return None
        place = len(first)
        values: dict[int, str] = {}
        for blank, words in zip(self.blanks, [*between, None], strict=True):
            stop = end if words is None else text.find(words, place, end)
            if stop < 0 or values.setdefault(blank, text[place:stop]) != text[place:stop]:
                return None
            place = stop + len(words or "")
        return [values[number] for number in sorted(values)]


@cache
def _templates() -> tuple[_Template, ...]:
    return tuple(_parsed(english, chinese) for english, chinese in errors.TEXTS.items())


def _parsed(english: str, chinese: str) -> _Template:
    words, blanks = [""], []
    for literal, blank, _, _ in string.Formatter().parse(english):
        words[-1] += literal
        if blank is not None:
            blanks.append(int(blank))
            words.append("")
    nested = frozenset(int(blank) for _, blank, how, _ in string.Formatter().parse(chinese) if how == errors.NESTED)
    return _Template(tuple(words), tuple(blanks), chinese.replace(f":{errors.NESTED}}}", "}"), nested)
