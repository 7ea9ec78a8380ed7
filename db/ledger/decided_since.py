"""What memory reads: which lines the ledger has by now, and what was decided about the questions they are about."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.ledger.history import OTHER_KINDS, last_number
from db.ledger.labels import read_lines
from db.ledger.replay import POSITIVE, LedgerLine, Settled, settle
from db.spellings.view import TagView, parts, spellings
from db.store.tables import Entry, Question, SuggestedTag, Suggestion, TagChange, Verdict

MEMORY_KINDS = ("decision", "review", "undo", "redact", "tag")  # lines after which memory has to look again


@dataclass(frozen=True)
class Change:
    """A line of the ledger, by what tells whether memory has to look again."""

    number: int
    kind: str
    question_id: int | None  # of a decision, review, undo or redaction
    at: datetime


@dataclass(frozen=True)
class Serving:
    """What was put before the person who decided first, as it was before anybody had; and what they said to it.

    Tags are spelled as they were then.
    """

    suggestion_id: int
    tags: tuple[str, ...]  # that person's: accepted, and added by hand
    rejected: tuple[str, ...]
    unjudged: tuple[str, ...]
    figures: Mapping[str, Mapping[str, float]]  # tag -> what the ranker saw, of all tags that were stored, best first
    kept: tuple[str, ...]  # those over the cut


@dataclass(frozen=True)
class Decided:
    """A question and what people decided about it. Tags are spelled as they are named now."""

    question_id: int
    title: str
    description: str
    source: str
    tags: tuple[str, ...]
    rejected: tuple[str, ...]
    at: datetime  # of the newest line that counts
    number: int  # of that line
    serving: Serving | None


class ServedTag(NamedTuple):
    text: str
    kept: bool
    figures: dict[str, float]


def changes(session: Session, after: int, most: int) -> list[Change]:
    """The lines with greater numbers, oldest first, at most so many, of any kind.

    PostgreSQL gives a line its number before the commit that makes it seen: a number that is left out here may be on
    its way, or was given back and will never come.
    """
    rows = select(Entry.number, Entry.kind, Entry.question_id, Entry.at)
    return [
        Change(*row) for row in session.execute(rows.where(Entry.number > after).order_by(Entry.number).limit(most))
    ]


def among(session: Session, numbers: Collection[int]) -> list[Change]:
    """The lines with these numbers that are there, oldest first."""
    rows = select(Entry.number, Entry.kind, Entry.question_id, Entry.at).order_by(Entry.number)
    found = (session.execute(rows.where(Entry.number.in_(some))) for some in parts(set(numbers)))
    return [Change(*row) for some in found for row in some]


def newest(session: Session) -> int:
    """The greatest number of a line; 0 without any."""
    return last_number(session)


def decided(session: Session, question_ids: Collection[int], *, servings: bool = True) -> dict[int, Decided | None]:
    """What is in force about these questions; None where nothing is, where opinions differ so that no tag is left, and
    where the question is redacted. Without `servings` their figures are not read, which are most of the work.
    """
    view = TagView(session)
    found: dict[int, Decided | None] = dict.fromkeys(question_ids)
    for some in parts(set(question_ids)):
        lines = read_lines(session, some)
        view.load(verdict.key for about in lines.values() for line in about for verdict in line.verdicts)
        settled = {question: settle(about, view.resolve) for question, about in lines.items()}
        settled = {question: it for question, it in settled.items() if _is_decided(it)}
        served = _servings(session, lines, settled) if servings else {}
        texts = select(Question.id, Question.title, Question.description, Question.source)
        there = (Question.id.in_(settled), Question.redacted_at.is_(None))
        for question, title, description, source in session.execute(texts.where(*there)):
            it = settled[question]
            newest_line = max(it.counting, key=lambda line: line.number)
            found[question] = Decided(
                question_id=question,
                title=title,
                description=description,
                source=source,
                tags=it.tags,
                rejected=it.rejected,
                at=newest_line.at,
                number=newest_line.number,
                serving=served.get(question),
            )
    return found


def decided_after(session: Session, after_id: int, most: int) -> list[int]:
    """Questions with greater numbers that anybody ever decided about, at most so many, the smallest number first."""
    about = (Entry.kind.not_in(OTHER_KINDS), Entry.question_id > after_id)
    query = select(Entry.question_id).where(*about).distinct().order_by(Entry.question_id).limit(most)
    return [question for question in session.scalars(query) if question is not None]


def questions_with(session: Session, keys: Collection[str]) -> set[int]:
    """Questions about which somebody ever said anything of a tag with one of these spellings."""
    found: set[int] = set()
    for some in parts(set(keys)):
        query = select(Entry.question_id).join(Verdict, Verdict.entry_number == Entry.number)
        found.update(q for q in session.scalars(query.where(Verdict.key.in_(some)).distinct()) if q is not None)
    return found


def keys_of(session: Session, numbers: Collection[int]) -> set[str]:
    """The spellings that these lines of kind "tag" gave another meaning, or a tag of another name."""
    keys: set[str] = set()
    for some in parts(set(numbers)):
        rows = select(TagChange.key, TagChange.tag_id, TagChange.before, TagChange.after)
        for key, tag_id, before, after in session.execute(rows.where(TagChange.entry_number.in_(some))):
            if key is not None:
                keys.add(key)
            elif before and after and any(before[column] != after[column] for column in ("name", "merged_into_id")):
                keys.update(spellings(session, tag_id))  # of a tag that is made or goes, each is a change of its own
    return keys


def _is_decided(settled: Settled) -> bool:
    return settled.state != "none" and bool(settled.tags or settled.state != "conflict")


def _servings(
    session: Session, lines: Mapping[int, Sequence[LedgerLine]], settled: Mapping[int, Settled]
) -> dict[int, Serving]:
    """Question -> what was served to the first person whose decision counts and teaches how good suggestions are."""
    answers = {
        question: [line for line in it.counting if line.kind == "decision" and line.suggestion_id is not None]
        for question, it in settled.items()
    }
    known = _ledger_numbers(session, {line.suggestion_id for some in answers.values() for line in some})
    honest = {
        question: [
            line for line in some if line.suggestion_id in known and _is_first_look(line, known, lines[question])
        ]
        for question, some in answers.items()
    }
    tags = _served_tags(session, {line.suggestion_id for some in honest.values() for line in some})
    found = {}
    for question, some in honest.items():
        first = next((line for line in some if any(figures for _, _, figures in tags[line.suggestion_id])), None)
        if first is not None:
            found[question] = _serving(first, tags[first.suggestion_id])
    return found


def _ledger_numbers(session: Session, suggestions: Collection[int | None]) -> dict[int | None, int]:
    """Suggestion -> the line it knew, of those whose votes are votes."""
    rows = select(Suggestion.id, Suggestion.ledger_number)
    return dict(session.execute(rows.where(Suggestion.id.in_(suggestions), ~Suggestion.mixed_votes)).all())


def _is_first_look(line: LedgerLine, known: Mapping[int | None, int], about: Sequence[LedgerLine]) -> bool:
    """Nothing had been decided about the question that the suggestion could have learned from: who changes their mind,
    or comes second, may be shown what their own question taught."""
    earlier = [other for other in about if other.number <= known[line.suggestion_id]]
    return settle(earlier).state == "none"


def _served_tags(session: Session, suggestions: Collection[int | None]) -> dict[int | None, list[ServedTag]]:
    rows = (
        select(SuggestedTag.suggestion_id, SuggestedTag.text, SuggestedTag.kept, SuggestedTag.figures)
        .where(SuggestedTag.suggestion_id.in_(suggestions))
        .order_by(SuggestedTag.suggestion_id, SuggestedTag.rank)
    )
    found: dict[int | None, list[ServedTag]] = {number: [] for number in suggestions}
    for number, *tag in session.execute(rows):
        found[number].append(ServedTag(*tag))
    return found


def _serving(line: LedgerLine, served: Sequence[ServedTag]) -> Serving:
    def told(*verdicts: str) -> tuple[str, ...]:
        return tuple(verdict.text for verdict in line.verdicts if verdict.verdict in verdicts)

    assert line.suggestion_id is not None  # as of all that were served something
    return Serving(
        suggestion_id=line.suggestion_id,
        tags=told(*POSITIVE),
        rejected=told("rejected"),
        unjudged=told("unjudged"),
        figures={tag.text: tag.figures for tag in served},
        kept=tuple(tag.text for tag in served if tag.kept),
    )
