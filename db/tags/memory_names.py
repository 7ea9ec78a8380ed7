"""The names of the store's tags, as memory looks for them in a question's text: all, or those that changed.

A tag that only decisions ever named is none of them: memory knows it for as long as it is given, and who takes the
decision back has it forgotten. The tag itself stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Row, exists, select
from sqlalchemy.orm import Session

from db.spellings.view import parts
from db.store.settings import names_gone, tag_revision, tags_gone
from db.store.tables import PriorLabel, Tag, TagChange, TagName
from db.tags.search.index import end_of, with_sources, with_targets

MANY_CHANGED = 5_000  # tags from which reading all anew is quicker

Name = tuple[str, str, str | None]  # spelling, name of the tag it means, name of the tag above that


@dataclass(frozen=True)
class TagNames:
    """`rows` are new, or may mean something else than before; spellings in `gone` mean no tag that is to be given.

    Where `whole`, rows are all there are: what was known before is to be forgotten. Spellings with the same key
    (db.spellings.names) are the same, however they were written before.
    """

    revision: int  # of the tags (db.store.settings): from here on the next time
    rows: tuple[Name, ...]
    gone: tuple[str, ...] = ()
    whole: bool = False


def all_names(session: Session) -> TagNames:
    """Every spelling of every tag that is to be given: its name, its aliases, and those of the tags merged into it."""
    revision = tag_revision(session)
    return TagNames(revision, _read(session, None)[0], whole=True)


def names_since(session: Session, revision: int) -> TagNames:
    """What changed since a revision; everything where that is quicker, or where no row says any more what is gone."""
    now = tag_revision(session)
    if now == revision:
        return TagNames(now, ())
    # A revision that is yet to come is that of a store which was restored meanwhile.
    if revision > now or max(tags_gone(session), names_gone(session)) > revision:
        return all_names(session)
    changed = list(session.scalars(select(Tag.id).where(Tag.revision > revision).limit(MANY_CHANGED)))
    if len(changed) == MANY_CHANGED:
        return all_names(session)
    family = with_targets(session, changed)
    family |= _below(session, with_sources(session, family))  # whose name is told with theirs
    return TagNames(now, *_read(session, with_sources(session, family)))


def _below(session: Session, ids: Iterable[int]) -> set[int]:
    """The tags right below these."""
    below: set[int] = set()
    for some in parts(set(ids)):
        below |= set(session.scalars(select(Tag.id).where(Tag.parent_id.in_(some))))
    return with_targets(session, below)


def _read(session: Session, wanted: set[int] | None) -> tuple[tuple[Name, ...], tuple[str, ...]]:
    """Names of these tags (None: all), those merged into them among them; and spellings of tags not to be given."""
    tags = {row.id: row for row in _tags(session, wanted)}
    above = {row.parent_id for row in tags.values()} - {None, *tags}
    known = {**tags, **{row.id: row for row in _tags(session, with_targets(session, above))}}
    into = {number: row.merged_into_id for number, row in known.items()}
    rows: list[Name] = []
    gone: list[str] = []
    listed = {end_of(into, number) for number in _listed(session, wanted)}
    spellings = select(TagName.tag_id, TagName.text).order_by(TagName.key)
    some = [spellings] if wanted is None else [spellings.where(TagName.tag_id.in_(ids)) for ids in parts(wanted)]
    for tag_id, text in (row for query in some for row in session.execute(query)):
        tag = known[end_of(into, tag_id)]
        if tag.status == "active" and tag.id in listed:
            rows.append((text, tag.name, _parent(tag, known, into)))
        else:
            gone.append(text)
    return tuple(rows), tuple(gone)


def _listed(session: Session, wanted: set[int] | None) -> set[int]:
    """Those of these tags (None: all) that came with questions or in a file, or that somebody put in order."""
    named = select(TagName.tag_id).where(
        exists().where(PriorLabel.key == TagName.key) | exists().where(TagChange.key == TagName.key)
    )
    changed = select(Tag.id).where(exists().where(TagChange.tag_id == Tag.id))
    found: set[int] = set()
    for query, column in ((named, TagName.tag_id), (changed, Tag.id)):
        some = [query] if wanted is None else [query.where(column.in_(ids)) for ids in parts(wanted)]
        found.update(number for one in some for number in session.scalars(one))
    return found


def _tags(session: Session, wanted: set[int] | None) -> list[Row]:
    tags = select(Tag.id, Tag.name, Tag.status, Tag.merged_into_id, Tag.parent_id)
    if wanted is None:
        return list(session.execute(tags))
    return [row for some in parts(wanted) for row in session.execute(tags.where(Tag.id.in_(some)))]


def _parent(tag: Row, known: Mapping[int, Row], into: Mapping[int, int | None]) -> str | None:
    """The name of the tag above; None where that is not to be given either."""
    if tag.parent_id is None:
        return None
    above = known[end_of(into, tag.parent_id)]
    return above.name if above.status == "active" and above.id != tag.id else None
