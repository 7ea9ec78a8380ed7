"""How suggested tags fared with people, tag by tag: the votes each had, and whether it was accepted."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.labels import ABOUT_QUESTIONS
from db.models import Entry, SuggestedTag, Suggestion, Verdict
from db.replay import LedgerLine, current_opinions


@dataclass(frozen=True, slots=True)  # there may be a million of them
class Judged:
    """A suggested tag that somebody accepted or rejected; `votes` of `beam` hypotheses held it."""

    votes: int
    beam: int
    accepted: bool
    question_id: int
    key: str


def judged(session: Session, model_version: str | None = None, as_of: datetime | None = None) -> list[Judged]:
    """Every judged tag of every suggestion that a decision in force answers, in the order of the ledger.

    `model_version` None means the suggestions of all versions; `as_of` leaves out what was written later.
    """
    numbers = set(_opinions_in_force(session, as_of))
    return [
        Judged(votes, beam, verdict == "accepted", question_id, key)
        for number, question_id, key, verdict, votes, beam in _verdicts(session, model_version, as_of)
        if number in numbers
    ]


def missed(session: Session, model_version: str) -> int:
    """Tags that people added by themselves where this version had suggested others, by decisions in force."""
    numbers = set(_opinions_in_force(session, None))
    added = (
        select(Entry.number, func.count())
        .join(Verdict, Verdict.entry_number == Entry.number)
        .where(
            Entry.kind == "decision",
            Entry.model_version == model_version,
            Entry.suggestion_id.is_not(None),
            Verdict.verdict == "added",
        )
        .group_by(Entry.number)
    )
    return sum(count for number, count in session.execute(added) if number in numbers)


def decisions(session: Session, model_version: str) -> int:
    """How many decisions ever answered this version: a quick look at whether `judged` is worth reading again."""
    answers = (Entry.kind == "decision", Entry.model_version == model_version)
    return session.scalar(select(func.count()).select_from(Entry).where(*answers))


def _opinions_in_force(session: Session, as_of: datetime | None) -> Iterator[int]:
    """The entry of each person's current opinion about each question."""
    query = select(Entry.question_id, Entry.number, Entry.at, Entry.kind, Entry.person_id, Entry.target).where(
        Entry.question_id.is_not(None), Entry.kind.in_(ABOUT_QUESTIONS)
    )
    if as_of is not None:
        query = query.where(Entry.at <= as_of)
    rows = session.execute(query.order_by(Entry.question_id, Entry.number))
    for _, lines in groupby(rows, key=lambda row: row.question_id):
        for opinion in current_opinions([LedgerLine(*rest) for _, *rest in lines]):
            yield opinion.number


def _verdicts(session: Session, model_version: str | None, as_of: datetime | None) -> Iterator[tuple]:
    """(number, question, key, verdict, votes, beam) of all decisions that answered a suggestion."""
    query = (
        select(Entry.number, Entry.question_id, Verdict.key, Verdict.verdict, SuggestedTag.votes, Suggestion.beam)
        .select_from(Entry)
        .join(Verdict, Verdict.entry_number == Entry.number)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .join(SuggestedTag, (SuggestedTag.suggestion_id == Suggestion.id) & (SuggestedTag.key == Verdict.key))
        .where(Entry.kind == "decision", Verdict.verdict.in_(("accepted", "rejected")))
        .order_by(Entry.number, Verdict.place, SuggestedTag.rank)
    )
    if model_version is not None:
        query = query.where(Entry.model_version == model_version)
    if as_of is not None:
        query = query.where(Entry.at <= as_of)
    for _, same in groupby(session.execute(query), key=lambda row: (row.number, row.key)):
        yield tuple(next(same))  # of two spellings of one tag in a suggestion, the verdict is on the better one
