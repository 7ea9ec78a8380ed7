"""Questions that nobody has decided yet and that a model has searched already: what they would be suggested now."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.models.decodings import Hypothesis
from db.store.tables import Decoding, ModelVersion, Question, QueueItem


@dataclass(frozen=True)
class Waiting:
    """An open question, and what the model found for it."""

    question_id: int
    title: str
    description: str
    beam: int
    hypotheses: tuple[Hypothesis, ...]


def open_decoded(session: Session, model_version: str, most: int) -> list[Waiting]:
    """The newest of them first. Blind ones are left out: nobody is to know what a model says to these."""
    rows = session.execute(
        select(Question.id, Question.title, Question.description, Decoding.beam, Decoding.hypotheses)
        .join(Decoding, Decoding.question_id == Question.id)
        .join(ModelVersion, ModelVersion.id == Decoding.model_id)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(ModelVersion.version == model_version, Question.redacted_at.is_(None))
        .where(QueueItem.is_open, QueueItem.answers == 0, QueueItem.pool != "blind")
        .order_by(Decoding.id.desc())
        .limit(most)
    )
    found: dict[int, Waiting] = {}
    for number, title, description, beam, kept in rows:
        hypotheses = tuple((tuple(tags), float(probability), order) for tags, probability, order in kept)
        found.setdefault(number, Waiting(number, title, description, beam, hypotheses))
    return list(found.values())
