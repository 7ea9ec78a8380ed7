"""The way back from what brought new tags, and the way there again (db.tags.changes carries out): a tag that was made,
or an import, all of it by one number.

An import may be long ago and large. What people use by now, or changed since, stays as it is with what stands above it;
the rest goes.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.errors import Refused
from db.spellings.names import tag_key
from db.spellings.view import parts
from db.store.tables import Entry, PriorLabel, Tag, TagChange, TagName, Verdict
from db.tags.images import Change, RowsNow, difference, still, tags_now

BRINGS = ("import", "create")  # operations


@dataclass(frozen=True)
class WayBack:
    changes: tuple[Change, ...]
    keys: tuple[str, ...]  # spellings that decisions used before the import
    staying: tuple[str, ...] = ()  # names of tags, and aliases of tags that were there before


def steps_from_new(session: Session, entry: Entry) -> int | None:
    """0 for what brought new tags, 1 for what took it back, 2 for what took that back, ...; None for other changes."""
    steps = 0
    while entry.target is not None:
        entry, steps = session.get_one(Entry, entry.target), steps + 1
    return steps if entry.payload["operation"] in BRINGS else None


def all_numbers(session: Session, first: int) -> list[int]:
    """The entries of an import by the number of its first: one for each transaction that changed something."""
    later = select(Entry.number).where(Entry.kind == "tag", Entry.number > first)
    return [first, *session.scalars(later.where(Entry.payload["part_of"].as_integer() == first))]


def take_away(session: Session, numbers: Sequence[int]) -> WayBack:
    """The rows as they were before these entries, but for what is used or was changed since."""
    done = _done(session, numbers)
    now = RowsNow(session, done)
    made = {change.tag_id for change in done if change.tag_id is not None and not change.before}
    here = made & now.tags.keys()
    before, stays = _walk_back(done, now)
    names = {change.key: change for change in done if change.key is not None and now.names.get(change.key)}
    uses = _last_uses(session, names)
    own = _own_names(session, names.values())
    kept = {
        key
        for key, change in names.items()
        if now.names[key] != change.after
        or uses.get(key, 0) > change.entry_number
        or (change.after["tag_id"] not in made and own.get(change.after["tag_id"]) == key)
    }
    stays |= {names[key].after["tag_id"] for key in kept} & here
    for some in parts(here):
        rows = session.execute(select(TagName.key, TagName.tag_id).where(TagName.tag_id.in_(some)))
        stays |= {tag_id for key, tag_id in rows if key not in names}
    stays |= _leant_on(session, here, stays, before, now)
    changes = [Change(tag_id=number, before=now.tags[number], after={}) for number in sorted(here - stays)]
    for number in sorted(before.keys() - made - stays):
        if before[number] != now.tags[number]:
            changes.append(Change(tag_id=number, before=now.tags[number], after=before[number]))
    kept |= {key for key, change in names.items() if change.after["tag_id"] in stays & made}
    gone = sorted(names.keys() - kept)
    changes += [Change(key=key, before=now.names[key], after={}) for key in gone]
    aliases = sorted(now.names[key]["text"] for key in kept if names[key].after["tag_id"] not in made)
    staying = [now.tags[number]["name"] for number in sorted(stays)] + aliases
    return WayBack(tuple(changes), tuple(key for key in gone if key in uses), tuple(staying))


def bring_back(session: Session, number: int) -> WayBack:
    """The rows as they were before this entry took an import back; raises Refused where something else is now."""
    done = _done(session, [number])
    now = RowsNow(session, done)
    leads = (change.before.get(column) for change in done for column in ("parent_id", "tag_id"))
    needed = {number for number in leads if number is not None}
    there = tags_now(session, needed).keys() | {change.tag_id for change in done}
    changes = []
    for change in reversed(done):
        row = now.row(change)
        what = change.before.get("name") or change.before.get("text")
        if row and not change.after:
            raise Refused("tag_change.there_again", name=what, number=number)
        missing = {change.before.get("parent_id"), change.before.get("tag_id")} - {None} - there
        if missing or not still(change.after, row, change.before):
            raise Refused("tag_change.changed_again", name=what, number=number)
        after = {**row, **difference(change.after, change.before)}
        changes.append(Change(tag_id=change.tag_id, key=change.key, before=row, after=after))
    keys = [change.key for change in changes if change.key is not None]
    return WayBack(tuple(changes), tuple(sorted(_verdicts(session, keys))))


class _Done(NamedTuple):
    """A change that an entry of the ledger made."""

    entry_number: int
    tag_id: int | None
    key: str | None
    before: dict
    after: dict


def _done(session: Session, numbers: Sequence[int]) -> list[_Done]:
    """What these entries did, the last first."""
    query = select(*(getattr(TagChange, column) for column in _Done._fields)).order_by(TagChange.place)
    rows = (row for some in parts(numbers) for row in session.execute(query.where(TagChange.entry_number.in_(some))))
    return sorted((_Done(*row) for row in rows), key=lambda change: change.entry_number)[::-1]


def _walk_back(done: Iterable[_Done], now: RowsNow) -> tuple[dict[int, dict], set[int]]:
    """Each tag as it was before, and those that somebody else changed: {number: row}, numbers."""
    before: dict[int, dict] = dict(now.tags)
    changed: set[int] = set()
    for change in done:
        number = change.tag_id
        if number is None or number in changed or not (row := before.get(number)):
            continue
        if still(change.after, row, change.before):
            before[number] = {**row, **difference(change.after, change.before)} if change.before else {}
        elif not change.before or difference(row, {**row, **difference(change.after, change.before)}):
            changed.add(number)  # and not taken back already
    return before, changed


def _verdicts(session: Session, keys: Iterable[str]) -> dict[str, int]:
    """Key -> the last entry that decides about it."""
    query = select(Verdict.key, func.max(Verdict.entry_number)).group_by(Verdict.key)
    return {key: last for some in parts(set(keys)) for key, last in session.execute(query.where(Verdict.key.in_(some)))}


def _last_uses(session: Session, keys: Iterable[str]) -> dict[str, float]:
    """Key -> the last entry that uses it. What came with a question always counts."""
    uses: dict[str, float] = dict(_verdicts(session, keys))
    for some in parts(set(keys)):
        came = session.scalars(select(PriorLabel.key).where(PriorLabel.key.in_(some)).distinct())
        uses |= dict.fromkeys(came, float("inf"))
    return uses


def _own_names(session: Session, changes: Iterable[_Done]) -> dict[int, str]:
    owners = tags_now(session, {change.after["tag_id"] for change in changes})
    return {number: tag_key(row["name"]) for number, row in owners.items()}


def _leant_on(session: Session, here: set[int], stays: set[int], before: dict[int, dict], now: RowsNow) -> set[int]:
    """Tags that others stand below or were merged into, which stay themselves."""
    above: dict[int, set[int]] = defaultdict(set)
    leaning = set()
    for some in parts(here):
        columns = (Tag.id, Tag.parent_id, Tag.merged_into_id)
        query = select(*columns).where(Tag.parent_id.in_(some) | Tag.merged_into_id.in_(some))
        for number, *targets in session.execute(query):
            above[number] |= {target for target in targets if target in here}
            if number not in here:
                leaning.add(number)
    for number in leaning - stays:
        if number in before and before[number] != now.tags[number]:  # it goes back to where it stood
            above[number] &= {before[number]["parent_id"], before[number]["merged_into_id"]}
    found: set[int] = set()
    newest = leaning | stays
    while newest:
        newest = {target for number in newest for target in above.get(number, ())} - found - stays
        found |= newest
    return found
