"""An earlier export, uploaded, held against what an export would hold now."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from app.export.contents import Progress
from app.shell.i18n import Text
from app.shell.messages import Replaced, message
from app.transfer.difference import Counts, Difference, compare
from db.store.engine import Store
from db.store.records import LabelledQuestion
from db.transfer.export import ExportFilter, labelled_questions
from db.transfer.formats.base import identifier
from l2a.data.questions import Question, ReadReport, read_questions
from l2a.data.size_limits import NO_UPLOAD, Limits
from l2a.errors import InputError

UPLOAD_MEGABYTES = 50
SHOWN_DIFFERENCES = 200
# What an earlier export may be called; compressed files are left out, for nobody knows how large they are inside.
UPLOAD_TYPES = ("jsonl", "csv", "parquet", "fasttext", "json", "txt")

CHANGES = {"added": "export.change_added", "removed": "export.change_removed", "changed": "export.change_changed"}


@dataclass(frozen=True)
class DifferenceReport:
    counts: Counts
    first: tuple[Difference, ...]
    bad: int  # lines of the older file that could not be read


def difference(
    store: Store,
    chosen: ExportFilter,
    older: BinaryIO,
    name: str,
    limits: Limits = NO_UPLOAD,
    progress: Progress = lambda done, total: None,
) -> DifferenceReport:
    """What changed between an earlier export, of any format, and what an export would hold now. Raises InputError."""
    suffix = Path(name).suffix.lower()
    if suffix.removeprefix(".") not in UPLOAD_TYPES:
        raise InputError(message("export.not_an_older_one", name=name, endings=", ".join(UPLOAD_TYPES)))
    counts, report = Counts(), ReadReport()
    with tempfile.TemporaryDirectory(prefix="l2a-older-") as folder:
        path = Path(folder, f"older{suffix}")
        with open(path, "wb") as stream:
            shutil.copyfileobj(older, stream)
        try:
            with store.read() as session:
                rows = map(_as_question, labelled_questions(session, chosen, progress=progress))
                differing = compare(read_questions(path, skip_bad=True, report=report, limits=limits), rows, counts)
                first = tuple(islice(differing, SHOWN_DIFFERENCES))
                for _ in differing:  # the rest is only counted
                    pass
        except InputError as error:
            raise InputError(Replaced(error, str(path), name)) from error
    if report.bad and not report.good:
        raise InputError(message("export.none_readable", name=name))
    return DifferenceReport(counts, first, report.bad)


def _as_question(row: LabelledQuestion) -> Question:
    return Question(title=row.title, description=row.description, tags=row.tags, id=identifier(row), source=row.source)


def difference_table(differences: Sequence[Difference], text: Text) -> dict[str, list]:
    return {
        text("export.change"): [text(CHANGES[one.change]) for one in differences],
        text("export.id"): [one.id for one in differences],
        text("history.title"): [one.title for one in differences],
        text("export.plus"): [list(one.plus) for one in differences],
        text("export.minus"): [list(one.minus) for one in differences],
    }
