"""Where names come up that are no tag yet: the titles of open and recent questions, and what is likely of a name."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, func, select, union
from sqlalchemy.orm import Session

from db.ledger.labels import settle_all
from db.spellings.names import tag_key
from db.spellings.view import TagView, parts
from db.store.clock import read_clock
from db.store.tables import Entry, Question, QueueItem, Tag

MOST = 50_000  # questions of a window
SHORTEST_END = 2  # characters of a tag's name that ends another name
LOOKED_AT = 200  # questions with a name, the newest, for what is said about them
SHARED = 2  # of these questions have a tag at least, and at least half of those that are decided


@dataclass(frozen=True)
class RecentTitle:
    question_id: int
    title: str
    created_at: datetime


def recent_titles(session: Session, days: float, most: int = MOST) -> list[RecentTitle]:
    """Questions that are open, or came in or were decided about in the last days; newest first, `most` at most."""
    since = read_clock(session) - timedelta(days=days)
    # Numbers grow with time, so the newest of each kind are found by them, without an index on times.
    came = _newest(select(Question.id.label("id"), Question.created_at.label("at")), Question.id, most)
    told = select(Entry.question_id.label("id"), Entry.at.label("at")).where(Entry.question_id.is_not(None))
    decided = _newest(told, Entry.number, most)
    waiting = select(QueueItem.question_id).where(QueueItem.is_open).order_by(QueueItem.question_id.desc()).limit(most)
    numbers = union(
        select(waiting.subquery().c.question_id.label("id")),
        *(select(kind.c.id).where(kind.c.at >= since) for kind in (came, decided)),
    ).subquery()
    rows = session.execute(
        select(Question.id, Question.title, Question.created_at)
        .join(numbers, numbers.c.id == Question.id)
        .where(Question.redacted_at.is_(None))
        .order_by(Question.id.desc())
        .limit(most)
    )
    return [RecentTitle(*row) for row in rows]


def titles_after(session: Session, number: int, most: int = MOST) -> list[tuple[int, str]]:
    """Number and title of the questions that came after this one, the oldest first; of many only the newest."""
    rows = session.execute(
        select(Question.id, Question.title)
        .where(Question.id > number, Question.redacted_at.is_(None))
        .order_by(Question.id.desc())
        .limit(most)
    )
    return [(found, title) for found, title in rows][::-1]


def _newest(query: Select, number, most: int):
    return query.order_by(number.desc()).limit(most).subquery()


def newest_question(session: Session) -> int:
    """The number of the question that came last; 0 if there is none."""
    return session.scalar(select(func.max(Question.id))) or 0


def titles_of(session: Session, question_ids: Sequence[int]) -> list[str]:
    """The titles of these questions, in this order, but for those that were redacted."""
    query = select(Question.id, Question.title).where(Question.id.in_(question_ids), Question.redacted_at.is_(None))
    found = dict(session.execute(query).all())
    return [found[number] for number in question_ids if number in found]


def named_by_end(session: Session, name: str) -> str | None:
    """The active tag with the longest name or alias that the name ends in: 大学 for 河北师范大学."""
    key = tag_key(name)
    ends = [key[start:] for start in range(1, len(key) - SHORTEST_END + 1) if not _cuts_a_word(key, start)]
    view = TagView(session)
    view.load(ends)
    numbers = [number for end in ends if (number := view.tag_id(end)) is not None]
    active = _active(session, numbers)
    return next((active[number] for number in numbers if number in active), None)


def _cuts_a_word(key: str, start: int) -> bool:
    """A word of letters or digits ends in another one by accident only."""
    return all(c.isascii() and c.isalnum() for c in key[start - 1 : start + 1])


def often_given(session: Session, question_ids: Sequence[int], most: int = 2) -> list[str]:
    """The active tags that most of these questions were given, of those that are decided."""
    settled = settle_all(session, question_ids[:LOOKED_AT])
    given = [answer.tags for answer in settled.values() if answer.tags]
    counted = Counter(tag for tags in given for tag in tags)
    often = [(tag, n) for tag, n in counted.most_common() if n >= SHARED and 2 * n >= len(given)]
    view = TagView(session)
    view.load(tag_key(tag) for tag, _ in often)
    numbers = [number for tag, _ in often if (number := view.tag_id(tag_key(tag))) is not None]
    active = _active(session, numbers)
    return [active[number] for number in numbers if number in active][:most]


def _active(session: Session, numbers: Collection[int]) -> dict[int, str]:
    """Number -> name of those of these tags that are active."""
    query = select(Tag.id, Tag.name).where(Tag.status == "active")
    return dict(row for some in parts(set(numbers)) for row in session.execute(query.where(Tag.id.in_(some))).all())
