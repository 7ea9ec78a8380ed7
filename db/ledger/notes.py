"""Flags and comments: what people say about a question besides its tags, and what of it the store knows already."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.store.free_text import storable
from db.store.tables import Comment, Entry

Said = tuple[str, str]  # who, and the words


@dataclass(frozen=True)
class Notes:
    """What a row of a file brings along."""

    flags: tuple[Said, ...] = ()
    comments: tuple[Said, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.flags or self.comments)

    def of_one(self, name: str) -> tuple[str | None, str]:
        """Flag and comment for one decision of this person; the words of others keep their names."""
        flags = dict.fromkeys(flag for _, flag in self.flags)
        comments = (text if who in ("", name) else f"{who}: {text}" for who, text in self.comments)
        return "; ".join(flags) or None, "\n".join(comments)


NO_NOTES = Notes()


def comments_about(session: Session, question_ids: Iterable[int]) -> dict[int, str]:
    """Entry -> its comment, of all entries about these questions."""
    query = select(Comment.entry_number, Comment.text).join(Entry, Entry.number == Comment.entry_number)
    found = session.execute(query.where(Entry.question_id.in_(list(question_ids)), Comment.text != ""))
    return dict(found.all())


def unknown(session: Session, rows: Mapping[int, Notes]) -> set[int]:
    """The questions whose row holds a flag or a comment that no entry about them has."""
    asked = [question for question, notes in rows.items() if notes]
    if not asked:
        return set()
    flags: dict[int | None, list[str]] = defaultdict(list)
    comments: dict[int | None, list[str]] = defaultdict(list)
    query = (
        select(Entry.question_id, Entry.flag, Comment.text)
        .outerjoin(Comment, Comment.entry_number == Entry.number)
        .where(Entry.question_id.in_(asked))
    )
    for question, flag, comment in session.execute(query):
        flags[question].append(flag or "")
        comments[question].append(comment or "")

    def has(stored: list[str], said: tuple[Said, ...]) -> bool:
        return all(any(storable(words) in one for one in stored) for _, words in said)

    return {
        question
        for question in asked
        if not (has(flags[question], rows[question].flags) and has(comments[question], rows[question].comments))
    }
