"""A memory in plain dictionaries that follows the store step by step, as the program's own does."""

from collections.abc import Iterable

from sqlalchemy.orm import Session

from db.ledger import decided_since
from db.ledger.decided_since import Decided
from db.spellings.names import tag_key
from db.tags import memory_names
from db.tags.memory_names import Name


class Follower:
    """Knows what was decided about each question, and all names of tags, up to the last time it caught up."""

    def __init__(self) -> None:
        self.number = self.revision = 0
        self.decided: dict[int, Decided] = {}
        self.names: dict[str, Name] = {}
        self.read = 0  # questions that were looked at again, all in all

    def catch_up(self, session: Session) -> None:
        while lines := decided_since.changes(session, self.number, 5):
            numbers = [line.number for line in lines]
            assert numbers == sorted(set(numbers))
            assert numbers[0] > self.number
            about = {line.question_id for line in lines if line.question_id is not None}
            tags = [line.number for line in lines if line.kind == "tag"]
            about |= decided_since.questions_with(session, decided_since.keys_of(session, tags))
            self._put(decided_since.decided(session, about))
            self.number = numbers[-1]
        assert self.number == decided_since.newest(session)
        self._hear(memory_names.names_since(session, self.revision))

    def _put(self, found: dict[int, Decided | None]) -> None:
        self.read += len(found)
        for question, decided in found.items():
            self.decided.pop(question, None)
            if decided is not None:
                self.decided[question] = decided

    def _hear(self, told: memory_names.TagNames) -> None:
        if told.whole:
            self.names.clear()
        for spelling in told.gone:
            self.names.pop(tag_key(spelling), None)
        self.names.update(by_key(told.rows))
        self.revision = told.revision


def built_anew(session: Session) -> Follower:
    """From the whole ledger, a page at a time."""
    memory, last = Follower(), 0
    while page := decided_since.decided_after(session, last, 2):
        memory._put(decided_since.decided(session, page))
        last = page[-1]
    memory._hear(memory_names.all_names(session))
    memory.number = decided_since.newest(session)
    return memory


def by_key(rows: Iterable[Name]) -> dict[str, Name]:
    return {tag_key(row[0]): row for row in rows}
