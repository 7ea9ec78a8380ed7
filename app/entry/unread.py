"""What the model did not read of a long question, in words."""

from app.shell.session import text
from l2a.messages import Message


def what_was_not_read(note: Message) -> str:
    key = "pick.characters" if note.code == "question.long_text" else "pick.words"
    return text(key, read=f"{note.values['read']:,}", total=f"{note.values['total']:,}")
