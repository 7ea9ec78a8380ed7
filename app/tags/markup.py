"""What is known about a tag, as HTML: all text is escaped."""

import html
from collections.abc import Sequence

from sqlalchemy.orm import Session

from app.shell.i18n import Text
from app.tags.tag_table import SHOWN_ALIASES
from db.tags.listing import TagDetails, example_questions
from db.tags.rows import TagRow


def details_html(tag: TagDetails, text: Text) -> str:
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


def _state(tag: TagDetails, text: Text) -> str:
    return text(f"tags.{tag.status}")


def side_html(row: TagRow, examples: Sequence[str], text: Text) -> str:
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
