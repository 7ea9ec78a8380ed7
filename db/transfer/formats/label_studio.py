"""Label Studio's JSON: an array of tasks with one annotation each, one task a line."""

from db.store.records import LabelledQuestion
from db.transfer.formats.base import Cut, Format, Sink, StreamWriter, full_text, history
from db.transfer.formats.escape import json_text


class LabelStudioWriter(StreamWriter):
    """Tasks for a project with `<Choices name="tags" toName="text" choice="multiple">`.

    Who annotated stands in "meta": Label Studio would look up "completed_by" among its own users.
    """

    def __init__(self, stream: Sink, cut: Cut):
        super().__init__(stream, cut)
        stream.write(b"[")
        self._separator = b"\n"

    def write(self, row: LabelledQuestion) -> None:
        choices = {"from_name": "tags", "to_name": "text", "type": "choices", "value": {"choices": list(row.tags)}}
        task = {
            "id": row.question_id,
            "data": {
                "title": row.title,
                "description": row.description,
                "text": full_text(row),
                "source": row.source,
                "external_id": row.external_id,
            },
            "annotations": [{"result": [choices] if row.tags else []}],
            "meta": history(row),
        }
        self._stream.write(self._separator + json_text(task).encode("utf-8"))
        self._separator = b",\n"

    def close(self) -> None:
        self._stream.write(b"\n]\n")


LABEL_STUDIO = Format(
    name="label-studio",
    suffix=".json",
    media_type="application/json",
    escape="JSON's own escapes keep every character.",
    columns=("id", "data", "annotations", "meta"),
    open=LabelStudioWriter,
)
