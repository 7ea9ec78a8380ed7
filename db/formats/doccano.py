"""doccano's JSONL for text classification, with title and history in "meta"."""

from db.formats.base import Format, StreamWriter, full_text, history
from db.formats.escape import json_text
from db.records import LabelledQuestion


class DoccanoWriter(StreamWriter):
    def write(self, row: LabelledQuestion) -> None:
        values = {
            "id": row.question_id,
            "text": full_text(row),
            "label": list(row.tags),
            "meta": {
                "title": row.title,
                "description": row.description,
                "source": row.source,
                "external_id": row.external_id,
                **history(row),
            },
        }
        self._stream.write(json_text(values).encode("utf-8") + b"\n")


DOCCANO = Format(
    name="doccano",
    suffix=".jsonl",
    media_type="application/jsonl",
    escape="JSON's own escapes keep every character.",
    columns=("id", "text", "label", "meta"),
    open=DoccanoWriter,
)
