"""What is known about a tag, as HTML: all text is escaped."""

import html
from collections.abc import Sequence
from datetime import tzinfo

from sqlalchemy.orm import Session

from app.emerging.about import NameFacts
from app.shell.clock import day_of
from app.shell.i18n import Text
from app.tags.tag_table import SHOWN_ALIASES
from db.tags.listing import TagDetails, example_questions
from db.tags.rows import TagRow

MUCH = 100  # times oftener than usual: how much more says nothing


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


def name_html(facts: NameFacts, zone: tzinfo, text: Text) -> str:
    """A name that comes up: how often, since when, week by week, where, and which tags it may be."""
    said = [
        text("tags.in_questions", number=f"{facts.questions:,}"),
        text("tags.since", day=day_of(facts.since, zone)),
        text("tags.chance", chance=f"{facts.chance:.0%}"),
    ]
    if facts.surprise >= MUCH:
        said.append(text("tags.much_surprise", times=MUCH))
    else:
        said.append(text("tags.surprise", times=f"{facts.surprise:,.1f}"))
    same = [f"{tag} ({text(f'tags.reason_{reason}')})" for tag, reason in facts.duplicates]
    known = [
        (text("tags.examples"), "\n".join(facts.examples)),
        (text("tags.may_be_below"), "、".join(facts.parents)),
        (text("tags.may_be"), "\n".join(same)),
    ]
    head = f'<span class="l2a-tag">{html.escape(facts.name)}</span>{_weeks_html(facts.weeks, text)}'
    about = "".join(f"<span>{html.escape(words)}</span>" for words in said)
    return f'<div class="l2a-name">{head}</div><div class="l2a-facts">{about}</div>{_facts_html(known)}'


def _weeks_html(weeks: Sequence[int], text: Text) -> str:
    """A bar a week, the highest for the week with most; read out as numbers."""
    most = max(*weeks, 1)
    bars = "".join(f'<i style="height:{max(4, round(100 * number / most))}%"></i>' for number in weeks)
    words = text("tags.by_week", weeks=len(weeks), numbers=", ".join(map(str, weeks)))
    said = html.escape(words)
    return f'<span class="l2a-weeks" role="img" aria-label="{said}" title="{said}">{bars}</span>'


def examples_of(session: Session, rows: Sequence[TagRow]) -> list[list[str]]:
    return [example_questions(session, row.id) for row in rows]
