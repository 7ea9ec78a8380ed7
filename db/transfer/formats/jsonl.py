"""JSONL: one object a line with everything that is known about the labels."""

from db.store.records import LabelledQuestion
from db.transfer.formats.base import COLUMNS, Format, plain_values
from db.transfer.formats.json_lines import JsonLinesWriter


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
