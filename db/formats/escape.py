r"""Escapes of the export formats: a tag may hold any character, and comes back as it was.

The half that takes them off again is `l2a.readers.escape`, written apart because neither package may import the other;
tests hold them inverse.

Lists in a cell      joined by `|`; `\|` is a bar and `\\` a backslash inside an item.
Spreadsheet cells    one `'` in front of a cell that a spreadsheet would run as a formula, or that begins with `'`.
fastText labels      white space, control characters and `%` as percent-encoded UTF-8.
fastText text        one backslash in front of a word of the text that begins with `__label__`, or with backslashes and
                     `__label__`.
"""

import json
import re
import unicodedata
from collections.abc import Iterable

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"  # Excel reads the full-width forms alike
LABEL = "__label__"

_LABEL_WORD = re.compile(rf"(?<!\S)(?=\\*{LABEL})")
# Characters that end a line, or a word, for one program or another; a byte-order mark in front would be lost.
_BREAKS = re.compile(r"[\n\r\v\f\0\x1c-\x1e\x85\u2028\u2029\ufeff]")
_JSON_BREAKS = re.compile("[\x85\u2028\u2029]")


def join_list(items: Iterable[object]) -> str:
    """Items in one cell."""
    return "|".join(str(item).replace("\\", "\\\\").replace("|", "\\|") for item in items)


def guard(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] and cell[0] in FORMULA_STARTS + "'" else cell


def encode_label(tag: str) -> str:
    """A tag as one fastText word, without the prefix."""
    return "".join(_percent(c) if c == "%" or c.isspace() or unicodedata.category(c) == "Cc" else c for c in tag)


def escape_text(text: str) -> str:
    """A text on one line of which no word is taken for a label; line breaks become spaces for good."""
    return _LABEL_WORD.sub(r"\\", _BREAKS.sub(" ", text).strip())


def json_text(value: object) -> str:
    """JSON on one line for every program: also for those that break lines at U+2028 or U+0085."""
    return _JSON_BREAKS.sub(_json_escape, json.dumps(value, ensure_ascii=False))


def _json_escape(match: re.Match) -> str:
    return f"\\u{ord(match.group()):04x}"


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))
