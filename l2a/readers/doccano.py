"""Reads doccano's JSONL: `{"id", "text", "label": [...]}`, with title and description in "meta" if it is our export."""

from l2a.errors import InputError


def looks_like_doccano(row: dict) -> bool:
    return "title" not in row and isinstance(row.get("text"), str)


def doccano_fields(row: dict) -> dict:
    """The fields of a question; a row that was not exported here has its whole text as title.

    Raises InputError for labels on spans of the text: they say nothing about the question as a whole.
    """
    meta = row.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    text = row.get("text", row.get("data"))  # some versions of doccano call it "data"
    if text is None:
        raise InputError(f'a doccano row needs "text"; it has {", ".join(row) or "nothing"}')
    labels = row.get("label", row.get("labels"))
    labels = [labels] if isinstance(labels, str) else labels or []
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise InputError('"label" must be a list of strings; labels on parts of the text cannot be read')
    return {
        "id": meta.get("external_id") or row.get("id"),
        "title": meta.get("title", text),
        "description": meta.get("description"),
        "source": meta.get("source"),
        "tags": labels,
    }
