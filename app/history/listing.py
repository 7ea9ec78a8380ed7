"""The rows of the history page as its list (rows/) shows them: short where a glance is enough, whole on hover."""

from collections.abc import Sequence
from datetime import tzinfo

from app.history.markup import standing
from app.shell.clock import shown_time
from app.shell.i18n import Text
from db.ledger.history import HistoryLine

COLUMNS = (  # a text of the interface, and how the column looks
    ("history.number", "number"),
    ("history.at", "at"),
    ("history.person", "person"),
    ("history.title", "title"),
    ("history.tags", "chips"),
    ("history.note", "note"),
)
VERDICTS = {"accepted": "history.accepted", "added": "history.added", "rejected": "history.rejected"}


def rows_data(lines: Sequence[HistoryLine], selected: int | None, zone: tzinfo, text: Text) -> dict[str, object]:
    """What app.history.rows.mount wants."""
    return {
        "label": text("history.list_label"),
        "columns": [(text(name), kind) for name, kind in COLUMNS],
        "rows": [_row(line, zone, text) for line in lines],
        "selected": selected,
    }


def _row(line: HistoryLine, zone: tzinfo, text: Text) -> dict[str, object]:
    when = shown_time(line.at, zone)
    cells = [str(line.number), {"short": when[5:16], "full": when}, line.person, line.title, _chips(line, text)]
    return {"id": line.number, "dim": line.undone_by is not None, "cells": [*cells, _note(line, text)]}


def _chips(line: HistoryLine, text: Text) -> list[dict[str, str]]:
    return [
        {"text": tag, "kind": verdict, "said": f"{text(name)}: {tag}"}
        for verdict, name in VERDICTS.items()
        for tag in getattr(line, verdict)
    ]


def _note(line: HistoryLine, text: Text) -> dict[str, str]:
    """What is not the usual: taken back, flagged, commented on, or no first answer."""
    said = []
    if line.undone_by is not None:
        said.append((text("history.undone_short"), text("history.undone_by_full", number=line.undone_by)))
    if line.kind != "decision" or line.standing == "second_opinion":
        said.append((standing(line, text), standing(line, text)))
    if line.flag:
        said.append((f"⚑ {line.flag}", f"{text('history.flag')}: {line.flag}"))
    if line.comment:
        said.append(("✎", f"{text('history.comment')}: {line.comment}"))
    return {"short": " ".join(short for short, _ in said), "full": "\n".join(full for _, full in said)}
