r"""Escapes of the export formats: a tag may hold any character, and comes back as it was.

The half that takes them off again is `l2a.data.readers.unescape`, written apart because neither package may import the
other; tests hold them inverse.

Lists in a cell      joined by `|`; `\|` is a bar and `\\` a backslash inside an item. A single item that might be
                     taken for several, because it holds a comma or stands in brackets, gets a `|` at its end.
Spreadsheet cells    one `'` in front of a cell that a spreadsheet would run as a formula, or that begins with `'`.
fastText labels      white space, control characters and `%` as percent-encoded UTF-8.
fastText text        cut into words. `▁` stands in front, which tells such a text from one that is not cut, and for
                     each space of the text itself (`▁t`: a tab); one backslash in front of a word that begins with
                     `▁` or `__label__`, or with backslashes and one of them.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"  # Excel reads the full-width forms alike
LABEL = "__label__"

SPACE = "▁"

_PIECES = re.compile(r"\s|\S+")
_MISTAKABLE = re.compile(rf"\\*(?:{LABEL}|{SPACE})")
_LIKE_SEVERAL = re.compile(r"[,;，；、\[\]{}<>]")
# Characters that end a line, or a word, for one program or another; a byte-order mark in front would be lost.
_BREAKS = re.compile(r"[\n\r\v\f\0\x1c-\x1e\x85\u2028\u2029\ufeff]")
_JSON_BREAKS = re.compile("[\x85\u2028\u2029]")


def join_list(items: Iterable[object]) -> str:
    """Items in one cell."""
    cell = "|".join(escaped := [str(item).replace("\\", "\\\\").replace("|", "\\|") for item in items])
    return f"{cell}|" if len(escaped) == 1 and _LIKE_SEVERAL.search(cell) else cell


def guard(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] and cell[0] in FORMULA_STARTS + "'" else cell


def encode_label(tag: str) -> str:
    """A tag as one fastText word, without the prefix."""
    return "".join(_percent(c) if c == "%" or c.isspace() or unicodedata.category(c) == "Cc" else c for c in tag)


def escape_words(text: str, cut: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """The words of a text for one line, none of which is taken for a label; line breaks become spaces for good."""
    yield SPACE
    for word in cut(_BREAKS.sub(" ", text).strip()):
        for piece in _PIECES.findall(word):
            if piece in " \t":
                yield SPACE if piece == " " else f"{SPACE}t"
            else:
                yield f"\\{piece}" if _MISTAKABLE.match(piece) else piece


def json_text(value: object) -> str:
    """JSON on one line for every program: also for those that break lines at U+2028 or U+0085."""
    return _JSON_BREAKS.sub(_json_escape, json.dumps(value, ensure_ascii=False))


def _json_escape(match: re.Match) -> str:
    return f"\\u{ord(match.group()):04x}"


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))
