"""How a change of tags is carried out and taken back: as rows before and after, in the ledger (db.tags plans them)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.labels import next_moment
from db.models import Entry, PriorLabel, QueueItem, Tag, TagChange, TagName, Verdict
from db.names import tag_key
from db.queue import lock_item, recount
from db.settings import next_tag_revision
from db.tag_view import spellings

# The columns of a tag that a change may touch; a change keeps all of them, before and after.
COLUMNS = ("name", "status", "merged_into_id", "parent_id", "external_id", "definition")
DETAILS = {"parent_id", "external_id", "definition"}  # those that change no label


@dataclass(frozen=True)
class Change:
    """One row before and after; an empty row is not there. Either of `tags` (by id) or of `tag_names` (by key)."""

    before: dict
    after: dict
    tag_id: int | None = None
    key: str | None = None


@dataclass(frozen=True)
class Plan:
    """A change of tags that has not happened yet: show it, then `carry_out`."""

    operation: str
    summary: str  # one English sentence
    changes: tuple[Change, ...]
    decisions: int = 0  # verdicts whose tag is read differently afterwards
    questions: int = 0  # on so many questions
    prior_labels: int = 0
    new_tag: str | None = None  # a tag that carrying it out creates
    takes_back: int | None = None  # the entry that an undo takes back
    keys: tuple[str, ...] = ()  # the spellings concerned


def make_plan(
    session: Session, operation: str, summary: str, changes: Sequence[Change], keys: Sequence[str], **more
) -> Plan:
    """A plan with its dry run: how many decisions and prior labels use the spellings concerned."""
    decisions = questions = prior = 0
    if keys:
        decisions, questions = session.execute(
            select(func.count(), func.count(func.distinct(Entry.question_id)))
            .select_from(Verdict)
            .join(Entry, Entry.number == Verdict.entry_number)
            .where(Verdict.key.in_(keys))
        ).one()
        prior = session.scalar(select(func.count()).select_from(PriorLabel).where(PriorLabel.key.in_(keys)))
    return Plan(operation, summary, tuple(changes), decisions, questions, prior, keys=tuple(keys), **more)


def plan_undo(session: Session, number: int) -> Plan:
    """The way back from an earlier change, as long as nothing newer depends on it."""
    entry = session.get(Entry, number)
    if entry is None or entry.kind != "tag":
        raise NotFound(f"Entry {number} is not a change of tags.")
    done = session.scalars(select(TagChange).where(TagChange.entry_number == number).order_by(TagChange.place)).all()
    changes, touched = [], []
    for change in reversed(done):
        if change.key is not None and not change.before and entry.payload["operation"] == "rename":
            continue  # a spelling that a rename brought in stays as an alias: decisions since may use it
        now = _row_now(session, change)
        if not _still(change.after, now, change.before):
            what = change.after.get("name") or change.after.get("text") or change.key
            raise Refused(f"{what} was changed again after entry {number}. Take the newer change back first.")
        if change.tag_id is not None:
            if not change.before:  # a tag that the change made: it stays, leading back to where it came from
                origin = next(c.before["tag_id"] for c in done if c.key is not None)
                after = {**now, "status": "merged", "merged_into_id": origin}
            else:
                after = {**now, **_difference(change.after, change.before)}
            if not _difference(now, after).keys() <= DETAILS:
                touched += spellings(session, change.tag_id)
            changes.append(Change(tag_id=change.tag_id, before=now, after=after))
        else:
            touched.append(change.key)
            changes.append(Change(key=change.key, before=now, after=change.before))
    _check_sound(session, changes)
    summary = f"Take back entry {number}: {entry.payload['summary']}"
    return make_plan(session, "undo", summary, changes, touched, takes_back=number)


def carry_out(session: Session, plan: Plan, person_id: int) -> int:
    """Do it: one entry in the ledger, whose number is the way back. Raises Refused if the tags changed meanwhile."""
    people.require(session, person_id, "change tags")
    shared = _lock_shared_questions(session, plan.keys)
    revision = next_tag_revision(session)
    changes, made = list(plan.changes), None
    if plan.new_tag is not None:
        tag = Tag(name=plan.new_tag, first_seen_by=person_id, revision=revision)
        session.add(tag)
        session.flush()
        changes = [
            Change(key=change.key, before=change.before, after={**change.after, "tag_id": tag.id}) for change in changes
        ]
        made = Change(tag_id=tag.id, before={}, after=_tag_row(tag))
        changes.append(made)
    for change in changes:
        if change is not made and not _still(change.before, _row_now(session, change), change.after):
            raise Refused("The tags were changed by somebody else meanwhile. Look at the plan again.")
    _check_sound(session, changes)
    payload = {"operation": plan.operation, "summary": plan.summary}
    entry = Entry(at=next_moment(session), kind="tag", person_id=person_id, target=plan.takes_back, payload=payload)
    session.add(entry)
    session.flush()
    for place, change in enumerate(changes):
        _apply(session, change, revision)
        session.add(
            TagChange(
                entry_number=entry.number,
                place=place,
                tag_id=change.tag_id,
                key=change.key,
                before=change.before,
                after=change.after,
            )
        )
    session.flush()
    for item in shared:  # two opinions may have become one, or one two
        recount(session, item)
    return entry.number


def tag_change(tag: Tag, **columns) -> Change:
    before = _tag_row(tag)
    return Change(tag_id=tag.id, before=before, after={**before, **columns})


def _tag_row(tag: Tag) -> dict:
    return {column: getattr(tag, column) for column in COLUMNS}


def name_row(name: TagName) -> dict:
    return {"text": name.text, "tag_id": name.tag_id}


def _row_now(session: Session, change: Change | TagChange) -> dict:
    if change.tag_id is not None:
        tag = session.get(Tag, change.tag_id, populate_existing=True)
        return {} if tag is None else _tag_row(tag)
    name = session.get(TagName, change.key, populate_existing=True)
    return {} if name is None else name_row(name)


def _difference(old: Mapping, new: Mapping) -> dict:
    """What `new` has that `old` has not, or has otherwise."""
    return {column: value for column, value in new.items() if column not in old or old[column] != value}


def _still(expected: Mapping, now: Mapping, other: Mapping) -> bool:
    """Whether a row is still as a change expects it, in the columns that the change is about."""
    about = _difference(other, expected)
    return bool(now) == bool(expected) and all(now[column] == value for column, value in about.items())


def _check_sound(session: Session, changes: Sequence[Change]) -> None:
    """Refuse what would take a tag's own name from it, or lead a tag back to itself."""
    tags = {change.tag_id: change for change in changes if change.tag_id is not None}
    moved = [change for change in changes if change.key is not None]
    owners = {change.key: change.after.get("tag_id") for change in moved}
    for tag_id in sorted({*tags, *(row["tag_id"] for change in moved for row in (change.before, change.after) if row)}):
        row = _tag_row(session.get_one(Tag, tag_id, populate_existing=True))
        if tag_id in tags:
            row |= _difference(tags[tag_id].before, tags[tag_id].after)
        key = tag_key(row["name"])
        owner = owners[key] if key in owners else session.scalar(select(TagName.tag_id).where(TagName.key == key))
        if owner != tag_id and row["status"] != "merged":
            raise Refused(f"{row['name']} would not be the tag's own name, after newer changes. Take those back first.")
        for column, what in (("merged_into_id", "be merged into"), ("parent_id", "stand below")):
            if row[column] is not None and _leads_to(session, row[column], tag_id, column):
                raise Refused(f"{row['name']} would {what} itself, after newer changes. Take those back first.")


