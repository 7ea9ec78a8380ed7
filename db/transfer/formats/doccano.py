"""doccano's JSONL for text classification, with title and history in "meta"."""

from db.store.records import LabelledQuestion
from db.transfer.formats.base import Format, full_text, history
from db.transfer.formats.json_lines import JsonLinesWriter


class DoccanoWriter(JsonLinesWriter):
    def values(self, row: LabelledQuestion) -> dict[str, object]:
        return {
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


DOCCANO = Format(
    name="doccano",
    suffix=".jsonl",
    media_type="application/jsonl",
    escape="JSON's own escapes keep every character.",
    columns=("id", "text", "label", "meta"),
    open=DoccanoWriter,
)
