"""How a change of tags is carried out and taken back: as rows before and after, in the ledger (plans: planning.py)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.ledger.stored_text import StoredText, keep
from db.ledger.tally import lock_item, recount
from db.messages import Message
from db.spellings.names import tag_key
from db.spellings.new_tags import free_number
from db.spellings.view import spellings
from db.store import locks
from db.store.moments import next_moment
from db.store.settings import next_tag_revision
from db.store.tables import Entry, PriorLabel, QueueItem, Tag, TagChange, TagName, Verdict
from db.tags.images import (
    COLUMNS,
    Change,
    RowsNow,
    apply,
    difference,
    names_now,
    still,
    tags_now,
    write_down,
)
from db.tags.import_undo import all_numbers, bring_back, steps_from_new, take_away

SHOWN = 5  # names of tags that an undo leaves
DETAILS = {"parent_id", "external_id", "definition"}  # those that change no label


@dataclass(frozen=True)
class Plan:
    """A change of tags that has not happened yet: show it, then `carry_out`."""

    operation: str
    summary: Message  # one sentence
    changes: tuple[Change, ...]
    decisions: int = 0  # verdicts whose tag is read differently afterwards
    questions: int = 0  # on so many questions
    prior_labels: int = 0
    new_tag: str | None = None  # a tag that carrying it out creates,
    parent_id: int | None = None  # below this one
    takes_back: int | None = None  # the entry that an undo takes back
    keys: tuple[str, ...] = ()  # the spellings concerned


def make_plan(
    session: Session, operation: str, summary: Message, changes: Sequence[Change], keys: Sequence[str], **more
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
        prior = session.scalars(select(func.count()).select_from(PriorLabel).where(PriorLabel.key.in_(keys))).one()
    return Plan(operation, summary, tuple(changes), decisions, questions, prior, keys=tuple(keys), **more)


def plan_undo(session: Session, number: int) -> Plan:
    """The way back from an earlier change, as long as nothing newer depends on it."""
    entry = session.get(Entry, number)
    if entry is None or entry.kind != "tag":
        raise NotFound("tag_change.missing", number=number)
    steps = steps_from_new(session, entry)
    if steps is not None:
        return _plan_undo_of_new(session, entry, taking_away=steps % 2 == 0)
    done = session.scalars(select(TagChange).where(TagChange.entry_number == number).order_by(TagChange.place)).all()
    changes, touched, rows = [], [], RowsNow(session, done)
    for change in reversed(done):
        if change.key is not None and not change.before and entry.payload["operation"] == "rename":
            continue  # a spelling that a rename brought in stays as an alias: decisions since may use it
        now = rows.row(change)
        if not still(change.after, now, change.before):
            what = change.after.get("name") or change.after.get("text") or change.key
            raise Refused("tag_change.changed_again", name=what, number=number)
        if change.tag_id is not None:
            if not change.before:  # a tag that the change made: it stays, leading back to where it came from
                origin = next(c.before["tag_id"] for c in done if c.key is not None)
                after = {**now, "status": "merged", "merged_into_id": origin}
            else:
                after = {**now, **difference(change.after, change.before)}
            if not difference(now, after).keys() <= DETAILS:
                touched += spellings(session, change.tag_id)
            changes.append(Change(tag_id=change.tag_id, before=now, after=after))
        elif change.key is not None:
            touched.append(change.key)
            changes.append(Change(key=change.key, before=now, after=change.before))
    _check_sound(session, changes)
    summary = Message("tag_change.undo", {"number": number, "summary": StoredText(entry.payload["summary"])})
    return make_plan(session, "undo", summary, changes, touched, takes_back=number)


def _plan_undo_of_new(session: Session, entry: Entry, *, taking_away: bool) -> Plan:
    """Of new tags: what is used by now stays. Any number of an import stands for all of it."""
    number = entry.payload.get("part_of", entry.number)
    way = take_away(session, all_numbers(session, number)) if taking_away else bring_back(session, number)
    if not way.changes:
        raise Refused("tag_change.nothing_left", number=number)
    _check_sound(session, way.changes)
    about = {"number": number, "summary": StoredText(entry.payload["summary"])}
    summary = Message("tag_change.undo", about)
    if way.staying:
        names = ", ".join(way.staying[:SHOWN]) + (" ..." if len(way.staying) > SHOWN else "")
        summary = Message("tag_change.undo_part", {**about, "staying": len(way.staying), "names": names})
    return make_plan(session, "undo", summary, way.changes, way.keys, takes_back=number)


def carry_out(session: Session, plan: Plan, person_id: int) -> int:
    """Do it: one entry in the ledger, whose number is the way back. Raises Refused if the tags changed meanwhile."""
    people.require(session, person_id, "change tags")
    locks.change_tags(session)
    shared = _lock_shared_questions(session, _keys_now(session, plan))
    revision = next_tag_revision(session)
    changes, made = list(plan.changes), None
    if plan.new_tag is not None:
        tag = Tag(
            id=free_number(session),
            name=plan.new_tag,
            parent_id=plan.parent_id,
            first_seen_by=person_id,
            revision=revision,
        )
        session.add(tag)
        session.flush()
        changes = [
            Change(key=change.key, before=change.before, after={**change.after, "tag_id": tag.id}) for change in changes
        ]
        made = Change(tag_id=tag.id, before={}, after=_tag_row(tag))
        changes.append(made)
    rows = RowsNow(session, changes)
    as_planned = all(c is made or still(c.before, rows.row(c), c.after) for c in changes)
    goes = any(c.tag_id is not None and not c.after for c in changes)  # only when new tags are taken back
    if as_planned and goes and plan.takes_back is not None:  # somebody may have used them since
        as_planned = plan_undo(session, plan.takes_back).changes == plan.changes
    if not as_planned:
        raise Refused("tag_change.changed_meanwhile")
    _check_sound(session, changes)
    payload = {"operation": plan.operation, "summary": keep(plan.summary)}
    entry = Entry(at=next_moment(session), kind="tag", person_id=person_id, target=plan.takes_back, payload=payload)
    session.add(entry)
    session.flush()
    apply(session, changes, revision, person_id)
    write_down(session, entry.number, changes)
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


def _check_sound(session: Session, changes: Sequence[Change]) -> None:
    """Refuse what would take a tag's own name from it, or lead a tag back to itself."""
    tags = {change.tag_id: change for change in changes if change.tag_id is not None}
    moved = [change for change in changes if change.key is not None]
    owners = {change.key: change.after.get("tag_id") for change in moved}
    rows = tags_now(session, {*tags, *(row["tag_id"] for c in moved for row in (c.before, c.after) if row)})
    for number, change in tags.items():
        rows[number] = {**rows.get(number, {}), **difference(change.before, change.after)} if change.after else {}
    # Those that change come first: of a circle they are what is to be named.
    rows = {number: rows[number] for number in sorted(rows, key=lambda n: (n not in tags, n)) if rows[number]}
    names = names_now(session, {tag_key(row["name"]) for row in rows.values()} - owners.keys())
    owners |= {key: row["tag_id"] for key, row in names.items()}
    for tag_id, row in rows.items():
        if owners.get(tag_key(row["name"])) != tag_id and row["status"] != "merged":
            raise Refused("tag_change.not_its_name", name=row["name"])
    if name := _in_circle(session, rows, "merged_into_id"):
        raise Refused("tag_change.merged_into_itself", name=name)
    if name := _in_circle(session, rows, "parent_id"):
        raise Refused("tag_change.below_itself", name=name)


