"""Reads doccano's JSONL: `{"id", "text", "label": [...]}`, with title and description in "meta" if it is our export."""

from l2a.data.readers.columns import shown_names
from l2a.data.readers.notes import notes_in
from l2a.data.readers.unescape import check_items
from l2a.errors import InputError

LABEL_FIELDS = frozenset(("label", "labels"))


def looks_like_doccano(row: dict) -> bool:
    return "title" not in row and isinstance(row.get("text"), str)


def doccano_fields(row: dict) -> dict:
    """The fields of a question; a row that was not exported here has its whole text as title.

    Raises InputError for labels on spans of the text, which say nothing about the question as a whole, and for labels
    that are none.
    """
    meta = row.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    text = row.get("text", row.get("data"))  # some versions of doccano call it "data"
    if text is None:
        raise InputError("row.doccano_no_text", names=shown_names(row))
    labels = row.get("label", row.get("labels"))
    labels = [labels] if isinstance(labels, str) else labels or []
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise InputError("row.doccano_labels")
    check_items(labels)
    return {
        "id": meta.get("external_id") or row.get("id"),
        "title": meta.get("title", text),
        "description": meta.get("description"),
        "source": meta.get("source"),
        "tags": labels,
        **notes_in(meta),
    }
