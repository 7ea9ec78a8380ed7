"""Tags a page at a time: sorted, filtered and cut by the database, however many there are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import CTE, ColumnElement, Select, Subquery, case, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from db.errors import Refused
from db.store.tables import Tag, TagName
from db.tags.names import tag_key

SORTS = ("name", "uses", "parent", "aliases", "status")
BY_MATCH = "match"  # the order of a search; only with `among`
IN_USE = ("active", "deprecated")
A_PAGE = 25


@dataclass(frozen=True)
class TagRow:
    id: int
    name: str
    status: str
    uses: int  # its own, and those of the tags merged into it
    parent: str | None
    merged_into: str | None
    definition: str
    external_id: str | None
    aliases: tuple[str, ...] = ()  # every other spelling that leads here, by their keys


@dataclass(frozen=True)
class TagPage:
    rows: tuple[TagRow, ...]
    total: int  # on all pages


def page(
    session: Session,
    *,
    statuses: Sequence[str] = IN_USE,
    among: Sequence[int] | None = None,
    sort: str = "uses",
    descending: bool = True,
    offset: int = 0,
    limit: int = A_PAGE,
) -> TagPage:
    """The tags of these states, or of those the ones that a search found (`among`, best first) and what leads there."""
    if sort not in SORTS and (sort != BY_MATCH or among is None):
        raise Refused("tag.no_sort", sort=sort, known=", ".join(SORTS))
    wanted: list[ColumnElement[bool]] = [Tag.status.in_(statuses)]
    if among is not None:
        wanted.append(or_(Tag.id.in_(among), Tag.merged_into_id.in_(among)))
    total = session.scalars(select(func.count()).select_from(Tag).where(*wanted)).one()
    leads = _merged()
    query = _rows(leads).where(*wanted).limit(limit).offset(offset)
    if sort == BY_MATCH and among is not None:
        query = _by_match(query, among)
    else:
        query = _by_column(session, query, leads, sort, descending)
    return TagPage(_read(session, query), total)


def rows_of(session: Session, ids: Sequence[int]) -> tuple[TagRow, ...]:
    """These tags, in this order."""
    found = {row.id: row for row in _read(session, _rows(_merged()).where(Tag.id.in_(ids)))}
    return tuple(found[number] for number in ids if number in found)


_parent, _target = aliased(Tag), aliased(Tag)


def _merged() -> CTE:
    """Every merged tag with each tag it leads to: `source` and `target`."""
    merged = select(Tag.id.label("source"), Tag.merged_into_id.label("target")).where(Tag.merged_into_id.is_not(None))
    leads = merged.cte("leads", recursive=True)
    further = select(leads.c.source, Tag.merged_into_id).join(Tag, Tag.id == leads.c.target)
    return leads.union_all(further.where(Tag.merged_into_id.is_not(None)))


def _rows(leads: CTE) -> Select:
    source = aliased(Tag)
    brought = (
        select(leads.c.target, func.sum(source.uses).label("uses"))
        .join(source, source.id == leads.c.source)
        .group_by(leads.c.target)
        .subquery()
    )
    return (
        select(
            Tag.id,
            Tag.name,
            Tag.status,
            (Tag.uses + func.coalesce(brought.c.uses, 0)).label("uses"),
            _parent.name.label("parent"),
            _target.name.label("merged_into"),
            Tag.definition,
            Tag.external_id,
        )
        .outerjoin(_parent, _parent.id == Tag.parent_id)
        .outerjoin(_target, _target.id == Tag.merged_into_id)
        .outerjoin(brought, brought.c.target == Tag.id)
    )


def _by_match(query: Select, among: Sequence[int]) -> Select:
    """In the order of a search, merged tags after the rest in that of the tags they lead to."""
    if not among:
        return query
    places, last = {number: place for place, number in enumerate(among)}, len(among)
    ranks = (case(places, value=column, else_=last) for column in (Tag.id, Tag.merged_into_id))
    return query.order_by(*ranks, Tag.id)


def _by_column(session: Session, query: Select, leads: CTE, sort: str, descending: bool) -> Select:
    """Ties by name and number, so that no tag stands on two pages. Names by their code points, on both databases."""
    if sort == "aliases":
        number = _alias_numbers(leads)
        query = query.outerjoin(number, number.c.tag_id == Tag.id)
        key: ColumnElement = func.coalesce(number.c.number, 0)
    elif sort == "uses":
        key = query.selected_columns.uses
    elif sort == "parent":
        query = query.order_by(_parent.name.is_(None))
        key = _by_code(session, _parent.name)
    else:
        key = _by_code(session, Tag.name if sort == "name" else Tag.status)
    return query.order_by(key.desc() if descending else key, _by_code(session, Tag.name), Tag.id)


def _by_code(session: Session, column: InstrumentedAttribute[str]) -> ColumnElement[str]:
    return column.collate("C") if session.get_bind().dialect.name == "postgresql" else column.expression


def _alias_numbers(leads: CTE) -> Subquery:
    """How many spellings lead to each tag that has more than its name; those of merged tags are a tag's own too."""
    own = select(TagName.tag_id.label("tag_id"))
    brought = select(leads.c.target).join(TagName, TagName.tag_id == leads.c.source)
    spellings = own.union_all(brought).subquery()
    return (
        select(spellings.c.tag_id, func.count().label("number"))
        .group_by(spellings.c.tag_id)
        .having(func.count() > 1)
        .subquery()
    )


def _read(session: Session, query: Select) -> tuple[TagRow, ...]:
    rows = session.execute(query).all()
    ids = [row.id for row in rows]
    leads = _merged()
    own = select(TagName.tag_id, TagName.key, TagName.text).where(TagName.tag_id.in_(ids))
    brought = select(leads.c.target, TagName.key, TagName.text).join(TagName, TagName.tag_id == leads.c.source)
    spellings: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for tag_id, key, text in session.execute(own.union_all(brought.where(leads.c.target.in_(ids)))):
        spellings[tag_id].append((key, text))
    aliases = {
        row.id: tuple(text for key, text in sorted(spellings[row.id]) if key != tag_key(row.name)) for row in rows
    }
    return tuple(TagRow(**row._mapping, aliases=aliases[row.id]) for row in rows)
