"""What stands behind the page Tags, without Streamlit: what is looked for, what is to change, and how it is shown."""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app.shell.messages import message
from db.errors import Refused
from db.messages import Message
from db.store.engine import Store
from db.tags import planning as tags
from db.tags.listing import TagDetails, example_questions
from db.tags.planning import Plan
from db.tags.rows import A_PAGE, BY_MATCH, IN_USE, SORTS, TagPage, TagRow, page
from db.tags.search.index import TagSearch
from db.tags.search.matching import TagMatch

Translate = Callable[..., str]

STATES = {  # which tags the list shows
    "in_use": IN_USE,
    "active": ("active",),
    "deprecated": ("deprecated",),
    "merged": ("merged",),
}
FOUND = 200  # tags that a search may bring
OFFERED = 8  # while somebody types
SHOWN_ALIASES = 4
FIRST_DOWN = ("uses", "aliases")  # columns whose large values are looked for first
ROW_OPERATIONS = {
    "active": ("rename", "merge", "deprecate"),
    "deprecated": ("rename", "merge", "reactivate"),
    "merged": (),
}
OPERATIONS = {
    "active": ("rename", "merge", "alias", "split", "define", "deprecate"),
    "deprecated": ("rename", "merge", "alias", "split", "define", "reactivate"),
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


def table_data(found: TagPage, listing: Listing, text: Translate, *, may_change: bool, scheme: str) -> dict:
    """The list as the table in the browser wants it."""
    sort = listing.sort or ("" if listing.query.strip() else "uses")
    directions = {True: "descending", False: "ascending"}
    columns = [
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


def _row_data(row: TagRow, text: Translate, may_change: bool) -> dict:
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


def box_data(label: str, typed: str, matches: Sequence[TagMatch] | None, text: Translate, scheme: str, **more) -> dict:
    """A field with what it offers; without matches it is a plain text field."""
    return {
        "label": label,
        "text": typed,
        "scheme": scheme,
        "longest": 100,
        "completes": matches is not None,
        "placeholder": text("tags.search_hint") if matches is not None else "",
        "matches": [
            {"name": match.name, "about": _about(match, text)} for match in matches or () if match.name != typed
        ],
        "focus": False,
        **more,
    }


def _about(match: TagMatch, text: Translate) -> str:
    found_as = f"{match.matched} · " if match.matched != match.name else ""
    return found_as + text("tags.uses", uses=f"{match.uses:,}")


# --- changes ---------------------------------------------------------------------------------------------------------


def plan_change(session: Session, operation: str, tag: str, other: str = "") -> Plan:
    """The plan of a change of tags, which says what it touches; for an undo `tag` is the entry's number."""
    if operation == "undo":
        if not tag.strip().isdecimal() or len(tag.strip()) > 18:
            raise Refused(message("tags.not_a_change", number=tag))
        return tags.plan_undo(session, int(tag))
    if operation == "split":
        return tags.plan_split(session, other)
    if operation in ("deprecate", "reactivate"):
        return tags.plan_status(session, tag, "deprecated" if operation == "deprecate" else "active")
    plans = {"rename": tags.plan_rename, "merge": tags.plan_merge, "alias": tags.plan_alias}
    return plans[operation](session, tag, other)


def change_tags(store: Store, seen: Plan, operation: str, tag: str, other: str, person_id: int) -> int:
    """Carry out the plan that was looked at; the number of its entry. Raises Refused if it would do more by now."""

    def work(session: Session) -> int:
        plan = plan_change(session, operation, tag, other)
        if plan.changes != seen.changes:
            raise Refused(message("tags.changed_meanwhile"))
        return tags.carry_out(session, plan, person_id)

    return store.run(work)


def take_back(store: Store, number: int, person_id: int) -> tuple[int, Message]:
    """Take a change back; the number of the new entry and what it says."""

    def work(session: Session) -> tuple[int, Message]:
        plan = tags.plan_undo(session, number)
        return tags.carry_out(session, plan, person_id), plan.summary

    return store.run(work)


def define(store: Store, tag: str, person_id: int, **details: str) -> tuple[int, Message]:
    """Change what is said about a tag; labels stay as they are. The number of the entry and what it says."""

    def work(session: Session) -> tuple[int, Message]:
        plan = tags.plan_details(session, tag, **details)
        return tags.carry_out(session, plan, person_id), plan.summary

    return store.run(work)


# --- as HTML ---------------------------------------------------------------------------------------------------------


def details_html(tag: TagDetails, text: Translate) -> str:
    """What is known about a tag, for the head of its dialog."""
    facts = [
        (text("tags.column_uses"), f"{tag.uses:,}"),
        (text("tags.state"), text("tags.merged_into", tag=tag.merged_into) if tag.merged_into else _state(tag, text)),
        (text("tags.column_parent"), tag.parent),
        (text("tags.children"), "、".join(tag.children)),
        (text("tags.column_aliases"), "、".join(tag.aliases)),
        (text("tags.external_id"), tag.external_id),
        (text("tags.definition"), tag.definition),
    ]
    return _facts_html(facts)


def _state(tag: TagDetails, text: Translate) -> str:
    return text(f"tags.{tag.status}")


def side_html(row: TagRow, examples: Sequence[str], text: Translate) -> str:
    """One of two tags side by side."""
    facts = [
        (text("tags.column_uses"), f"{row.uses:,}"),
        (text("tags.state"), text(f"tags.{row.status}") if row.status != "active" else ""),
        (text("tags.column_parent"), row.parent),
        (text("tags.column_aliases"), "、".join(row.aliases[:SHOWN_ALIASES])),
        (text("tags.definition"), row.definition),
        (text("tags.examples"), "\n".join(examples)),
    ]
    return f'<div class="l2a-side"><div class="l2a-tag">{html.escape(row.name)}</div>{_facts_html(facts)}</div>'


def _facts_html(facts: Sequence[tuple[str, str | None]]) -> str:
    rows = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in facts if value)
    return f'<dl class="l2a-known">{rows}</dl>'


def examples_of(session: Session, rows: Sequence[TagRow]) -> list[list[str]]:
    return [example_questions(session, row.id) for row in rows]
