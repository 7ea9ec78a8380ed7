"""Reads JSONL: one object a line; only "title" is required."""

import json
from collections.abc import Iterator

from l2a.readers.complaints import Bad
from l2a.readers.doccano import doccano_fields, looks_like_doccano
from l2a.readers.source import Source


def jsonl_rows(source: Source, bad: Bad) -> Iterator[tuple[int, dict]]:
    """(line, object) of each line that is not blank."""
    for number, line in source.lines(bad):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad(number, f"not valid JSON ({error})")
            continue
        if not isinstance(row, dict):
            bad(number, f"a JSON object is expected, not {type(row).__name__}")
            continue
        yield number, row


def jsonl_fields(row: dict) -> dict:
    """The row itself; doccano's files have the same suffix and are told apart row by row."""
    return doccano_fields(row) if looks_like_doccano(row) else row
