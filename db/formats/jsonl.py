"""JSONL: one object a line with everything that is known about the labels."""

from db.formats.base import COLUMNS, Format, StreamWriter, plain_values
from db.formats.escape import json_text
from db.records import LabelledQuestion


class JsonlWriter(StreamWriter):
    def write(self, row: LabelledQuestion) -> None:
        self._stream.write(json_text(plain_values(row)).encode("utf-8") + b"\n")


JSONL = Format(
    name="jsonl",
    suffix=".jsonl",
    media_type="application/jsonl",
    escape="JSON's own escapes keep every character.",
    columns=COLUMNS,
    open=JsonlWriter,
)
