"""The current labels: a view of the ledger, worked out from its lines when asked, now or on a past day."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.errors import NotFound
from db.ledger.replay import LedgerLine, Settled, VerdictLine, settle
from db.spellings.view import TagView
from db.store.tables import Entry, PriorLabel, Question, Verdict

ABOUT_QUESTIONS = ("decision", "review", "undo")


@dataclass(frozen=True)
class QuestionView:
    """A question as it looked at some moment."""

    id: int
    title: str
    description: str
    source: str
    external_id: str
    prior_tags: tuple[str, ...]
    settled: Settled
    redacted: bool = False


def read_lines(
    session: Session, question_ids: Iterable[int], at: datetime | None = None
) -> dict[int, list[LedgerLine]]:
    """The ledger's lines about these questions, oldest first, up to a moment."""
    ids = list(question_ids)
    # Not `kind IN (...)`: SQLite would begin with the index on the kind, which is nearly the whole ledger.
    about = (Entry.question_id.in_(ids), Entry.kind != "redact", *([Entry.at <= at] if at else []))
    verdicts: dict[int, list[VerdictLine]] = defaultdict(list)
    for number, key, text, verdict in session.execute(
        select(Verdict.entry_number, Verdict.key, Verdict.text, Verdict.verdict)
        .join(Entry, Entry.number == Verdict.entry_number)
        .where(*about)
        .order_by(Verdict.entry_number, Verdict.place)
    ):
        verdicts[number].append(VerdictLine(key, text, verdict))
    lines: dict[int, list[LedgerLine]] = defaultdict(list)
    for row in session.execute(
        select(
            Entry.question_id,
            Entry.number,
            Entry.at,
            Entry.kind,
            Entry.person_id,
            Entry.target,
            Entry.standing,
            Entry.pick,
            Entry.model_version,
            Entry.flag,
            Entry.suggestion_id,
        )
        .where(*about)
        .order_by(Entry.number)
    ):
        question_id, number, at_moment, kind, person_id, target, standing, pick, version, flag, suggestion = row
        assert question_id is not None  # it is one of `ids`
        told = tuple(verdicts[number])
        line = LedgerLine(number, at_moment, kind, person_id, target, standing, pick, version, told, flag, suggestion)
        lines[question_id].append(line)
    return lines


def settle_all(
    session: Session, question_ids: Sequence[int], at: datetime | None = None, view: TagView | None = None
) -> dict[int, Settled]:
    """What the ledger says about each of these questions; those it says nothing about are left out."""
    view = view or TagView(session, at)
    lines = read_lines(session, question_ids, at)
    view.load(verdict.key for some in lines.values() for line in some for verdict in line.verdicts)
    return {question: settle(some, view.resolve) for question, some in lines.items()}


def look_at(session: Session, question_id: int, at: datetime | None = None) -> QuestionView:
    """A question with its labels, now or as it was on a past day. Its text is today's: a redaction reaches back."""
    question = session.get(Question, question_id)
    if question is None or (at is not None and question.created_at > at):
        if at is None:
            raise NotFound("question.not_found", question=question_id)
        raise NotFound("question.not_yet", question=question_id, moment=at.isoformat())
    view = TagView(session, at)
    prior = list(
        session.execute(
            select(PriorLabel.key, PriorLabel.text)
            .where(PriorLabel.question_id == question_id)
            .order_by(PriorLabel.place)
        ).all()
    )
    view.load(key for key, _ in prior)
    return QuestionView(
        id=question.id,
        title=question.title,
        description=question.description,
        source=question.source,
        external_id=question.external_id,
        prior_tags=tuple(dict.fromkeys(view.resolve(key, text)[1] for key, text in prior)),
        settled=settle_all(session, [question_id], at, view).get(question_id, Settled(state="none")),
        redacted=question.redacted_at is not None,
    )
