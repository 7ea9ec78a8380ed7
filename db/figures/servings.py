"""Suggestions as they were put before people, and what became of them: each judged before anything was learned from it.

A suggestion is stored with the line of the ledger that it knew. Who changes their mind, or comes second, may have been
shown what the question's own decision had taught: such an answer says nothing about how good suggestions are.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from sqlalchemy import ColumnElement, case, exists, func, select
from sqlalchemy.orm import Session, aliased

from db.figures.acceptance import is_better_spelling
from db.figures.rate import COUNTED, SHOWN, Rate
from db.ledger.in_force import is_none_of
from db.ledger.labels import read_lines
from db.ledger.replay import settle
from db.models import registry
from db.spellings.view import parts
from db.store.tables import Entry, SuggestedTag, Suggestion, Verdict

BINS = 10  # of chances
KEPT = 5  # tags over the cut that count, the likeliest: a question has no more
_SAYING = ("decision", "review")


@dataclass(frozen=True)
class ChanceRate:
    """Tags with a chance over `low` and up to `high`."""

    low: float
    high: float
    mean: float  # chance
    rate: Rate


@dataclass(frozen=True)
class Judged:
    """A decision, and the suggestion that it answers. Tags are spelled as they were then."""

    number: int
    pick: str  # ordered, random or direct
    kept: tuple[str, ...]  # over the cut when it was served, best first
    shown: tuple[str, ...]  # that the person saw
    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def tags(self) -> tuple[str, ...]:
        """That person's answer."""
        return *self.accepted, *self.added

    @property
    def rate(self) -> Rate:
        unjudged = len(self.shown) - len(self.accepted) - len(self.rejected)
        return Rate(len(self.accepted), len(self.rejected), unjudged)


def orders_by_chance(session: Session) -> bool:
    """Whether the live model has a ranker, as far as its newest suggestion tells; False before the first one."""
    live = registry.live(session)
    if live is None:
        return False
    newest = select(Suggestion.cut).where(Suggestion.model_id == live.id, ~Suggestion.mixed_votes)
    return session.scalar(newest.order_by(Suggestion.id.desc()).limit(1)) is not None


def first_looks(session: Session, conditions: Sequence[ColumnElement[bool]]) -> list[ColumnElement[bool]]:
    """The conditions, and that nothing in force had been decided about the question that the suggestion knew of."""
    return [*conditions, ~Suggestion.mixed_votes, is_none_of(session, Entry.number, _second_looks(session, conditions))]


def chance_rates(session: Session, conditions: Sequence[ColumnElement[bool]]) -> tuple[ChanceRate, ...]:
    """How often tags with such a chance were accepted, of those that were shown; by the decisions the conditions let
    in, as `first_looks` gives them. A bin that nobody was shown a tag of is left out."""
    bin_of = reduce(add, (case((SuggestedTag.chance > end / BINS, 1), else_=0) for end in range(1, BINS)))
    rows = session.execute(
        select(bin_of.label("chance_bin"), Verdict.verdict, func.count(), func.sum(SuggestedTag.chance))
        .select_from(Entry)
        .join(Verdict, Verdict.entry_number == Entry.number)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .join(SuggestedTag, (SuggestedTag.suggestion_id == Suggestion.id) & (SuggestedTag.key == Verdict.key))
        .where(*conditions, SuggestedTag.chance.is_not(None), Verdict.verdict.in_(COUNTED[SHOWN]), is_better_spelling())
        .group_by("chance_bin", Verdict.verdict)
    )
    rates: dict[int, Rate] = defaultdict(Rate)
    chances: dict[int, float] = defaultdict(float)
    for number, verdict, count, chance in rows:
        rates[number] += Rate(**{verdict: count})
        chances[number] += chance
    return tuple(
        ChanceRate(number / BINS, (number + 1) / BINS, chances[number] / rate.of(SHOWN), rate)
        for number, rate in sorted(rates.items())
    )


def judged(session: Session, conditions: Sequence[ColumnElement[bool]], most: int) -> list[Judged]:
    """The newest decisions that the conditions let in, as `first_looks` gives them; the oldest of them first."""
    rows = session.execute(
        select(Entry.number, Entry.pick, Entry.suggestion_id)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .where(*conditions)
        .order_by(Entry.number.desc())
        .limit(most)
    ).all()[::-1]
    verdicts = _verdicts(session, [row.number for row in rows])
    kept = _kept(session, [row.suggestion_id for row in rows])
    found = []
    for number, pick, suggestion in rows:
        told = verdicts[number]
        shown = tuple(text for text, verdict in told if verdict in COUNTED[SHOWN])
        accepted, rejected, added = (
            tuple(text for text, verdict in told if verdict == wanted) for wanted in ("accepted", "rejected", "added")
        )
        found.append(Judged(number, pick or "direct", kept[suggestion], shown, accepted, rejected, added))
    return found


def newest_decided(session: Session) -> list[int]:
    """Questions that anybody decided about, the one with the newest decision first."""
    newest = func.max(Entry.number)
    about = (Entry.kind.in_(_SAYING), Entry.question_id.is_not(None))
    rows = select(Entry.question_id).where(*about).group_by(Entry.question_id).order_by(newest.desc())
    return [question for question in session.scalars(rows) if question is not None]


def _second_looks(session: Session, conditions: Sequence[ColumnElement[bool]]) -> set[int]:
    """Decisions that answer a suggestion which knew what had been decided about their question."""
    earlier = aliased(Entry)
    known = exists().where(
        earlier.question_id == Entry.question_id,
        earlier.number <= Suggestion.ledger_number,
        earlier.kind.in_(_SAYING),
    )
    doubtful = session.execute(
        select(Entry.number, Entry.question_id, Suggestion.ledger_number)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .where(*conditions, known)
    ).all()
    found = set()
    for some in parts({row.question_id for row in doubtful}):  # few: what was taken back before it was served counts
        lines = read_lines(session, some)
        for number, question, line in doubtful:
            if question in lines and settle([one for one in lines[question] if one.number <= line]).state != "none":
                found.add(number)
    return found


def _verdicts(session: Session, numbers: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """Decision -> (tag, verdict), in their order."""
    found: dict[int, list[tuple[str, str]]] = {number: [] for number in numbers}
    for some in parts(numbers):
        rows = select(Verdict.entry_number, Verdict.text, Verdict.verdict).where(Verdict.entry_number.in_(some))
        for number, text, verdict in session.execute(rows.order_by(Verdict.entry_number, Verdict.place)):
            found[number].append((text, verdict))
    return found


def _kept(session: Session, suggestions: Sequence[int | None]) -> dict[int | None, tuple[str, ...]]:
    found: dict[int | None, tuple[str, ...]] = dict.fromkeys(suggestions, ())
    for some in parts(set(suggestions)):
        rows = select(SuggestedTag.suggestion_id, SuggestedTag.text)
        rows = rows.where(SuggestedTag.suggestion_id.in_(some), SuggestedTag.kept)
        for number, text in session.execute(rows.order_by(SuggestedTag.suggestion_id, SuggestedTag.rank)):
            found[number] = (*found[number], text)[:KEPT]
    return found
