"""Questions of the store by number or by words, for pages where a person looks for one."""

from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from db.store.tables import Question

MAX_WORDS = 8  # each is one more condition of the query
LARGEST_ID = 2**63 - 1


@dataclass(frozen=True)
class FoundQuestion:
    id: int
    title: str
    description: str


def find_questions(session: Session, words: str = "", limit: int = 20) -> list[FoundQuestion]:
    """Questions with all of `words` in title or description, oldest first; a number's own question before them.

    No words: the first questions of the store. Redacted ones have no text to look for or at and are left out.
    """
    found = []
    number = words.strip()
    if number.isascii() and number.isdigit() and int(number) <= LARGEST_ID:
        found += _read(session, [Question.id == int(number)], 1)
    conditions = [
        or_(Question.title.icontains(word, autoescape=True), Question.description.icontains(word, autoescape=True))
        for word in words.split()[:MAX_WORDS]
    ]
    found += [question for question in _read(session, conditions, limit) if question not in found]
    return found[:limit]


def _read(session: Session, conditions: list, limit: int) -> list[FoundQuestion]:
    rows = session.execute(
        select(Question.id, Question.title, Question.description)
        .where(Question.redacted_at.is_(None), *conditions)
        .order_by(Question.id)
        .limit(limit)
    )
    return [FoundQuestion(*row) for row in rows]