def _leads_to(session: Session, tag_id: int | None, goal: int, column: str) -> bool:
    """Whether following `column` from tag to tag comes to `goal`."""
    while tag_id is not None and tag_id != goal:
        tag_id = session.scalar(select(getattr(Tag, column)).where(Tag.id == tag_id))
    return tag_id is not None


def _apply(session: Session, change: Change, revision: int) -> None:
    if change.tag_id is not None:
        tag = session.get_one(Tag, change.tag_id)
        for column, value in _difference(change.before, change.after).items():
            setattr(tag, column, value)
        tag.revision = revision
        for row in (change.before, change.after):  # the spellings of a merged tag are found under the other
            if row.get("merged_into_id") is not None:
                session.get_one(Tag, row["merged_into_id"]).revision = revision
        return
    name = session.get(TagName, change.key)
    for tag_id in {row["tag_id"] for row in (change.before, change.after) if row}:
        session.get_one(Tag, tag_id).revision = revision  # its spellings changed: indexes must look again
    if not change.after:
        session.delete(name)
    elif name is None:
        session.add(TagName(key=change.key, **change.after))
    else:
        name.text, name.tag_id = change.after["text"], change.after["tag_id"]
    session.flush()


def _lock_shared_questions(session: Session, keys: tuple[str, ...]) -> list[QueueItem]:
    """Questions with several opinions that use these spellings, locked before the tags are: the order of all locks."""
    concerned = (
        select(Entry.question_id).join(Verdict, Verdict.entry_number == Entry.number).where(Verdict.key.in_(keys))
    )
    shared = (
        select(QueueItem.question_id)
        .where(QueueItem.answers > 1, QueueItem.question_id.in_(concerned))
        .order_by(QueueItem.question_id)
    )
    return [lock_item(session, question) for question in session.scalars(shared).all()]
