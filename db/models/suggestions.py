"""What models proposed. A newer model adds, never overwrites; only the live model's word is ever served as fresh.

A model may suggest several times for one question: with what people decided meanwhile it knows more. Its newest word
counts; what was put before somebody who answered it is kept for ever.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, delete, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from db import people
from db.errors import NotFound, Refused
from db.ledger import redaction
from db.models import registry
from db.models.suggestion_rows import StoredSuggestion, as_rows, load
from db.queue import order as queue_order
from db.spellings.names import MAX_KEY_BYTES, tag_key
from db.store.clock import read_clock
from db.store.input_checks import check_number
from db.store.records import ProposedTag
from db.store.settings import insert_for
from db.store.statements import change_rows
from db.store.tables import (
    QUEUE_ORDERS,
    Decoding,
    Entry,
    Lease,
    ModelVersion,
    Question,
    QueueItem,
    QueueTag,
    SuggestedTag,
    Suggestion,
)

MOST_STORED = 30  # tags of a suggestion, the best; nobody looks further down
PRUNED_AT_ONCE = 1_000


def record(
    session: Session,
    question_id: int,
    model_version: str,
    beam: int,
    threshold: float,
    tags: Sequence[ProposedTag],
    *,
    decoding_id: int | None = None,
    ledger_number: int | None = None,
    cut: float | None = None,
    shown: int | None = None,
    precedents: Sequence[tuple[int, float]] = (),
) -> int:
    """Keep a suggestion; returns its number. What this model said before with the same settings, when it knew the same
    line of the ledger (None: no line at all), is left as it is.

    decoding_id: the stored hypotheses that it was ranked from; they may be gone by now. The other options are told at
    StoredSuggestion.
    """
    model = registry.find(session, model_version)
    question = redaction.lock_question(session, question_id)
    if question is None:
        raise NotFound("question.not_found", question=question_id)
    if question.redacted_at is not None:  # the model was still at work on what is gone
        worth_showing = redaction.without_words(session, tags[:shown])
        shown = None if shown is None else len(worth_showing)
        tags, precedents = redaction.without_words(session, tags), ()
    tags = tags[:MOST_STORED]
    key = {
        "question_id": question_id,
        "model_id": model.id,
        "beam": beam,
        "threshold": threshold,
        "ledger_number": ledger_number or 0,
        "mixed_votes": False,
    }
    insert = insert_for(session)
    new = session.scalar(
        insert(Suggestion)
        .values(
            **key,
            created_at=read_clock(session),
            decoding_id=_still_there(session, decoding_id, question_id),
            cut=cut,
            shown=shown,
            precedents=[[number, float(likeness)] for number, likeness in precedents],
        )
        .on_conflict_do_nothing()
        .returning(Suggestion.id)
    )
    if new is None:
        return session.scalars(select(Suggestion.id).filter_by(**key)).one()
    session.add_all(as_rows(new, tags))
    kept = sorted({tag_key(tag.tag) for tag in tags if tag.kept} - {""})
    kept = [name for name in kept if len(name.encode()) <= MAX_KEY_BYTES]
    if kept and question.redacted_at is None:
        rows = [{"key": name, "question_id": question_id} for name in kept]
        session.execute(insert(QueueTag).on_conflict_do_nothing(), rows)
    session.flush()
    session.refresh(model, ["state"])  # the new row has waited for a promotion that was under way
    if model.state == "live":
        queue_order.place(session, model.id, [question_id])
    return new


def _still_there(session: Session, decoding_id: int | None, question_id: int) -> int | None:
    """The number of the hypotheses, which nobody may prune until this transaction ends; None if somebody did."""
    if decoding_id is None:
        return None
    wanted = select(Decoding.id).where(Decoding.id == decoding_id, Decoding.question_id == question_id)
    return session.scalar(wanted.with_for_update(read=True, key_share=True))


def find(session: Session, number: int) -> StoredSuggestion:
    """The suggestion with this number; raises NotFound."""
    found = load(session, _with_version().where(Suggestion.id == check_number(number, "suggestion")))
    if not found:
        raise NotFound("suggestion.not_found", suggestion=number)
    return found[0]


def fresh(session: Session, question_id: int) -> StoredSuggestion | None:
    """The live model's newest suggestion; None if it has not been asked yet, whatever older models said."""
    of_the_live = _with_version().where(Suggestion.question_id == question_id, ModelVersion.state == "live")
    return next(iter(load(session, of_the_live.order_by(Suggestion.id.desc()).limit(1))), None)


