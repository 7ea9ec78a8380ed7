"""Tags: what they are called, and how they change: rename, merge, alias, split, deprecate, each with a way back.

A change is first a plan, which says what it would touch (the dry run), and then an entry in the ledger with every row
before and after. No decision is ever rewritten: labels are resolved when they are read (db.spellings.view).
"""

from collections import Counter

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from db.errors import NotFound, Refused
from db.ledger.replay import POSITIVE
from db.messages import Message
from db.spellings.names import check_new_tag, tag_key
from db.spellings.view import spellings
from db.store.free_text import storable
from db.store.settings import next_tag_revision
from db.store.tables import PriorLabel, Tag, TagName, Verdict
from db.tags.changes import Plan, carry_out, make_plan, name_row, plan_undo, tag_change
from db.tags.images import Change

__all__ = [
    "Plan",
    "carry_out",
    "find",
    "names",
    "plan_alias",
    "plan_create",
    "plan_details",
    "plan_merge",
    "plan_rename",
    "plan_split",
    "plan_status",
    "plan_undo",
    "recount_uses",
]


def find(session: Session, name: str) -> Tag:
    """The tag with this name, alias or number (`#12`), as it is: a merged tag is not followed."""
    tag = session.scalar(select(Tag).join(TagName, TagName.tag_id == Tag.id).where(TagName.key == tag_key(name)))
    if tag is None and name.startswith("#") and name[1:].isdecimal() and len(name) < 20:  # no larger numbers
        tag = session.get(Tag, int(name[1:]))
    if tag is None:
        raise NotFound("tag.missing", name=name)
    return tag


def names(session: Session, tag_id: int) -> list[str]:
    """All spellings of a tag, its name first, then its aliases in the order of their keys."""
    tag = session.get_one(Tag, tag_id)
    spellings = session.execute(select(TagName.key, TagName.text).where(TagName.tag_id == tag_id)).all()
    return [tag.name, *(text for key, text in sorted(spellings) if key != tag_key(tag.name))]


def plan_create(session: Session, name: str, parent: str = "") -> Plan:
    """A tag that no question came with and no decision has given yet; `parent` is the tag above it, empty for none."""
    name = check_new_tag(name)
    key = tag_key(name)
    owner = session.get(TagName, key)
    if owner is not None:
        raise Refused("tag.there_already", name=name, tag=session.get_one(Tag, owner.tag_id).name)
    above = find(session, parent) if parent else None
    summary = Message("tag_change.create", {"name": name})
    if above is not None:
        summary = Message("tag_change.create_below", {"name": name, "parent": above.name})
    # The new tag's id is known only when it is made: carry_out fills it in.
    change = Change(key=key, before={}, after={"text": name, "tag_id": None})
    parent_id = above.id if above is not None else None
    return make_plan(session, "create", summary, [change], [key], new_tag=name, parent_id=parent_id)


def plan_rename(session: Session, name: str, new_name: str) -> Plan:
    """Another name; the old one stays as an alias, so that nothing that uses it is lost."""
    tag, new_name = find(session, name), check_new_tag(new_name)
    key = tag_key(new_name)
    owner = session.get(TagName, key)
    if owner is not None and owner.tag_id != tag.id:
        raise Refused("tag.name_taken", new=new_name, name=tag.name)
    if new_name == tag.name:
        raise Refused("tag.called_so", name=new_name)
    changes = [tag_change(tag, name=new_name)]
    if owner is None:
        changes.append(Change(key=key, before={}, after={"text": new_name, "tag_id": tag.id}))
    elif owner.text != new_name:
        changes.append(Change(key=key, before=name_row(owner), after={"text": new_name, "tag_id": tag.id}))
    summary = Message("tag_change.rename", {"name": tag.name, "new": new_name})
    return make_plan(session, "rename", summary, changes, spellings(session, tag.id))


def plan_merge(session: Session, name: str, into: str) -> Plan:
    """Read every label of one tag as another. The merged tag's spellings lead to the other from then on."""
    tag, target = find(session, name), find(session, into)
    if tag.status == "merged":
        raise Refused("tag.merged_already", name=tag.name)
    end, steps = target, 0
    while end.merged_into_id is not None:
        end, steps = session.get_one(Tag, end.merged_into_id), steps + 1
    if tag.id in (target.id, end.id):
        raise Refused("tag.merged_into_itself", name=tag.name)
    change = tag_change(tag, status="merged", merged_into_id=target.id)
    summary = Message("tag_change.merge", {"name": tag.name, "into": target.name})
    return make_plan(session, "merge", summary, [change], spellings(session, tag.id))


