"""Where questions stand in the uncertain and the rare order: the live model's word decides, and nobody else's."""

import math
from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    ColumnExpressionArgument,
    Float,
    ScalarSelect,
    Select,
    case,
    cast,
    func,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased

from db.store.statements import change_rows
from db.store.tables import NO_TAGS, PriorLabel, QueueItem, QueueTag, SuggestedTag, Suggestion, Tag, TagName


def place_all(session: Session, model_id: int, before_id: int | None) -> None:
    """Let the orders follow the model that goes live now; `before_id` is the one that was live until now.

    Questions that only the earlier model was asked about lose what it said. One statement: it takes as long as the two
    models have suggestions, however many questions there are.
    """
    models = [model_id] if before_id is None else [model_id, before_id]
    place(session, model_id, select(Suggestion.question_id).where(Suggestion.model_id.in_(models)))


def place(session: Session, model_id: int, questions: Sequence[int] | Select[int]) -> None:
    """Where these questions stand by the newest suggestion of this model, or without one if it has made none."""
    session.flush()
    change_rows(
        session,
        update(QueueItem)
        .where(QueueItem.question_id.in_(questions))
        .values(certainty=_certainty(_newest(model_id)), rarest_uses=_rarest_uses(session, _newest(model_id))),
    )


def _newest(model_id: int) -> ScalarSelect[int]:
    """The number of the newest suggestion for the question; the settings of a model may change."""
    made = aliased(Suggestion)
    # `+ 0`: by its index on the model SQLite would go through all that the model ever said, for each question.
    asked = select(func.max(made.id)).where(made.question_id == QueueItem.question_id, made.model_id + 0 == model_id)
    return asked.correlate(QueueItem).scalar_subquery()


def _certainty(newest: ScalarSelect[int]) -> ColumnElement[float]:
    """Minus how far the hypotheses disagree, in bits: the sum of p log2 p over the tags, p a tag's share of votes."""
    share = cast(SuggestedTag.votes, Float) / Suggestion.beam
    split = (SuggestedTag.votes > 0) & (SuggestedTag.votes < Suggestion.beam)
    bits = case((split, share * func.ln(share) / math.log(2)), else_=0.0)
    summed = (
        select(func.sum(bits))
        .select_from(SuggestedTag)
        .join(Suggestion, Suggestion.id == SuggestedTag.suggestion_id)
        .where(SuggestedTag.suggestion_id == newest)
    )
    return func.coalesce(summed.correlate(QueueItem).scalar_subquery(), 0.0)


def _rarest_uses(session: Session, newest: ScalarSelect[int]) -> ColumnElement[int]:
    """Uses of the rarest tag that is suggested and kept, or that the question came with."""
    # A spelling that is too long to be a tag is not in queue_tags either.
    same = (QueueTag.key == SuggestedTag.key) & (QueueTag.question_id == QueueItem.question_id)
    is_tag = select(QueueTag.key).where(same).correlate(SuggestedTag, QueueItem).exists()
    suggested = _fewest_uses(SuggestedTag, SuggestedTag.suggestion_id == newest, SuggestedTag.kept, is_tag)
    prior = _fewest_uses(PriorLabel, PriorLabel.question_id == QueueItem.question_id)
    smaller_of = func.min if session.get_bind().dialect.name == "sqlite" else func.least
    return smaller_of(suggested, prior)


def _fewest_uses(table: type[SuggestedTag | PriorLabel], *chosen: ColumnExpressionArgument[bool]) -> ColumnElement[int]:
    """Of the tags that these rows name; a spelling that is no tag yet has no uses."""
    fewest = (
        select(func.min(func.coalesce(Tag.uses, 0)))
        .select_from(table)
        .outerjoin(TagName, TagName.key == table.key)
        .outerjoin(Tag, Tag.id == TagName.tag_id)
        .where(*chosen)
    )
    return func.coalesce(fewest.correlate(QueueItem).scalar_subquery(), NO_TAGS)
