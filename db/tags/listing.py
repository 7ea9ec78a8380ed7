"""Tags to read: all of them in a list, or one with everything that is known about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from db.errors import Refused
from db.ledger.replay import POSITIVE
from db.ledger.stored_text import StoredText
from db.store.tables import TAG_STATES, Entry, Person, PriorLabel, Question, Tag, TagChange, TagName, Verdict
from db.tags.names import tag_key
from db.tags.planning import find, names
from db.tags.view import TagView, spellings

ROWS_A_STEP = 1000  # in memory at a time
MAX_NAMES = 20


@dataclass(frozen=True)
class TagLine:
    name: str
    status: str
    uses: int
    merged_into: str | None = None


@dataclass(frozen=True)
class PastChange:
    """An entry of the ledger that changed the tag, one of its spellings, or a tag that was merged into it."""

    number: int
    at: datetime
    summary: StoredText


@dataclass(frozen=True)
class TagDetails:
    id: int
    name: str
    aliases: tuple[str, ...]
    status: str
    merged_into: str | None
    parent: str | None
    children: tuple[str, ...]  # the first MAX_NAMES
    external_id: str | None
    definition: str
    uses: int
    first_seen_at: datetime
    first_seen_by: str | None
    changes: tuple[PastChange, ...]  # the last MAX_NAMES, newest first


@dataclass(frozen=True)
class TagFacts:
    """What a person deciding about a tag wants to know."""

    name: str
    definition: str
    parent: str | None


def facts(session: Session, texts: Sequence[str]) -> dict[str, TagFacts]:
    """Text -> facts about the tag it means; texts that are no tag of the store are left out."""
    view = TagView(session)
    view.load(tag_key(text) for text in texts)
    ids = {text: view.tag_id(tag_key(text)) for text in texts}
    parent = aliased(Tag)
    rows = session.execute(
        select(Tag.id, Tag.name, Tag.definition, parent.name.label("parent"))
        .outerjoin(parent, parent.id == Tag.parent_id)
        .where(Tag.id.in_({number for number in ids.values() if number is not None}))
    )
    known = {row.id: TagFacts(row.name, row.definition, row.parent) for row in rows}
    return {text: known[number] for text, number in ids.items() if number is not None}


def list_tags(session: Session, status: str | None = None) -> Iterator[TagLine]:
    """Every tag, or those of one status, the most used first."""
    if status is not None and status not in TAG_STATES:
        raise Refused("tag.no_status", status=status, known=", ".join(TAG_STATES))
    target = aliased(Tag)
    query = select(Tag.name, Tag.status, Tag.uses, target.name).outerjoin(target, target.id == Tag.merged_into_id)
    if status is not None:
        query = query.where(Tag.status == status)
    query = query.order_by(Tag.uses.desc(), Tag.id)
    for row in session.execute(query.execution_options(yield_per=ROWS_A_STEP)):
        yield TagLine(*row)


def describe(session: Session, name: str) -> TagDetails:
    """The tag with this name, alias or number (`#12`); raises NotFound."""
    tag = find(session, name)
    first, *aliases = names(session, tag.id)
    children = select(Tag.name).where(Tag.parent_id == tag.id).order_by(Tag.uses.desc(), Tag.id).limit(MAX_NAMES)
    seen_by = session.get(Person, tag.first_seen_by) if tag.first_seen_by is not None else None
    return TagDetails(
        id=tag.id,
        name=first,
        aliases=tuple(aliases),
        status=tag.status,
        merged_into=_name(session, tag.merged_into_id),
        parent=_name(session, tag.parent_id),
        children=tuple(session.scalars(children)),
        external_id=tag.external_id,
        definition=tag.definition,
        uses=tag.uses,
        first_seen_at=tag.first_seen_at,
        first_seen_by=seen_by.name if seen_by is not None else None,
        changes=tuple(_changes(session, tag.id)),
    )


def example_questions(session: Session, tag_id: int, limit: int = 2) -> list[str]:
    """Titles of some questions that people gave this tag, or that came with it."""
    keys = spellings(session, tag_id)
    titles = select(Question.title).where(Question.redacted_at.is_(None))
    given = select(Entry.question_id).join(Verdict, Verdict.entry_number == Entry.number)
    given = given.where(Verdict.key.in_(keys), Verdict.verdict.in_(POSITIVE))
    came = select(PriorLabel.question_id).where(PriorLabel.key.in_(keys))
    found: dict[str, None] = {}
    for numbers in (given.order_by(Entry.number.desc()), came.order_by(PriorLabel.question_id.desc())):
        some = numbers.limit(2 * limit).subquery()  # several people may have decided about one question
        found |= dict.fromkeys(session.scalars(titles.where(Question.id.in_(select(some))).order_by(Question.id)))
        if len(found) >= limit:
            break
    return list(found)[:limit]


def _name(session: Session, tag_id: int | None) -> str | None:
    return session.get_one(Tag, tag_id).name if tag_id is not None else None


def _changes(session: Session, tag_id: int) -> Iterator[PastChange]:
    keys = select(TagName.key).where(TagName.tag_id == tag_id)
    merged = select(Tag.id).where((Tag.id == tag_id) | (Tag.merged_into_id == tag_id))
    numbers = select(TagChange.entry_number).where(TagChange.tag_id.in_(merged) | TagChange.key.in_(keys))
    entries = select(Entry).where(Entry.number.in_(numbers)).order_by(Entry.number.desc()).limit(MAX_NAMES)
    for entry in session.scalars(entries):
        yield PastChange(entry.number, entry.at, StoredText(entry.payload["summary"]))
