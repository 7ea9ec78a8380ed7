"""Entries, opinions and labels as HTML, for st.html: everything that people wrote is escaped."""

import html
from collections.abc import Sequence
from datetime import tzinfo

from app.entry.labels_seen import STATES, Snapshot
from app.shell.clock import shown_time
from app.shell.i18n import Text
from db.ledger.history import Conflict, HistoryLine, Opinion

STANDINGS = {"answer": "history.answer", "second_opinion": "history.second_opinion"}


def standing(line: HistoryLine, text: Text) -> str:
    """What an entry is: an answer, a second opinion, a review, or what it takes back."""
    if line.kind == "undo":
        return text("history.undo_of", number=line.target)
    if line.kind == "review":
        return text("history.review")
    said = text(STANDINGS[line.standing or "answer"])
    return said if line.target is None else f"{said} ({text('history.replaces', number=line.target)})"


def question_html(title: str, description: str) -> str:
    more = f'<p style="opacity:.75;margin:.25rem 0 0;white-space:pre-wrap">{html.escape(description)}</p>'
    return (
        f'<div style="overflow-wrap:anywhere"><b style="font-size:1.0625rem">{html.escape(title)}</b>'
        f"{more if description else ''}</div>"
    )


def facts_html(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values in two columns; the values are HTML already."""
    cells = "".join(
        f'<span style="opacity:.65;white-space:nowrap">{html.escape(name)}</span><span>{value}</span>'
        for name, value in rows
        if value
    )
    return (
        '<div style="display:grid;grid-template-columns:max-content 1fr;gap:.3rem .9rem;align-items:baseline;'
        f'font-size:.9375rem;overflow-wrap:anywhere">{cells}</div>'
    )


def chips(tags: Sequence[str], *, struck: bool = False, lead: Sequence[str] = ()) -> str:
    """Tags side by side; those in `lead` stand out, struck ones were rejected."""
    style = ' style="text-decoration:line-through;opacity:.65"' if struck else ""
    return "".join(
        f'<span class="l2a-chip"{style}>{f"<b>{html.escape(tag)}</b>" if tag in lead else html.escape(tag)}</span>'
        for tag in tags
    )


def line_html(line: HistoryLine, zone: tzinfo, text: Text) -> str:
    undone = "" if line.undone_by is None else text("history.undone_by", number=line.undone_by)
    return facts_html(
        [
            (text("history.number"), f'<b class="l2a-receipt">{line.number}</b>'),
            (text("history.at"), html.escape(f"{shown_time(line.at, zone)} · {line.person}")),
            (text("history.standing"), html.escape(standing(line, text))),
            (text("history.undone"), html.escape(undone)),
            (text("history.accepted"), chips(line.accepted)),
            (text("history.added"), chips(line.added)),
            (text("history.rejected"), chips(line.rejected, struck=True)),
            (text("history.comment"), html.escape(line.comment)),
            (text("history.flag"), html.escape(line.flag or "")),
            (text("history.model"), html.escape(line.model_version or "")),
        ]
    )


def snapshot_html(seen: Snapshot | None, text: Text) -> str:
    if seen is None:
        return html.escape(text("history.not_there"))
    return facts_html(
        [
            (text("history.state"), html.escape(text(STATES[seen.state]))),
            (text("history.tags"), chips(seen.tags) or "—"),
            (text("history.rejected"), chips(seen.rejected, struck=True)),
            (text("history.by"), html.escape(", ".join(seen.people))),
        ]
    )


def opinion_html(opinion: Opinion, conflict: Conflict, zone: tzinfo, text: Text) -> str:
    """One opinion of several; the tags that the majority holds are bold."""
    said = text(STANDINGS[opinion.standing or "answer"])
    about = f"{said} · {shown_time(opinion.at, zone)} · {text('history.receipt', number=opinion.number)}"
    facts = facts_html(
        [
            (text("history.accepted"), chips(opinion.accepted, lead=conflict.majority)),
            (text("history.added"), chips(opinion.added, lead=conflict.majority)),
            (text("history.rejected"), chips(opinion.rejected, struck=True)),
            (text("history.comment"), html.escape(opinion.comment)),
            (text("history.flag"), html.escape(opinion.flag or "")),
        ]
    )
    return (
        f'<b>{html.escape(opinion.person)}</b><div style="opacity:.65;font-size:.8125rem;margin-bottom:.5rem">'
        f"{html.escape(about)}</div>{facts}"
    )
