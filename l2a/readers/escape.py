r"""Takes off what the export's writers put on, so that a tag may hold any character; the other half is in `db`.

Lists in a cell      joined by `|`; `\|` is a bar and `\\` a backslash inside a tag. A backslash before anything else
                     is a backslash, as in files that know no escape.
Spreadsheet cells    one `'` in front of a cell that a spreadsheet would run as a formula.
fastText labels      percent-encoded UTF-8 (`%20`); a percent sign without two hexadecimal digits is a percent sign.
fastText text        one backslash in front of a word of the text that begins with `__label__`.
"""

import re

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"  # Excel reads the full-width forms alike
LABEL = "__label__"

_ITEM_END_OR_ESCAPE = re.compile(r"\\([\\|])|\|")
_PERCENT_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPED_WORD = re.compile(rf"(?<!\S)\\(?=\\*{LABEL})")


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


def unguard(cell: str) -> str:
    """The cell without the apostrophe that keeps a spreadsheet from running it; other apostrophes stay."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] and cell[1] in FORMULA_STARTS + "'" else cell


def decode_label(label: str) -> str:
    """The tag behind a fastText label; percent codes that are not UTF-8 stay as they are."""
    return _PERCENT_RUN.sub(_decode_run, label)


def unescape_text(text: str) -> str:
    """A fastText line's text with its own `__label__` words as they were."""
    return _ESCAPED_WORD.sub("", text)


def _decode_run(match: re.Match) -> str:
    try:
        return bytes.fromhex(match.group().replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match.group()
