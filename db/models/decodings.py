"""Hypotheses that a model found ahead of time: expensive, and the same whatever people decide meanwhile.

What is suggested is worked out from them in milliseconds when the question is served (db.models.suggestions).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.errors import NotFound
from db.ledger import redaction
from db.models import registry
from db.store.clock import read_clock
from db.store.free_text import storable
from db.store.settings import insert_for
from db.store.tables import Decoding, ModelVersion

Hypothesis = tuple[tuple[str, ...], float, str]  # tags, log probability, the order it was written in


@dataclass(frozen=True)
class StoredDecoding:
    id: int
    hypotheses: tuple[Hypothesis, ...]  # best first


def record(
    session: Session,
    question_id: int,
    model_version: str,
    beam: int,
    hypotheses: Sequence[tuple[Sequence[str], float, str]],
) -> int | None:
    """Keep what a model found; returns its number. What it found before with as many hypotheses is left as it is.

    None for a question that is redacted: the hypotheses are made of its words.
    """
    model = registry.find(session, model_version)
    question = redaction.lock_question(session, question_id)
    if question is None:
        raise NotFound("question.not_found", question=question_id)
    if question.redacted_at is not None:  # the model was still at work on what is gone
        return None
    rows = [[[storable(tag) for tag in tags], float(probability), order] for tags, probability, order in hypotheses]
    new = session.scalar(
        insert_for(session)(Decoding)
        .values(question_id=question_id, model_id=model.id, beam=beam, hypotheses=rows, created_at=read_clock(session))
        .on_conflict_do_nothing()
        .returning(Decoding.id)
    )
    if new is not None:
        return new
    return session.scalars(select(Decoding.id).where(*_is(question_id, beam), Decoding.model_id == model.id)).one()


def find(session: Session, question_id: int, model_version: str, beam: int) -> StoredDecoding | None:
    """What this model found for the question with so many hypotheses; None if it has not been asked."""
    row = session.execute(
        select(Decoding.id, Decoding.hypotheses)
        .join(ModelVersion, ModelVersion.id == Decoding.model_id)
        .where(*_is(question_id, beam), ModelVersion.version == model_version)
    ).one_or_none()
    if row is None:
        return None
    found = ((tuple(tags), float(probability), order) for tags, probability, order in row.hypotheses)
    return StoredDecoding(row.id, tuple(found))


def _is(question_id: int, beam: int) -> tuple:
    return Decoding.question_id == question_id, Decoding.beam == beam
