"""The ledger read backwards: who decided what about which question, what was taken back, and what is in conflict."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from db.ledger.labels import ABOUT_QUESTIONS, settle_all
from db.ledger.replay import POSITIVE, LedgerLine, undos_in_force
from db.store.free_text import shown
from db.store.tables import ENTRY_KINDS, Comment, Entry, Person, Question, QueueItem, Verdict
from db.tags.names import tag_key
from db.tags.view import TagView, spellings

A_PAGE = 50
# By what they are not, as in db.transfer.export: for `kind IN (...)` SQLite would sort the whole ledger to find its
# end.
OTHER_KINDS = tuple(kind for kind in ENTRY_KINDS if kind not in ABOUT_QUESTIONS)


@dataclass(frozen=True)
class HistoryLine:
    """An entry about a question. Tags are spelled as they were written then; `title` is the question's today."""

    number: int  # the receipt
    at: datetime
    kind: str  # decision, review or undo
    person_id: int | None
    person: str
    question_id: int
    title: str
    standing: str | None = None
    model_version: str | None = None
    pick: str | None = None
    flag: str | None = None
    target: int | None = None  # the entry it takes back (undo) or replaces (a change of mind)
    comment: str = ""
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    undone_by: int | None = None  # the undo in force that takes it back
    undone_by_person: int | None = None


@dataclass(frozen=True)
class Opinion:
    """One person's word on a question in conflict; tags are spelled as they are named now."""

    number: int
    at: datetime
    person: str
    standing: str | None
    accepted: tuple[str, ...]
    added: tuple[str, ...]
    rejected: tuple[str, ...]
    comment: str = ""
    flag: str | None = None

    @property
    def tags(self) -> tuple[str, ...]:
        return (*self.accepted, *self.added)


@dataclass(frozen=True)
class Conflict:
    """A question whose opinions differ and that no review has settled."""

    question_id: int
    title: str
    description: str
    source: str
    majority: tuple[str, ...]  # the tags that more than half of the answers hold
    agreement: float | None
    opinions: tuple[Opinion, ...]

    @property
    def tags(self) -> tuple[str, ...]:
        """Every tag that somebody holds, those of the majority first."""
        return tuple(dict.fromkeys([*self.majority, *(tag for opinion in self.opinions for tag in opinion.tags)]))


def recent_entries(
    session: Session,
    *,
    person_id: int | None = None,
    before: int | None = None,
    limit: int = A_PAGE,
    question_text: str = "",
    tag: str = "",
    number: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    flags: Sequence[str] | None = None,
    commented: bool = False,
) -> list[HistoryLine]:
    """Decisions, reviews and undos, newest first; the next page is the one `before` the last number of this one.

    question_text: a part of title or description. tag: a part of a tag, or any spelling of one. `until` is exclusive.
    flags: one of these was raised; an empty list means any at all.
    """
    query = (
        select(Entry, Question.id, Question.title, Person.name, Comment.text)
        .join(Question, Question.id == Entry.question_id)
        .outerjoin(Person, Person.id == Entry.person_id)
        .outerjoin(Comment, Comment.entry_number == Entry.number)
        .where(Entry.kind.not_in(OTHER_KINDS))
        .order_by(Entry.number.desc())
        .limit(limit)
    )
    if person_id is not None:
        query = query.where(Entry.person_id == person_id)
    if before is not None:
        query = query.where(Entry.number < before)
    if number is not None:
        query = query.where(Entry.number == number)
    if since is not None:
        query = query.where(Entry.at >= since)
    if until is not None:
        query = query.where(Entry.at < until)
    if flags is not None:
        query = query.where(Entry.flag.in_(flags) if flags else Entry.flag.is_not(None))
    if commented:
        query = query.where(Comment.text != "")
    if question_text.strip():
        query = query.where(_contains(question_text.strip(), Question.title, Question.description))
    if tag_key(tag):
        query = query.where(_has_tag(session, tag))
    rows = session.execute(query).all()
    numbers = [entry.number for entry, *_ in rows]
    verdicts = _verdicts(session, numbers)
    undone = _undone(session, {entry.question_id for entry, *_ in rows})
    return [_line(*row, verdicts[row[0].number], undone.get(row[0].number)) for row in rows]


def conflicts(session: Session, limit: int = 10, after: int = 0) -> list[Conflict]:
    """Questions in conflict, oldest first; the next ones come `after` the last id of these."""
    questions = session.execute(
        select(Question.id, Question.title, Question.description, Question.source)
        .join(QueueItem, QueueItem.question_id == Question.id)
        .where(QueueItem.conflict, Question.redacted_at.is_(None), Question.id > after)
        .order_by(Question.id)
        .limit(limit)
    ).all()
    view = TagView(session)
    settled = settle_all(session, [question.id for question in questions], view=view)
    lines = [line for about in settled.values() for line in about.opinions]
    names = _names(session, {line.person_id for line in lines})
    comments = _comments(session, [line.number for line in lines])
    return [
        Conflict(
            question_id=question.id,
            title=question.title,
            description=question.description,
            source=question.source,
            majority=settled[question.id].tags,
            agreement=settled[question.id].agreement,
            opinions=tuple(_opinion(line, names, comments, view) for line in settled[question.id].opinions),
        )
        for question in questions
    ]


