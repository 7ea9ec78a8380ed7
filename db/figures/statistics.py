"""What the store holds and how people and model agree: for the command line and the dashboard."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, aliased

from db.figures.agreement import (
    Alpha,
    ModelAgreement,
    ModelAnswer,
    TagKappa,
    human_against_model,
    kappa_per_tag,
    krippendorff_alpha,
)
from db.ledger.in_force import undone_entries
from db.ledger.labelled import steps
from db.ledger.labels import read_lines
from db.ledger.replay import POSITIVE, LedgerLine, current_opinions
from db.models import registry
from db.queue.claims import open_questions
from db.queue.shares import Shares, get_shares
from db.spellings.view import TagView
from db.store.clock import read_clock
from db.store.input_checks import LONGEST_TIME
from db.store.tables import (
    Entry,
    Lease,
    Person,
    Question,
    QueueItem,
    SuggestedTag,
    Suggestion,
    Tag,
    Verdict,
)


@dataclass(frozen=True)
class PersonActivity:
    name: str
    role: str
    decisions: int
    seconds: float | None  # mean time a decision took; None without times
    last_at: datetime | None


@dataclass(frozen=True)
class Overview:
    """Counts; `verdicts` counts every verdict ever given, also those that were taken back."""

    questions: int
    sources: dict[str, int]
    redacted: int
    open: int
    held: int
    answered: int
    conflicts: int
    reviewed: int
    pools: dict[str, int]
    shares: Shares
    entries: dict[str, int]
    verdicts: dict[str, int]
    tags: dict[str, int]
    suggestions: dict[str, int]  # model version -> questions it suggested tags for
    live_model: str | None
    people: tuple[PersonActivity, ...]


@dataclass(frozen=True)
class Agreement:
    alpha: Alpha
    tags: tuple[TagKappa, ...]
    model: ModelAgreement


def overview(session: Session) -> Overview:
    live = registry.live(session)
    return Overview(
        questions=_count(session, Question),
        sources=_counts(session, Question.source),
        redacted=_count(session, Question, Question.redacted_at.is_not(None)),
        open=_count(session, QueueItem, QueueItem.is_open),
        held=_count(session, QueueItem, QueueItem.holders > 0),
        answered=_count(session, QueueItem, QueueItem.answers > 0),
        conflicts=_count(session, QueueItem, QueueItem.conflict),
        reviewed=_count(session, QueueItem, QueueItem.reviewed),
        pools=_counts(session, QueueItem.pool),
        shares=get_shares(session),
        entries=_counts(session, Entry.kind),
        verdicts=_counts(session, Verdict.verdict),
        tags=_counts(session, Tag.status),
        suggestions={model.version: _asked(session, model.id) for model in registry.everything(session)},
        live_model=live.version if live is not None else None,
        people=_activity(session),
    )


def has_questions(session: Session) -> bool:
    return session.scalar(select(Question.id).limit(1)) is not None


def sources(session: Session) -> dict[str, int]:
    """Source -> questions."""
    return _counts(session, Question.source)


def source_names(session: Session) -> list[str]:
    """The sources alone: from one to the next in the index, not through all questions."""
    found: list[str] = []
    following = select(func.min(Question.source))
    while (name := session.scalar(following.where(Question.source > found[-1]) if found else following)) is not None:
        found.append(name)
    return sorted(found)


@dataclass(frozen=True)
class Progress:
    """What one person sees beside the question."""

    today: int  # decisions of theirs since the given moment, those taken back left out
    open: int
    held_by_others: int


def progress(session: Session, person_id: int, since: datetime) -> Progress:
    mine = select(Entry.number).where(Entry.kind == "decision", Entry.person_id == person_id, Entry.at >= since)
    decided = set(session.scalars(mine))
    # Whoever took one back did so after the first of them: few lines, found by the index.
    undone = undone_entries(session, after=min(decided)) if decided else set()
    return Progress(
        today=len(decided - undone),
        open=open_questions(session),
        held_by_others=_count(
            session, Lease, Lease.state == "held", Lease.expires_at > read_clock(session), Lease.person_id != person_id
        ),
    )


def agreement(session: Session) -> Agreement:
    """Between people, per tag, and between people and model, from the opinions that stand now."""
    units: list[list[frozenset[str]]] = []
    answers: list[ModelAnswer] = []
    for opinions, view, suggested in _opinions(session):
        if len(opinions) > 1:
            units.append([_tags(line, POSITIVE, view) for line in opinions])
        answers += [_answer(line, view, suggested) for line in opinions if line.number in suggested]
    return Agreement(
        alpha=krippendorff_alpha(units), tags=tuple(kappa_per_tag(units)), model=human_against_model(answers)
    )


def _opinions(session: Session) -> Iterator[tuple[list[LedgerLine], TagView, dict[int, frozenset[str]]]]:
    """Each question's current opinions, with the tags that were suggested for those that answer a suggestion."""
    for ids in steps(session):
        view = TagView(session)
        shown = _suggested_tags(session, ids)
        lines = read_lines(session, ids)
        view.load(key for tags in shown.values() for key, _ in tags)
        view.load(verdict.key for some in lines.values() for line in some for verdict in line.verdicts)
        suggested = {number: frozenset(view.resolve(*tag)[0] for tag in tags) for number, tags in shown.items()}
        for some in lines.values():
            yield current_opinions(some), view, suggested


