"""Reads JSONL: one object a line; only "title" is required."""

import json
from collections.abc import Iterator, Set

from l2a.data.readers.complaints import LABEL_NAMES, Complaints
from l2a.data.readers.doccano import LABEL_FIELDS, doccano_fields, looks_like_doccano
from l2a.data.readers.foreign import check_markup, check_row
from l2a.data.readers.source import Source
from l2a.data.readers.unescape import check_items
from l2a.data.size_limits import is_too_deep
from l2a.messages import Message


def jsonl_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """(line, object) of each line that is not blank."""
    for number, row in _objects(source, complaints):
        _name_unread(row, LABEL_FIELDS if looks_like_doccano(row) else {"tags"}, complaints)
        yield number, row


def doccano_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """The same for a file of which one knows that it is doccano's."""
    for number, row in _objects(source, complaints):
        _name_unread(row, LABEL_FIELDS, complaints)
        yield number, row


def _name_unread(row: dict, read: Set[str], complaints: Complaints) -> None:
    names = LABEL_NAMES & row.keys()
    if names - read:
        complaints.name_unread(name for name in names - read if row[name])


def _objects(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    check_markup(source)
    for number, line in source.lines(complaints):
        if not line.strip():
            continue
        if is_too_deep(line, source.limits.depth):
            complaints.add(number, Message("row.too_deep", {"depth": source.limits.shown_depth}))
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            complaints.add(number, Message("row.no_json", {"reason": str(error)}))
            continue
        if not isinstance(row, dict):
            complaints.add(number, Message("row.no_object", {"kind": type(row).__name__}))
            continue
        check_row(source, "line", number, row)
        yield number, row


def jsonl_fields(row: dict) -> dict:
    """The row itself; doccano's files have the same suffix and are told apart row by row.

    Raises InputError for tags that are none.
    """
    if looks_like_doccano(row):
        return doccano_fields(row)
    check_items(row.get("tags"))
    check_items(row.get("rejected"))
    return row