def count_conflicts(session: Session) -> int:
    return session.scalars(
        select(func.count())
        .select_from(QueueItem)
        .join(Question, Question.id == QueueItem.question_id)
        .where(QueueItem.conflict, Question.redacted_at.is_(None))
    ).one()


def last_number(session: Session) -> int:
    """Of the newest entry: what was worked out from the ledger at this number still holds while it stays the same."""
    return session.scalar(select(func.max(Entry.number))) or 0


def count_questions(session: Session) -> int:
    """Questions that the ledger says anything about: how many an export has to look at."""
    about = (Entry.question_id.is_not(None), Entry.kind.not_in(OTHER_KINDS))
    return session.scalars(select(func.count(func.distinct(Entry.question_id))).where(*about)).one()


def _contains(part: str, *columns) -> ColumnElement[bool]:
    """One of the columns holds the text; % and _ in it stand for themselves, upper and lower case are one."""
    return or_(*(column.icontains(part, autoescape=True) for column in columns))


def _has_tag(session: Session, tag: str) -> ColumnElement[bool]:
    key = tag_key(tag)
    tag_id = TagView(session).tag_id(key)
    same = [key] if tag_id is None else spellings(session, tag_id)
    meant = Verdict.key.in_(same) | Verdict.key.contains(key, autoescape=True)
    return select(Verdict.key).where(Verdict.entry_number == Entry.number, meant).exists()


def _verdicts(session: Session, numbers: Sequence[int]) -> dict[int, dict[str, tuple[str, ...]]]:
    """Entry -> verdict -> tags, in the order they were given."""
    found: dict[int, dict[str, tuple[str, ...]]] = defaultdict(lambda: defaultdict(tuple))
    for number, text, verdict in session.execute(
        select(Verdict.entry_number, Verdict.text, Verdict.verdict)
        .where(Verdict.entry_number.in_(numbers))
        .order_by(Verdict.entry_number, Verdict.place)
    ):
        found[number][verdict] += (text,)
    return found


def _undone(session: Session, question_ids: Iterable[int | None]) -> dict[int, tuple[int, int | None]]:
    """Entry -> (number, person) of the undo in force that takes it back."""
    undos = session.execute(
        select(Entry.number, Entry.target, Entry.person_id).where(
            Entry.question_id.in_(question_ids), Entry.kind == "undo"
        )
    ).all()
    people = {undo.number: undo.person_id for undo in undos}
    undone = undos_in_force((undo.number, undo.target) for undo in undos)
    return {number: (undo, people[undo]) for number, undo in undone.items()}


def _line(
    entry: Entry,
    question_id: int,
    title: str,
    person: str | None,
    comment: str | None,
    verdicts: Mapping[str, tuple[str, ...]],
    undone: tuple[int, int | None] | None,
) -> HistoryLine:
    undone_by, undone_by_person = undone or (None, None)
    return HistoryLine(
        number=entry.number,
        at=entry.at,
        kind=entry.kind,
        person_id=entry.person_id,
        person=person or "",
        question_id=question_id,
        title=title,
        standing=entry.standing,
        model_version=entry.model_version,
        pick=entry.pick,
        flag=entry.flag,
        target=entry.target,
        comment=shown(comment, "comment"),
        accepted=verdicts["accepted"],
        rejected=verdicts["rejected"],
        added=verdicts["added"],
        undone_by=undone_by,
        undone_by_person=undone_by_person,
    )


def _names(session: Session, ids: Iterable[int | None]) -> dict[int, str]:
    return dict(session.execute(select(Person.id, Person.name).where(Person.id.in_(set(ids) - {None}))).all())


def _comments(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    query = select(Comment.entry_number, Comment.text).where(Comment.entry_number.in_(numbers))
    return dict(session.execute(query).all())


def _opinion(line: LedgerLine, names: dict[int, str], comments: dict[int, str], view: TagView) -> Opinion:
    def named(verdict: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(view.resolve(v.key, v.text)[1] for v in line.verdicts if v.verdict == verdict))

    accepted, added = (named(verdict) for verdict in POSITIVE)
    return Opinion(
        number=line.number,
        at=line.at,
        person="" if line.person_id is None else names.get(line.person_id, ""),
        standing=line.standing,
        accepted=accepted,
        added=tuple(tag for tag in added if tag not in accepted),
        rejected=named("rejected"),
        comment=shown(comments.get(line.number), "comment"),
        flag=line.flag,
    )