def plan_alias(session: Session, name: str, alias: str) -> Plan:
    """Another spelling of a tag."""
    tag, alias = find(session, name), check_new_tag(alias)
    owner = session.get(TagName, tag_key(alias))
    if owner is not None:
        if owner.tag_id == tag.id:
            raise Refused("tag.means_it", alias=alias, name=tag.name)
        raise Refused("tag.means_another", alias=alias, name=session.get_one(Tag, owner.tag_id).name)
    change = Change(key=tag_key(alias), before={}, after={"text": alias, "tag_id": tag.id})
    summary = Message("tag_change.alias", {"alias": alias, "name": tag.name})
    return make_plan(session, "alias", summary, [change], [tag_key(alias)])


def plan_split(session: Session, alias: str) -> Plan:
    """Make an alias a tag of its own again; what was labelled with that spelling goes with it."""
    key = tag_key(alias)
    owner = session.get(TagName, key)
    if owner is None:
        raise NotFound("tag.spelling_missing", name=alias)
    tag = session.get_one(Tag, owner.tag_id)
    if tag_key(tag.name) == key:
        raise Refused("tag.own_name", alias=alias)
    # The new tag's id is known only when it is made: carry_out fills it in.
    change = Change(key=key, before=name_row(owner), after={"text": owner.text, "tag_id": None})
    summary = Message("tag_change.split", {"alias": owner.text, "name": tag.name})
    return make_plan(session, "split", summary, [change], [key], new_tag=owner.text)


def plan_status(session: Session, name: str, status: str) -> Plan:
    """Deprecate a tag, or make it active again. A deprecated tag can still be used, with a warning."""
    if status not in ("active", "deprecated"):
        raise Refused("tag.status_not_set", status=status)
    tag = find(session, name)
    if tag.status == "merged":
        raise Refused("tag.merged", name=tag.name)
    if tag.status == status:
        raise Refused(f"tag.{status}_already", name=tag.name)
    operation = "deprecate" if status == "deprecated" else "reactivate"
    summary = Message(f"tag_change.{operation}", {"name": tag.name})
    return make_plan(session, operation, summary, [tag_change(tag, status=status)], spellings(session, tag.id))


def plan_details(session: Session, name: str, **details: str | None) -> Plan:
    """Set `definition`, `external_id` or `parent` (a tag's name; empty for none)."""
    tag = find(session, name)
    columns: dict = {}
    for detail, value in details.items():
        if detail == "parent":
            columns["parent_id"] = _parent_id(session, tag, value) if value else None
        elif detail in ("definition", "external_id"):
            columns[detail] = storable(value or "") or ("" if detail == "definition" else None)
        else:
            raise Refused("tag.no_detail", detail=detail)
    change = tag_change(tag, **columns)
    if change.before == change.after:
        raise Refused("tag.no_change", name=tag.name)
    changed = [Message(f"tag_change.{detail}") for detail in details]
    summary = Message("tag_change.details", {"details": changed, "name": tag.name})
    return make_plan(session, "details", summary, [change], [])


def recount_uses(session: Session) -> None:
    """Count again how often each tag is used: prior labels and tags that were accepted or added."""
    counted: Counter[int] = Counter()
    came = select(TagName.tag_id, func.count()).join(PriorLabel, PriorLabel.key == TagName.key)
    taken = select(TagName.tag_id, func.count()).join(Verdict, Verdict.key == TagName.key)
    for query in (came, taken.where(Verdict.verdict.in_(POSITIVE))):
        counted.update(dict(session.execute(query.group_by(TagName.tag_id)).all()))
    revision = next_tag_revision(session)
    changed = [
        {"id": tag_id, "uses": counted[tag_id], "revision": revision}
        for tag_id, uses in session.execute(select(Tag.id, Tag.uses).order_by(Tag.id))
        if uses != counted[tag_id]
    ]
    if changed:
        session.execute(update(Tag), changed)


def _parent_id(session: Session, tag: Tag, parent: str) -> int:
    chosen = find(session, parent)
    above: Tag | None = chosen
    while above is not None:
        if above.id == tag.id:
            raise Refused("tag.stands_below", parent=chosen.name, name=tag.name)
        above = session.get(Tag, above.parent_id) if above.parent_id is not None else None
    return chosen.id
