"""What models proposed. A newer model adds, never overwrites; only the live model's word is ever served as fresh."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.ledger import redaction
from db.models import registry
from db.queue import order as queue_order
from db.store.clock import read_clock
from db.store.records import ProposedTag
from db.store.settings import insert_for
from db.store.tables import (
    QUEUE_ORDERS,
    Entry,
    Lease,
    ModelVersion,
    Question,
    QueueItem,
    QueueTag,
    SuggestedTag,
    Suggestion,
)
from db.tags.names import MAX_KEY_BYTES, clean_tag, tag_key

PRUNED_AT_ONCE = 1_000


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


def record(
    session: Session,
    question_id: int,
    model_version: str,
    beam: int,
    threshold: float,
    tags: Sequence[ProposedTag],
) -> int:
    """Keep a suggestion; returns its number. What this model said before with the same settings is left as it is."""
    model = registry.find(session, model_version)
    question = redaction.lock_question(session, question_id)
    if question is None:
        raise NotFound("question.not_found", question=question_id)
    if question.redacted_at is not None:  # the model was still at work on what is gone
        tags = redaction.without_words(session, tags)
    insert = insert_for(session)
    new = session.scalar(
        insert(Suggestion)
        .values(
            question_id=question_id, model_id=model.id, beam=beam, threshold=threshold, created_at=read_clock(session)
        )
        .on_conflict_do_nothing()
        .returning(Suggestion.id)
    )
    if new is None:
        return session.scalars(
            select(Suggestion.id).where(
                Suggestion.question_id == question_id,
                Suggestion.model_id == model.id,
                Suggestion.beam == beam,
                Suggestion.threshold == threshold,
            )
        ).one()
    session.add_all(
        SuggestedTag(
            suggestion_id=new,
            rank=rank,
            text=clean_tag(tag.tag),
            key=tag_key(tag.tag),
            votes=tag.votes,
            probability=tag.probability,
            kept=tag.kept,
            is_new=tag.is_new,
            cues=list(tag.cues),
            hypothesis=list(tag.hypothesis),
        )
        for rank, tag in enumerate(tags, start=1)
    )
    kept = sorted({tag_key(tag.tag) for tag in tags if tag.kept} - {""})
    kept = [key for key in kept if len(key.encode()) <= MAX_KEY_BYTES]
    if kept and question.redacted_at is None:
        rows = [{"key": key, "question_id": question_id} for key in kept]
        session.execute(insert(QueueTag).on_conflict_do_nothing(), rows)
    session.flush()
    session.refresh(model, ["state"])  # the new row has waited for a promotion that was under way
    if model.state == "live":
        queue_order.place(session, model.id, [question_id])
    return new


def fresh(session: Session, question_id: int) -> StoredSuggestion | None:
    """The live model's newest suggestion; None if it has not been asked yet, whatever older models said."""
    newest = (
        select(Suggestion, ModelVersion.version, ModelVersion.state)
        .join(ModelVersion, ModelVersion.id == Suggestion.model_id)
        .where(Suggestion.question_id == question_id, ModelVersion.state == "live")
        .order_by(Suggestion.id.desc())
        .limit(1)
    )
    return next(iter(_load(session, newest)), None)


def history(session: Session, question_id: int) -> list[StoredSuggestion]:
    """Everything any model ever proposed for a question, oldest first."""
    return _load(
        session,
        select(Suggestion, ModelVersion.version, ModelVersion.state)
        .join(ModelVersion, ModelVersion.id == Suggestion.model_id)
        .where(Suggestion.question_id == question_id)
        .order_by(Suggestion.id),
    )


def next_without(session: Session, orders: Sequence[str], ahead: int) -> list[Question]:
    """Those of the next questions in each order that the live model has not been asked about: work to do ahead.

    `ahead` questions of each pool are looked at. The blind pool needs no suggestions.
    """
    model = registry.live(session)
    if model is None:
        return []
    upcoming: dict[int, None] = {}
    for pool, order in [*(("ordered", order) for order in orders), ("random", "random")]:
        columns = (getattr(QueueItem, column) for column in QUEUE_ORDERS[order])
        upcoming |= dict.fromkeys(
            session.scalars(
                select(QueueItem.question_id)
                .where(QueueItem.is_open, QueueItem.pool == pool)
                .order_by(QueueItem.answers, *columns)
                .limit(ahead)
            )
        )
    asked = select(Suggestion.question_id).where(Suggestion.model_id == model.id, Suggestion.question_id.in_(upcoming))
    waiting = upcoming.keys() - set(session.scalars(asked))
    found = {q.id: q for q in session.scalars(select(Question).where(Question.id.in_(waiting)))}
    return [found[number] for number in upcoming if number in found]


