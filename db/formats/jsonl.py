"""JSONL: one object a line with everything that is known about the labels."""

from db.formats.base import COLUMNS, Format, plain_values
from db.formats.json_lines import JsonLinesWriter
from db.records import LabelledQuestion


class JsonlWriter(JsonLinesWriter):
    def values(self, row: LabelledQuestion) -> dict[str, object]:
        return plain_values(row)


JSONL = Format(
    name="jsonl",
    suffix=".jsonl",
    media_type="application/jsonl",
    escape="JSON's own escapes keep every character.",
    columns=COLUMNS,
    open=JsonlWriter,
)
