"""The list of tags as the table in the browser wants it: what is looked for, and its rows."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app.shell.i18n import Text
from db.tags.rows import A_PAGE, BY_MATCH, IN_USE, SORTS, TagPage, TagRow, page
from db.tags.search.index import TagSearch

STATES = {  # which tags the list shows
    "in_use": IN_USE,
    "active": ("active",),
    "deprecated": ("deprecated",),
    "merged": ("merged",),
}
FOUND = 200  # tags that a search may bring

SHOWN_ALIASES = 4
FIRST_DOWN = ("uses", "aliases")  # columns whose large values are looked for first
ROW_OPERATIONS = {
    "active": ("rename", "merge", "deprecate"),
    "deprecated": ("rename", "merge", "reactivate"),
    "merged": (),
}


@dataclass(frozen=True)
class Listing:
    """What of the tags is looked at."""

    query: str = ""
    state: str = "in_use"
    sort: str = ""  # empty: best matches of a search, else the most used
    descending: bool = True
    page: int = 0

    def sorted_by(self, column: str) -> "Listing":
        """As after a press on a column's head: the same again turns the order round."""
        if column not in SORTS:
            return self
        down = not self.descending if column == self.sort else column in FIRST_DOWN
        return replace(self, sort=column, descending=down, page=0)

    def read(self, session: Session, search: TagSearch) -> TagPage:
        among = None
        if self.query.strip():
            among = [match.tag_id for match in search.search(self.query, FOUND)]
        return page(
            session,
            statuses=STATES[self.state],
            among=among,
            sort=self.sort or (BY_MATCH if among is not None else "uses"),
            descending=self.descending,
            offset=self.page * A_PAGE,
        )


def table_data(found: TagPage, listing: Listing, text: Text, *, may_change: bool, scheme: str) -> dict[str, object]:
    """The list as the table in the browser wants it."""
    sort = listing.sort or ("" if listing.query.strip() else "uses")
    directions = {True: "descending", False: "ascending"}
    columns: list[dict[str, object]] = [
        {
            "name": name,
            "label": text(f"tags.column_{name}"),
            "sortable": True,
            "sorted": directions[listing.descending] if name == sort else "",
        }
        for name in ("name", "uses", "parent", "aliases")
    ]
    columns.append({"name": "actions", "label": text("tags.column_actions") if may_change else "", "sortable": False})
    return {
        "caption": text("page.tags"),
        "scheme": scheme,
        "labels": {name: text(f"tags.column_{name}") for name in ("parent", "aliases")},
        "columns": columns,
        "rows": [_row_data(row, text, may_change) for row in found.rows],
    }


def _row_data(row: TagRow, text: Text, may_change: bool) -> dict[str, object]:
    note = "" if row.status == "active" else text(f"tags.{row.status}")
    if row.merged_into:
        note = text("tags.merged_into", tag=row.merged_into)
    aliases = list(row.aliases[:SHOWN_ALIASES])
    if len(row.aliases) > SHOWN_ALIASES:
        aliases.append(f"+{len(row.aliases) - SHOWN_ALIASES}")
    operations = ROW_OPERATIONS[row.status] if may_change else ()
    return {
        "id": row.id,
        "name": row.name,
        "status": row.status,
        "note": note,
        "uses": f"{row.uses:,}",
        "parent": row.parent or "",
        "aliases": aliases,
        "actions": [
            [operation, text(f"tags.{operation}"), f"{text(f'tags.{operation}')}: {row.name}"]
            for operation in operations
        ],
    }
