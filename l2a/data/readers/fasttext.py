"""Reads fastText's supervised format: `__label__tag __label__tag text`, one question a line, no id."""

import re
from collections.abc import Iterator

from l2a.data.readers.complaints import Complaints
from l2a.data.readers.foreign import check_line, check_text
from l2a.data.readers.source import Source
from l2a.data.readers.unescape import LABEL, decode_label, unescape_text

# fastText's own separators: a full-width space, for one, is part of a word to it.
_BREAK = r"[ \t\v\f\r\0]"
_LABEL_WORD = re.compile(rf"(?<![^ \t\v\f\r\0]){LABEL}([^ \t\v\f\r\0]*){_BREAK}*")


def fasttext_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """(line, fields) of each line; labels count wherever they stand, as they do for fastText."""
    check_text(source)
    for number, line in source.lines(complaints):
        line = line.rstrip("\r\n")
        if not line.strip():
            continue
        tags = [decode_label(label) for label in _LABEL_WORD.findall(line)]
        if not tags:
            check_line(source, number, line)
        text = unescape_text(_LABEL_WORD.sub("", line).strip())
        yield number, {"title": text, "tags": tags}