def _suggested_tags(session: Session, ids: list[int]) -> dict[int, list[tuple[str, str]]]:
    """Entry -> the tags that the suggestion it answers kept; a blind entry is held against what the live model says."""
    blind = select(Entry.number, _unseen(session)).where(Entry.question_id.in_(ids), Entry.pick == "blind")
    seen = select(Entry.number, Entry.suggestion_id).where(Entry.question_id.in_(ids), Entry.suggestion_id.is_not(None))
    found: dict[int, list[tuple[str, str]]] = {}
    for answered in (seen.subquery(), blind.subquery()):
        kept = (SuggestedTag.suggestion_id == answered.c.suggestion_id) & SuggestedTag.kept
        rows = select(answered.c.number, SuggestedTag.key, SuggestedTag.text).outerjoin(SuggestedTag, kept)
        rows = rows.where(answered.c.suggestion_id.is_not(None))
        for number, key, text in session.execute(rows):
            tags = found.setdefault(number, [])
            if key is not None:
                tags.append((key, text))
    return found


def _unseen(session: Session) -> ColumnElement[int]:
    """SQL: what the live model says about an entry's question: the newest that it could not have learned from the
    entry, or else, where it went live later, the oldest."""
    live = registry.live(session)
    made = aliased(Suggestion)
    about = (made.question_id == Entry.question_id, made.model_id == (live.id if live is not None else None))
    before = select(func.max(made.id)).where(*about, made.ledger_number < Entry.number).correlate(Entry)
    oldest = select(func.min(made.id)).where(*about).correlate(Entry)
    return func.coalesce(before.scalar_subquery(), oldest.scalar_subquery()).label("suggestion_id")


def _tags(line: LedgerLine, verdicts: tuple[str, ...], view: TagView) -> frozenset[str]:
    return frozenset(view.resolve(v.key, v.text)[1] for v in line.verdicts if v.verdict in verdicts)


def _answer(line: LedgerLine, view: TagView, suggested: dict[int, frozenset[str]]) -> ModelAnswer:
    def keys(verdict: str) -> frozenset[str]:
        return frozenset(view.resolve(v.key, v.text)[0] for v in line.verdicts if v.verdict == verdict)

    return ModelAnswer(
        suggested=suggested[line.number],
        accepted=keys("accepted"),
        rejected=keys("rejected"),
        added=keys("added"),
        unjudged=keys("unjudged"),
        blind=line.pick == "blind",
        pick=line.pick or "direct",
    )


def _activity(session: Session) -> tuple[PersonActivity, ...]:
    time = case((Entry.seconds.between(0, LONGEST_TIME), Entry.seconds))  # as db.store.input_checks.is_time
    rows = session.execute(
        select(Person.name, Person.role, func.count(Entry.number), func.avg(time), func.max(Entry.at))
        .outerjoin(Entry, (Entry.person_id == Person.id) & (Entry.kind == "decision"))
        .group_by(Person.id, Person.name, Person.role)
        .order_by(Person.id)
    )
    return tuple(PersonActivity(*row) for row in rows)


def _count(session: Session, table, *conditions) -> int:
    return session.scalars(select(func.count()).select_from(table).where(*conditions)).one()


def _asked(session: Session, model_id: int) -> int:
    """Questions, each once: as people decide, a model suggests anew what it suggested before."""
    questions = select(func.count(func.distinct(Suggestion.question_id)))
    return session.scalars(questions.where(Suggestion.model_id == model_id)).one()


def _counts(session: Session, column) -> dict[str, int]:
    counted = session.execute(select(column, func.count()).group_by(column)).all()
    return dict(sorted((value, number) for value, number in counted))
