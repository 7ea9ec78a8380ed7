"""What the model did not read of a long question, in words."""

from typing import TYPE_CHECKING

from app.shell.session import text

if TYPE_CHECKING:
    from l2a.text.codec import Note


def what_was_not_read(note: "Note") -> str:
    key = "pick.characters" if note.kind == "characters" else "pick.words"
    return text(key, read=f"{note.read:,}", total=f"{note.total:,}")
