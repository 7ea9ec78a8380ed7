"""What is told about a name that comes up: since when, week by week, where, what it may belong to, what it may be."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from app.emerging.search import Look
from app.shell.clock import day_of
from db.tags import emerging
from db.tags.duplicates import like_name
from db.tags.search.index import TagSearch

if TYPE_CHECKING:
    from l2a.evidence.names.emerging import EmergingName

WEEKS = 13  # a quarter of a year, for every name the same: their curves can be compared
EXAMPLES = 3


@dataclass(frozen=True)
class NameFacts:
    name: str
    chance: float  # that people would call it a tag
    surprise: float  # how many times oftener than in the large text the model knows; inf: it never stood there
    questions: int
    since: datetime  # when the first of them came in
    weeks: tuple[int, ...]  # how many came in each of the last WEEKS, this one last
    examples: tuple[str, ...]  # titles, the newest first
    parent: str | None  # the tag that the name ends in: the likeliest
    parents: tuple[str, ...]  # that one first, and those that questions with the name were given
    duplicates: tuple[tuple[str, str], ...]  # tags that may be the same, each with a reason of db.tags.duplicates


def facts(session: Session, tags: TagSearch, look: Look, name: "EmergingName", zone: tzinfo | None) -> NameFacts:
    """No zone: the machine's own."""
    newest = sorted(name.questions, reverse=True)
    parent = emerging.named_by_end(session, name.name)
    parents = ([parent] if parent else []) + emerging.often_given(session, newest)
    came = [look.came[number] for number in newest]
    return NameFacts(
        name=name.name,
        chance=name.chance,
        surprise=name.surprise,
        questions=len(newest),
        since=min(came),
        weeks=by_week(came, look.at, zone),
        examples=tuple(emerging.titles_of(session, newest[:EXAMPLES])),
        parent=parent,
        parents=tuple(dict.fromkeys(parents)),
        duplicates=tuple(like_name(tags, name.name)),
    )


def by_week(moments: Sequence[datetime], now: datetime, zone: tzinfo | None) -> tuple[int, ...]:
    """How many of the moments lie in each of the last weeks; a week begins on Monday. Older ones are left out."""
    counted = Counter((_monday(now, zone) - _monday(moment, zone)).days // 7 for moment in moments)
    return tuple(counted[ago] for ago in reversed(range(WEEKS)))


def _monday(moment: datetime, zone: tzinfo | None) -> date:
    day = day_of(moment, zone)
    return day - timedelta(days=day.weekday())