def waiting(session: Session, order: str, limit: int) -> list[Question]:
    """Open questions that the live model has not been asked about, in this order, those served at random last.

    Blind ones need no suggestions.
    """
    found: list[Question] = []
    for pool, by in (("ordered", order), ("random", "random")):
        if len(found) < limit and (query := _waiting(session, pool)) is not None:
            columns = (getattr(QueueItem, column) for column in QUEUE_ORDERS[by])
            query = query.order_by(QueueItem.answers, *columns).limit(limit - len(found))
            found += session.scalars(query)
    return found


def count_waiting(session: Session) -> int:
    """How many open questions the live model has not been asked about."""
    queries = (_waiting(session, pool) for pool in ("ordered", "random"))
    return sum(
        session.scalar(select(func.count()).select_from(query.with_only_columns(Question.id).subquery()))
        for query in queries
        if query is not None
    )


def newest_settings(session: Session, model_version: str) -> tuple[int, float] | None:
    """Beam and threshold of a version's newest suggestion; None if it has made none."""
    newest = (
        select(Suggestion.beam, Suggestion.threshold)
        .join(ModelVersion, ModelVersion.id == Suggestion.model_id)
        .where(ModelVersion.version == model_version)
        .order_by(Suggestion.id.desc())
        .limit(1)
    )
    row = session.execute(newest).one_or_none()
    return None if row is None else (row.beam, row.threshold)


def _waiting(session: Session, pool: str):
    """The open questions of a pool without a suggestion of the live model; None if no model is live."""
    model = registry.live(session)
    if model is None:
        return None
    asked = exists().where(Suggestion.question_id == QueueItem.question_id, Suggestion.model_id == model.id)
    return (
        select(Question)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(QueueItem.is_open, QueueItem.pool == pool, ~asked)
    )


def prune(session: Session, person_id: int, *, older_than_days: float, dry_run: bool) -> int:
    """Delete suggestions of models that are not live, older than so many days, that no ledger entry answers and that
    lie before nobody.

    The only way a suggestion ever goes. Returns how many (would) go.
    """
    people.require(session, person_id, "change models")
    if older_than_days < 0:
        raise Refused("suggestion.no_age", days=older_than_days)
    before = read_clock(session) - timedelta(days=older_than_days)
    rule = (
        Suggestion.model_id.in_(select(ModelVersion.id).where(ModelVersion.state != "live")),
        Suggestion.created_at < before,
        ~exists().where(Entry.suggestion_id == Suggestion.id),
        ~exists().where(Lease.question_id == Suggestion.question_id, Lease.state == "held"),
    )
    if dry_run:
        return session.scalars(select(func.count()).select_from(Suggestion).where(*rule)).one()
    pruned = 0
    # Locked first, and the rule asked again: an answer may have come in between. One that comes now waits.
    unanswered = select(Suggestion.id).where(*rule).order_by(Suggestion.id).limit(PRUNED_AT_ONCE)
    last = 0
    while locked := session.scalars(
        unanswered.where(Suggestion.id > last).with_for_update(of=Suggestion, skip_locked=True)
    ).all():
        last = locked[-1]
        doomed = session.scalars(select(Suggestion.id).where(Suggestion.id.in_(locked), *rule)).all()
        for table, column in ((SuggestedTag, SuggestedTag.suggestion_id), (Suggestion, Suggestion.id)):
            session.execute(delete(table).where(column.in_(doomed)).execution_options(synchronize_session=False))
        pruned += len(doomed)
    return pruned


def _load(session: Session, query) -> list[StoredSuggestion]:
    rows = session.execute(query).all()
    tags: dict[int, list[ProposedTag]] = {row.Suggestion.id: [] for row in rows}
    for tag in session.scalars(
        select(SuggestedTag)
        .where(SuggestedTag.suggestion_id.in_(tags))
        .order_by(SuggestedTag.suggestion_id, SuggestedTag.rank)
    ):
        tags[tag.suggestion_id].append(_proposed(tag))
    return [
        StoredSuggestion(
            id=row.Suggestion.id,
            question_id=row.Suggestion.question_id,
            model_version=row.version,
            beam=row.Suggestion.beam,
            threshold=row.Suggestion.threshold,
            created_at=row.Suggestion.created_at,
            fresh=row.state == "live",
            tags=tuple(tags[row.Suggestion.id]),
        )
        for row in rows
    ]


def _proposed(tag: SuggestedTag) -> ProposedTag:
    return ProposedTag(
        tag=tag.text,
        votes=tag.votes,
        probability=tag.probability,
        kept=tag.kept,
        is_new=tag.is_new,
        cues=tuple(tag.cues),
        hypothesis=tuple(tag.hypothesis),
    )
