"""Suggestions as values, and how their tags are kept as rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from numbers import Integral, Real

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from db.spellings.names import clean_tag, tag_key
from db.store.free_text import storable
from db.store.records import ProposedTag, ToldFinding
from db.store.tables import SuggestedTag, Suggestion


@dataclass(frozen=True)
class StoredSuggestion:
    """A suggestion as it was stored. `fresh`: its model is the live one."""

    id: int
    question_id: int
    model_version: str
    beam: int
    threshold: float
    created_at: datetime
    fresh: bool
    tags: tuple[ProposedTag, ...]
    cut: float | None = None  # chance above which a tag is kept; None where the model orders by votes
    ledger_number: int | None = None  # the newest line of the ledger that it knew; None: it knew none
    shown: int | None = None  # how many of its first tags are worth showing; None: nobody said
    mixed_votes: bool = False  # from before votes were kept apart from other evidence
    precedents: tuple[tuple[int, float], ...] = ()  # decided questions like this one, and how like
    decoding_id: int | None = None  # the hypotheses it was ranked from, where they were stored ahead


def as_rows(suggestion_id: int, tags: Sequence[ProposedTag]) -> list[SuggestedTag]:
    return [
        SuggestedTag(
            suggestion_id=suggestion_id,
            rank=rank,
            text=clean_tag(tag.tag),
            key=tag_key(tag.tag),
            votes=tag.votes,
            probability=tag.probability,
            kept=tag.kept,
            is_new=tag.is_new,
            cues=list(tag.cues),
            hypothesis=list(tag.hypothesis),
            chance=tag.chance,
            evidence=[[told.source, told.code, _plain(told.values)] for told in tag.evidence],
            figures=finite(tag.figures),
        )
        for rank, tag in enumerate(tags, start=1)
    ]


def finite(figures: Mapping[str, float]) -> dict[str, float]:
    """Without what is no finite number, which JSON cannot say: to the ranker a figure that is not there is 0."""
    return {name: float(value) for name, value in figures.items() if math.isfinite(value)}


def load(session: Session, query: Select) -> list[StoredSuggestion]:
    """What a query for (Suggestion, version, state) finds, each with its tags, in its order."""
    rows = session.execute(query).all()
    tags: dict[int, list[ProposedTag]] = {row.Suggestion.id: [] for row in rows}
    for tag in session.scalars(
        select(SuggestedTag)
        .where(SuggestedTag.suggestion_id.in_(tags))
        .order_by(SuggestedTag.suggestion_id, SuggestedTag.rank)
    ):
        tags[tag.suggestion_id].append(_proposed(tag))
    return [_stored(row.Suggestion, row.version, row.state == "live", tags[row.Suggestion.id]) for row in rows]


def _stored(row: Suggestion, version: str, is_live: bool, tags: Sequence[ProposedTag]) -> StoredSuggestion:
    return StoredSuggestion(
        id=row.id,
        question_id=row.question_id,
        model_version=version,
        beam=row.beam,
        threshold=row.threshold,
        created_at=row.created_at,
        fresh=is_live,
        tags=tuple(tags),
        cut=row.cut,
        ledger_number=row.ledger_number or None,
        shown=row.shown,
        mixed_votes=row.mixed_votes,
        precedents=tuple((question, float(likeness)) for question, likeness in row.precedents),
        decoding_id=row.decoding_id,
    )


def _proposed(tag: SuggestedTag) -> ProposedTag:
    return ProposedTag(
        tag=tag.text,
        votes=tag.votes,
        probability=tag.probability,
        kept=tag.kept,
        is_new=tag.is_new,
        cues=tuple(tag.cues),
        hypothesis=tuple(tag.hypothesis),
        chance=tag.chance,
        evidence=tuple(ToldFinding(source, code, values) for source, code, values in tag.evidence),
        figures=tag.figures,
    )


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """What fills the blanks of a message, as JSON keeps it: numbers stay numbers."""
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: object) -> object:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    return storable(str(value))
