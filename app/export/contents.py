"""What an export would hold: its first rows in columns with names that a visitor knows, and how many there are."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice

from app.entry.labels_seen import STATES
from app.shell.clock import shown_time
from app.shell.i18n import Text
from db.store.engine import Store
from db.store.records import LabelledQuestion
from db.transfer.export import ExportFilter, Tally, labelled_questions
from db.transfer.formats.base import identifier

PREVIEW_ROWS = 20
PREVIEW_SECONDS = 2.0  # a filter that hardly anything passes must not make the preview read the whole store

Progress = Callable[[int, int], None]  # hears how many are done, of how many

COLUMNS = {
    "id": "export.id",
    "title": "history.title",
    "tags": "history.tags",
    "rejected": "history.rejected",
    "state": "history.state",
    "agreement": "history.agreement",
    "people": "history.person",
    "source": "export.source",
    "models": "history.model",
    "decided": "export.decided",
    "flags": "history.flag",
    "comments": "history.comment",
}


@dataclass(frozen=True)
class Preview:
    rows: tuple[LabelledQuestion, ...]
    cut: bool  # the time was up before enough rows were found


class _TimeIsUp(Exception):
    pass


def preview(store: Store, chosen: ExportFilter, *, seconds: float = PREVIEW_SECONDS) -> Preview:
    """The first rows of the export, as many as are found in a moment."""
    end = time.monotonic() + seconds

    def look_at_the_clock(done: int, total: int) -> None:
        if time.monotonic() > end:
            raise _TimeIsUp

    rows: list[LabelledQuestion] = []
    try:
        with store.read() as session:
            rows.extend(islice(labelled_questions(session, chosen, progress=look_at_the_clock), PREVIEW_ROWS))
    except _TimeIsUp:
        return Preview(tuple(rows), cut=True)
    return Preview(tuple(rows), cut=False)


def preview_table(rows: Sequence[LabelledQuestion], zone: tzinfo, text: Text) -> dict[str, list]:
    return {
        "id": [identifier(row) for row in rows],
        "title": [row.title for row in rows],
        "tags": [list(row.tags) for row in rows],
        "rejected": [list(row.rejected) for row in rows],
        "state": [text(STATES[row.state]) for row in rows],
        "agreement": [row.agreement for row in rows],
        "people": [", ".join(row.people) for row in rows],
        "source": [row.source for row in rows],
        "models": [", ".join(row.model_versions) for row in rows],
        "decided": [shown_time(row.decided_at, zone) if row.decided_at else "" for row in rows],
        "flags": [list(row.flags) for row in rows],
        "comments": [" · ".join(row.comments) for row in rows],
    }


def count(store: Store, chosen: ExportFilter, progress: Progress = lambda done, total: None) -> Tally:
    """What an export with this filter would hold."""
    tally = Tally()
    with store.read() as session:
        for row in labelled_questions(session, chosen, tally, progress):
            tally.add(row)
    return tally
