"""How suggested tags fared with people: the votes they had, and how many of them were accepted.

The database counts: there may be a million of them. What acceptance is a share of is said in db.figures.rate.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, case, exists, func, select
from sqlalchemy.orm import Session, aliased

from db.figures.counts import VoteRate
from db.figures.rate import COUNTED, SHOWN, Rate
from db.ledger.in_force import is_none_of, out_of_force
from db.store.tables import Entry, SuggestedTag, Suggestion, Verdict


def rates(session: Session, conditions: Sequence) -> list[tuple[str, int, int | None, int, Rate]]:
    """(version, beam, votes, rank, rate) of all suggested tags that were shown, by the decisions the conditions let in.

    One combination may come several times. Votes are None where other evidence is mixed into them, as it was in older
    versions: such tags belong in no figure that is about votes.
    """
    pure = case((~Suggestion.mixed_votes, SuggestedTag.votes))
    kinds = (Entry.model_version, Suggestion.beam, pure, SuggestedTag.rank)
    rows = session.execute(
        select(*kinds, Verdict.verdict, func.count())
        .select_from(Entry)
        .join(Verdict, Verdict.entry_number == Entry.number)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .join(SuggestedTag, (SuggestedTag.suggestion_id == Suggestion.id) & (SuggestedTag.key == Verdict.key))
        .where(*conditions, Verdict.verdict.in_(COUNTED[SHOWN]), is_better_spelling())
        .group_by(*kinds, Verdict.verdict)
    )
    return [(version or "", beam, votes, rank, Rate(**{verdict: n})) for version, beam, votes, rank, verdict, n in rows]


def is_better_spelling() -> ColumnElement[bool]:
    """SQL: of two spellings of one tag in a suggestion, the verdict is on the better one."""
    better = aliased(SuggestedTag)
    above = exists().where(
        better.suggestion_id == SuggestedTag.suggestion_id,
        better.rank < SuggestedTag.rank,
        better.key == SuggestedTag.key,
    )
    return ~above


def vote_rates(session: Session, model_version: str) -> tuple[VoteRate, ...]:
    """By votes, of all tags of this version that were shown, by decisions in force; mixed votes are left out."""
    return by_votes(rates(session, _answers(session, model_version)))


def by_votes(found: Iterable[tuple[str, int, int | None, int, Rate]]) -> tuple[VoteRate, ...]:
    """What `rates` found, added up by votes; mixed votes are left out."""
    summed: dict[tuple[int, int], Rate] = defaultdict(Rate)
    for _, beam, votes, _, rate in found:
        if votes is not None:
            summed[beam, votes] += rate
    return tuple(VoteRate(*key, rate) for key, rate in sorted(summed.items()))


def missed(session: Session, model_version: str) -> int:
    """Tags that people added by themselves where this version had suggested others, by the same decisions."""
    added = (
        select(func.count())
        .select_from(Entry)
        .join(Verdict, Verdict.entry_number == Entry.number)
        .join(Suggestion, Suggestion.id == Entry.suggestion_id)
        .where(*_answers(session, model_version), ~Suggestion.mixed_votes, Verdict.verdict == "added")
    )
    return session.scalars(added).one()


def _answers(session: Session, model_version: str) -> tuple:
    """The decisions in force that answer this version, as conditions."""
    gone, _ = out_of_force(session)
    return (
        Entry.kind == "decision",
        Entry.model_version == model_version,
        is_none_of(session, Entry.number, gone),
    )
