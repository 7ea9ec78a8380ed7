r"""Takes off what the export's writers put on, so that a tag may hold any character; the other half is in `db`.

Lists in a cell      joined by `|`; `\|` is a bar and `\\` a backslash inside a tag. A backslash before anything else
                     is a backslash, as in files that know no escape. One tag alone that might be several, because it
                     holds a comma or stands in brackets, has a `|` at its end.
Spreadsheet cells    one `'` in front of a cell that a spreadsheet would run as a formula.
fastText labels      percent-encoded UTF-8 (`%20`); a percent sign without two hexadecimal digits is a percent sign.
fastText text        one backslash in front of a word of the text that begins with `__label__`. A text that begins with
                     the word `▁` is cut into words: `▁` is a space and `▁t` a tab of the text itself, other words join
                     without one, and words that begin with `▁` have a backslash in front too.
"""

import re

from l2a.errors import InputError

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"  # Excel reads the full-width forms alike
LABEL = "__label__"

_ITEM_END_OR_ESCAPE = re.compile(r"\\([\\|])|\|")
# What separates or encloses the items of lists in files that know no bar: commas, and lists written as text.
_SEPARATORS = re.compile(r"[,;，；、]")
_ENCLOSED = re.compile(r"""\s*(?:\[\s*(?:['"].*)?\]|\{.*['"].*\}|<.*>)\s*""", re.DOTALL)
_LIST_AS_TEXT = re.compile(r"""\s*(?:\[\s*(?:(['"]).*\1\s*)?\]|\{\s*(['"])choices\2\s*:.*\})\s*""", re.DOTALL)
_PERCENT_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPED_WORD = re.compile(rf"(?<!\S)\\(?=\\*{LABEL})")
SPACE = "▁"
_WORD_ENDS = re.compile(r"[ \t\v\f\r\0]+")  # fastText's own: a full-width space, for one, is part of a word to it
_ESCAPED_PIECE = re.compile(rf"\\(?=\\*(?:{LABEL}|{SPACE}))")


def split_list(cell: str) -> list[str]:
    """The items of a cell, in order; items that are blank are no items."""
    items = [""]
    end = 0
    for match in _ITEM_END_OR_ESCAPE.finditer(cell):
        items[-1] += cell[end : match.start()]
        if match.group(1):
            items[-1] += match.group(1)
        else:
            items.append("")
        end = match.end()
    items[-1] += cell[end:]
    return [item for item in items if item.strip()]


def split_tags(cell: str) -> list[str]:
    """The tags of a cell; raises InputError for one without a bar that looks like a list of another kind."""
    if not _ITEM_END_OR_ESCAPE.search(cell):
        if _ENCLOSED.fullmatch(cell):
            raise InputError("row.tags_as_text", cell=_shortened(cell))
        if _SEPARATORS.search(cell):
            raise InputError("row.tags_with_commas", cell=_shortened(cell))
    return split_list(cell)


def is_list_as_text(text: str) -> bool:
    """Whether a text is a list as programs write it: `['a', 'b']`, `["a"]`, `[]`, `{"choices": ["a"]}`."""
    return _LIST_AS_TEXT.fullmatch(text) is not None


def check_items(tags: object) -> None:
    """Raises InputError for a list with an item that is a whole list, written as text.

    A comma in an item is part of the tag's name: the list itself says where each tag ends.
    """
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, str) and is_list_as_text(tag):
            raise InputError("row.tag_as_text", tag=_shortened(tag))


def _shortened(cell: str, longest: int = 40) -> str:
    cell = " ".join(cell.split())
    return cell if len(cell) <= longest else f"{cell[:longest]}…"


def unguard(cell: str) -> str:
    """The cell without the apostrophe that keeps a spreadsheet from running it; other apostrophes stay."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] and cell[1] in FORMULA_STARTS + "'" else cell


def decode_label(label: str) -> str:
    """The tag behind a fastText label; percent codes that are not UTF-8 stay as they are."""
    return _PERCENT_RUN.sub(_decode_run, label)


def unescape_text(text: str) -> str:
    """A fastText line's text as it was: uncut if an export cut it, its own `__label__` words without their escape."""
    first, *words = _WORD_ENDS.split(text)
    if first == SPACE:
        return "".join(map(_join_piece, words))
    return _ESCAPED_WORD.sub("", text)


def _join_piece(word: str) -> str:
    if word.startswith(SPACE):
        return "\t" if word == f"{SPACE}t" else " "
    return _ESCAPED_PIECE.sub("", word, count=1) if _ESCAPED_PIECE.match(word) else word


def _decode_run(match: re.Match) -> str:
    try:
        return bytes.fromhex(match.group().replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match.group()