def history(session: Session, question_id: int) -> list[StoredSuggestion]:
    """Everything any model ever proposed for a question, oldest first."""
    return load(session, _with_version().where(Suggestion.question_id == question_id).order_by(Suggestion.id))


def _with_version() -> Select:
    return select(Suggestion, ModelVersion.version, ModelVersion.state).join(
        ModelVersion, ModelVersion.id == Suggestion.model_id
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
    asked = select(Suggestion.question_id).where(Suggestion.question_id.in_(upcoming), _is_word_of(model.id))
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
    asked = exists().where(Suggestion.question_id == QueueItem.question_id, _is_word_of(model.id))
    return (
        select(Question)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(QueueItem.is_open, QueueItem.pool == pool, ~asked)
    )


def _is_word_of(model_id: int) -> ColumnElement[bool]:
    """SQL: a suggestion shows that this model has been asked. One with mixed votes shows that an older program asked
    it, in its way."""
    return (Suggestion.model_id == model_id) & ~Suggestion.mixed_votes


def prune(session: Session, person_id: int, *, older_than_days: float, dry_run: bool) -> int:
    """Delete suggestions older than so many days that no ledger entry answers and that lie before nobody: those of
    models that are not live, and those in whose place the same model has put newer ones.

    The only way a suggestion ever goes. Hypotheses that models which are not live found so long ago go too, where no
    suggestion was made of them that stays. Returns how many suggestions (would) go.
    """
    people.require(session, person_id, "change models")
    if older_than_days < 0:
        raise Refused("suggestion.no_age", days=older_than_days)
    before = read_clock(session) - timedelta(days=older_than_days)
    rule = _no_longer_needed(before)
    if dry_run:
        return session.scalars(select(func.count()).select_from(Suggestion).where(*rule)).one()
    pruned = _delete(session, Suggestion, rule, of_it=(SuggestedTag, SuggestedTag.suggestion_id))
    unused = ~exists().where(Suggestion.decoding_id == Decoding.id)
    _delete(session, Decoding, (Decoding.model_id.in_(_not_live()), Decoding.created_at < before, unused))
    return pruned


def _no_longer_needed(before: datetime) -> tuple[ColumnElement[bool], ...]:
    newer = aliased(Suggestion)
    superseded = exists().where(
        newer.question_id == Suggestion.question_id, newer.model_id == Suggestion.model_id, newer.id > Suggestion.id
    )
    return (
        or_(Suggestion.model_id.in_(_not_live()), superseded),
        Suggestion.created_at < before,
        ~exists().where(Entry.suggestion_id == Suggestion.id),
        ~exists().where(Lease.question_id == Suggestion.question_id, Lease.state == "held"),
    )


def _not_live() -> Select[int]:
    return select(ModelVersion.id).where(ModelVersion.state != "live")


def _delete(session: Session, table: type[Suggestion | Decoding], rule: Sequence[ColumnElement[bool]], of_it=()) -> int:
    """Delete the rows that a rule is for, some at a time. of_it: the table of their parts, and its column for them."""
    pruned = last = 0
    wanted = select(table.id).where(*rule).order_by(table.id).limit(PRUNED_AT_ONCE)
    # Locked first, and the rule asked again: an answer may have come in between. One that comes now waits.
    while locked := session.scalars(wanted.where(table.id > last).with_for_update(of=table, skip_locked=True)).all():
        last = locked[-1]
        doomed = session.scalars(select(table.id).where(table.id.in_(locked), *rule)).all()
        for rows, column in (*([of_it] if of_it else []), (table, table.id)):
            change_rows(session, delete(rows).where(column.in_(doomed)))
        pruned += len(doomed)
    return pruned
