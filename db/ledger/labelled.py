"""Every question that people decided about, with its labels: read in steps, now or as of a past day.

What goes into an export and what there is to train on is chosen from these rows.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from db.ledger.labels import ABOUT_QUESTIONS, settle_all
from db.ledger.notes import comments_about
from db.ledger.replay import Settled
from db.store.records import LabelledQuestion
from db.store.tables import ENTRY_KINDS, Entry, Person, PriorLabel, Question
from db.tags.view import TagView

QUESTIONS_A_STEP = 500  # held in memory at a time
STEPS_A_VIEW = 20  # a view remembers every tag it has met, so memory stays flat only if it is renewed now and then
# Kinds are left out by what they are not: for `kind IN (...)` SQLite takes the index of kinds, and reads the whole
# ledger at every step.
OTHER_KINDS = tuple(kind for kind in ENTRY_KINDS if kind not in ABOUT_QUESTIONS)


def read_labelled(
    session: Session,
    *,
    as_of: datetime | None = None,
    sources: tuple[str, ...] = (),
    on_redacted: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[LabelledQuestion]:
    """Oldest question first, a few hundred in memory at a time; those of these sources only, if any are named.

    Redacted questions are left out, and `on_redacted` is called for each. `progress` is called with (questions looked
    at, questions to look at).
    """
    names: dict[int | None, str] = dict(session.execute(select(Person.id, Person.name)).all())
    about = (Entry.question_id.is_not(None), Entry.kind.not_in(OTHER_KINDS))
    total = session.scalars(select(func.count(func.distinct(Entry.question_id))).where(*about)).one()
    done = 0
    for ids in steps(session):
        if done % (STEPS_A_VIEW * QUESTIONS_A_STEP) == 0:
            view = TagView(session, as_of)
        settled = settle_all(session, ids, as_of, view)
        prior = _prior_tags(session, ids, view)
        comments = comments_about(session, ids)
        for question in _questions(session, ids, sources):
            if question.redacted_at is not None:
                on_redacted()
                continue
            about_it = settled.get(question.id)
            if about_it is not None and about_it.state != "none":
                yield _row(question, about_it, prior.get(question.id, ()), names, comments)
        done += len(ids)
        progress(done, total)


def steps(session: Session) -> Iterator[list[int]]:
    """The questions that the ledger says anything about, QUESTIONS_A_STEP at a time, in the order of their numbers."""
    query = select(Entry.question_id).where(Entry.kind.not_in(OTHER_KINDS)).distinct().order_by(Entry.question_id)
    last = -1
    while some := session.scalars(query.where(Entry.question_id > last).limit(QUESTIONS_A_STEP)).all():
        ids = [number for number in some if number is not None]
        yield ids
        last = ids[-1]


def _questions(session: Session, ids: Sequence[int], sources: tuple[str, ...]) -> Sequence[Row]:
    query = select(
        Question.id,
        Question.title,
        Question.description,
        Question.source,
        Question.external_id,
        Question.redacted_at,
    ).where(Question.id.in_(ids))
    if sources:
        query = query.where(Question.source.in_(sources))
    return session.execute(query.order_by(Question.id)).all()


def _prior_tags(session: Session, ids: Sequence[int], view: TagView) -> dict[int, tuple[str, ...]]:
    rows = session.execute(
        select(PriorLabel.question_id, PriorLabel.key, PriorLabel.text)
        .where(PriorLabel.question_id.in_(ids))
        .order_by(PriorLabel.question_id, PriorLabel.place)
    ).all()
    view.load(key for _, key, _ in rows)
    found: dict[int, dict[str, None]] = {}
    for question, key, text in rows:
        found.setdefault(question, {})[view.resolve(key, text)[1]] = None
    return {question: tuple(tags) for question, tags in found.items()}


def _row(
    question: Row,
    settled: Settled,
    prior: tuple[str, ...],
    names: Mapping[int | None, str],
    comments: Mapping[int, str],
) -> LabelledQuestion:
    # Versions, picks and flags are those of the opinions, also where a review settled the labels.
    flags = [(line.flag, names[line.person_id]) for line in settled.opinions if line.flag]
    spoken = {line.number: line for line in (*settled.opinions, *settled.counting) if line.number in comments}
    return LabelledQuestion(
        question_id=question.id,
        title=question.title,
        description=question.description,
        source=question.source,
        external_id=question.external_id,
        tags=settled.tags,
        rejected=settled.rejected,
        unjudged=settled.unjudged,
        prior_tags=prior,
        people=tuple(names[line.person_id] for line in settled.counting),
        entries=tuple(line.number for line in settled.counting),
        model_versions=tuple(dict.fromkeys(o.model_version for o in settled.opinions if o.model_version)),
        state=settled.state,
        agreement=settled.agreement,
        decided_at=max(line.at for line in settled.counting),
        picks=tuple(opinion.pick or "direct" for opinion in settled.opinions),
        flags=tuple(flag for flag, _ in flags),
        flagged_by=tuple(name for _, name in flags),
        comments=tuple(comments[number] for number in spoken),
        commented_by=tuple(names[line.person_id] for line in spoken.values()),
    )
