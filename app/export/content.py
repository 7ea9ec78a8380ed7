"""What the export page does, without Streamlit: filters, preview, counts, files to download, the difference."""

import shutil
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date, tzinfo
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from app.history.content import STATES, Text, end_of, last_moment, shown_time, start_of
from app.shell.messages import Replaced, message
from app.transfer.difference import Counts, Difference, compare
from app.transfer.exporter import export_file
from db.store.engine import Store
from db.store.records import LabelledQuestion
from db.transfer.export import ExportFilter, Manifest, labelled_questions, manifest_path
from db.transfer.formats import FORMATS
from db.transfer.formats.base import identifier
from l2a.data.questions import Question, ReadReport, read_questions
from l2a.data.readers.limits import NO_UPLOAD, Limits
from l2a.errors import InputError

PREVIEW_ROWS = 20
PREVIEW_SECONDS = 2.0  # a filter that hardly anything passes must not make the preview read the whole store
SMALL = 2_000  # questions that the ledger knows: counted and written at once, without being asked
FOLDER = "l2a-export-"  # how the temporary folders' names begin
KEPT_SECONDS = 24 * 3600  # longer than any session waits for its download
UPLOAD_MEGABYTES = 50
SHOWN_DIFFERENCES = 200
# What an earlier export may be called; compressed files are left out, for nobody knows how large they are inside.
UPLOAD_TYPES = ("jsonl", "csv", "parquet", "fasttext", "json", "txt")

Progress = Callable[[int, int], None]

FORMAT_NAMES = {
    "jsonl": "export.format_jsonl",
    "csv": "export.format_csv",
    "parquet": "export.format_parquet",
    "nlpcc-csv": "export.format_nlpcc",
    "fasttext": "export.format_fasttext",
    "label-studio": "export.format_label_studio",
    "doccano": "export.format_doccano",
}
ESCAPES = {
    "jsonl": "export.escape_json",
    "csv": "export.escape_csv",
    "parquet": "export.escape_parquet",
    "nlpcc-csv": "export.escape_csv",
    "fasttext": "export.escape_fasttext",
    "label-studio": "export.escape_json",
    "doccano": "export.escape_json",
}
REORDERED = (
    "jsonl",
    "doccano",
)  # rows that are the first to fill a column stand in front (db.transfer.formats.json_lines)
SPREADSHEET_FORMATS = ("csv", "nlpcc-csv")
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
FLAGGED = {"with": None, "without": False, "only": True}  # what becomes of flagged questions
CHANGES = {"added": "export.change_added", "removed": "export.change_removed", "changed": "export.change_changed"}


def chosen_filter(
    zone: tzinfo, *, since: date | None, until: date | None, as_of: date | None, min_agreement: float, **others
) -> ExportFilter:
    """The filter that the page's widgets say. Days are the visitor's, `until` and `as_of` to their ends."""
    return ExportFilter(
        since=start_of(since, zone) if since else None,
        until=end_of(until, zone) if until else None,
        as_of=last_moment(as_of, zone) if as_of else None,
        min_agreement=min_agreement or None,  # 0 would still leave out what has one opinion only
        **{name: tuple(value) if isinstance(value, list) else value for name, value in others.items()},
    )


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
        "decided": [shown_time(row.decided_at, zone) for row in rows],
        "flags": [list(row.flags) for row in rows],
        "comments": [" · ".join(row.comments) for row in rows],
    }


@dataclass
class Summary:
    """What an export with this filter would hold."""

    rows: int = 0
    labels: int = 0
    rejected: int = 0
    flagged: int = 0
    commented: int = 0
    redacted: int = 0  # left out; db.transfer.export counts them here
    held_back: int = 0  # for their flags; counted there too
    states: Counter = field(default_factory=Counter)


def count(store: Store, chosen: ExportFilter, progress: Progress = lambda done, total: None) -> Summary:
    summary = Summary()
    with store.read() as session:
        for row in labelled_questions(session, chosen, summary, progress):
            summary.rows += 1
            summary.labels += len(row.tags)
            summary.rejected += len(row.rejected)
            summary.flagged += bool(row.flags)
            summary.commented += bool(row.comments)
            summary.states[row.state] += 1
    return summary


class Prepared:
    """An export on the disk, in a folder of its own that goes when nothing needs it any more.

    The download button holds on to it too (it is handed `open`), so that a click finds the file even if the page has
    prepared another one meanwhile.
    """

    def __init__(self, folder: Path, path: Path, manifest: Manifest):
        self.path = path
        self.manifest = manifest
        self._finalizer = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def open(self) -> BinaryIO:
        """The file to read; for the download button, which calls it in a thread of its own on a click."""
        return open(self.path, "rb")

    def manifest_text(self) -> str:
        return manifest_path(self.path).read_text(encoding="utf-8")

    @property
    def manifest_values(self) -> dict:
        return asdict(self.manifest)


def prepare(
    store: Store, chosen: ExportFilter, format_name: str, number: int, progress: Progress = lambda done, total: None
) -> Prepared:
    """Write an export and its manifest; raises StoreError. `number`: the newest entry, for the file's name."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    try:
        path = folder / f"l2a-{format_name}-{number}{FORMATS[format_name].suffix}"
        return Prepared(folder, path, export_file(store, path, format_name, chosen, progress=progress))
    except BaseException:  # also when the page is run anew in the middle
        shutil.rmtree(folder, ignore_errors=True)
        raise


def shown_size(size: int) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


def _sweep() -> None:
    """Remove what servers left behind that were ended by a signal: no finalizer runs then."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):  # another process is at it, or it is another user's
            if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


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