def _in_circle(session: Session, rows: Mapping[int, dict], column: str) -> str | None:
    """The name of the first tag that following `column` leads back to; None if there is none."""
    above = {tag_id: row[column] for tag_id, row in rows.items()}
    circle = (row["name"] for tag_id, row in rows.items() if _leads_to(session, row[column], tag_id, column, above))
    return next(circle, None)


def _leads_to(session: Session, tag_id: int | None, goal: int, column: str, above: dict[int, int | None]) -> bool:
    """Whether following `column` from tag to tag comes to `goal`; `above` says where, and learns more."""
    seen = set()
    while tag_id is not None and tag_id != goal and tag_id not in seen:
        seen.add(tag_id)
        if tag_id not in above:
            above[tag_id] = session.scalar(select(getattr(Tag, column)).where(Tag.id == tag_id))
        tag_id = above[tag_id]
    return tag_id is not None and tag_id == goal


def _keys_now(session: Session, plan: Plan) -> set[str]:
    """The spellings concerned: those of the plan, and what others have made spellings of its tags since."""
    moved = [c.tag_id for c in plan.changes if c.tag_id and not difference(c.before, c.after).keys() <= DETAILS]
    return {*plan.keys, *(key for tag_id in moved for key in spellings(session, tag_id))}


def _lock_shared_questions(session: Session, keys: Collection[str]) -> list[QueueItem]:
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
