"""What stands behind an import, without Streamlit: files to read, of questions or of tags."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from app.shell.messages import Replaced, message
from app.transfer.importer import BadLine, FileImport, import_file, import_tag_file
from db.store.engine import Store
from db.tags.importing import IncomingTag, TagImportReport
from db.transfer.importing import ImportReport, IncomingQuestion
from l2a.data.questions import count_lines
from l2a.data.size_limits import NO_UPLOAD, Limits
from l2a.errors import InputError

UPLOAD_MEGABYTES = 100
UPLOAD_TYPES = ("jsonl", "json", "csv", "tsv", "txt", "parquet", "gz")
LONGEST_NAME = 80  # characters of an uploaded file's name that are kept
PIECE = 1 << 20  # bytes

TagFile = FileImport[TagImportReport, IncomingTag]
QuestionFile = FileImport[ImportReport, IncomingQuestion]


class Upload(Protocol):
    """An uploaded file as Streamlit hands it over."""

    name: str
    file_id: str

    def seek(self, position: int) -> int: ...
    def read(self, size: int) -> bytes: ...


@dataclass(frozen=True)
class Order:
    """What is to be imported and how. `origin` tells the file, so that a dry run is for this one and no other."""

    kind: str  # questions or tags
    origin: str
    source: str = ""
    fmt: str | None = None
    overlap: int = 1
    skip_bad: bool = False
    record: bool = False  # other labels of known questions become decisions of whoever imports


@dataclass(frozen=True)
class Outcome:
    """What an import did, or in a dry run would do; `messages` name the file as its owner calls it."""

    order: Order
    dry_run: bool
    rows: int
    added: int
    bad: int
    messages: tuple[Replaced, ...]
    duplicates: int = 0  # of questions
    labels: int = 0
    resumed_after: int = 0
    relabelled: int = 0  # duplicates that carry other labels than the store
    receipts: tuple[int, ...] = ()  # of the decisions that were made of them
    noted: int = 0  # rows with flags or comments that the store has not
    notes_recorded: int = 0  # of these, the rows that became decisions
    notes: tuple[Replaced, ...] = ()  # what the file holds that was not read and might have been meant
    first: tuple[IncomingQuestion | IncomingTag, ...] = ()  # the first rows as they were read
    aliases: int = 0  # of tags
    parents: int = 0
    entry: int | None = None  # by which an import of tags is taken back


def find_file(path: str, folder: Path) -> Path:
    """The regular file at a path below `folder`, on the server; raises InputError. A relative path begins there.

    What a link points at counts, not where the link is, and nothing is said about files elsewhere, not even whether
    they are there.
    """
    try:
        folder = folder.resolve()
        found = (folder / path.strip()).resolve()
        is_below = found.is_relative_to(folder)
        is_file = is_below and found.is_file()  # no folder, no device, no pipe that would never end
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(message("import.no_file", path=path)) from error
    if not is_below:
        raise InputError(message("import.not_below", path=path, folder=folder))
    if not is_file:
        raise InputError(message("import.not_a_file", path=path, folder=folder))
    return found


def file_mark(path: Path) -> str:
    """Tells whether a file on the server is still the one that was looked at."""
    facts = path.stat()
    return f"{path}|{facts.st_size}|{facts.st_mtime_ns}"


@contextmanager
def kept_upload(upload: Upload) -> Iterator[Path]:
    """An uploaded file on disk, under its own name in a folder of its own, gone at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="l2a-upload-") as folder:
        path = Path(folder) / safe_name(upload.name)
        upload.seek(0)
        with open(path, "xb") as stream:
            while piece := upload.read(PIECE):
                stream.write(piece)
        yield path


def safe_name(name: str) -> str:
    """The last part of a file's name with no character that a file system or a terminal minds; its end is kept."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(c if c.isalnum() or c in "._- ()" else "_" for c in last).strip(" .")
    return clean[-LONGEST_NAME:] or "upload"


def run_order(
    store: Store,
    order: Order,
    path: Path,
    person_id: int,
    *,
    dry_run: bool,
    name: str | None = None,
    limits: Limits = NO_UPLOAD,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> Outcome:
    """Import a file, or find out what importing it would do; raises as app.transfer.importer does.

    `name` is what the store calls the file if not by its path. `progress` hears how many rows are done, and of how
    many if that is known.
    """

    def note(done: int) -> None:
        progress(done, total)

    found: TagFile | QuestionFile
    try:
        total = count_lines(path, order.fmt, limits) if order.kind == "questions" else None
        if order.kind == "tags":
            found = import_tag_file(
                store,
                str(path),
                person_id,
                name=name,
                dry_run=dry_run,
                skip_bad=order.skip_bad,
                limits=limits,
                progress=note,
            )
        else:
            found = import_file(
                store,
                str(path),
                name=name,
                person_id=person_id,
                source=order.source,
                fmt=order.fmt,
                overlap=order.overlap,
                record_as=person_id if order.record else None,
                dry_run=dry_run,
                skip_bad=order.skip_bad,
                limits=limits,
                progress=note,
            )
    except InputError as error:
        kind = BadLine if isinstance(error, BadLine) else InputError
        raise kind(_own_name(error, path)) from error
    return _outcome(order, found, path, dry_run)


def _outcome(order: Order, found: TagFile | QuestionFile, path: Path, dry_run: bool) -> Outcome:
    messages = tuple(_own_name(message, path) for message in found.messages)
    notes = tuple(_own_name(note, path) for note in found.notes)
    outcome = Outcome(
        order, dry_run, found.stored.rows, added=0, bad=found.bad, messages=messages, notes=notes, first=found.first
    )
    if isinstance(found.stored, TagImportReport):
        tags = found.stored
        return replace(outcome, added=tags.tags, aliases=tags.aliases, parents=tags.parents, entry=tags.entry)
    stored = found.stored
    return replace(
        outcome,
        added=stored.added,
        duplicates=stored.duplicates,
        labels=stored.labels,
        resumed_after=stored.resumed_after,
        relabelled=stored.relabelled,
        receipts=tuple(stored.receipts),
        noted=stored.noted,
        notes_recorded=stored.notes_recorded,
    )


def _own_name(complaint: object, path: Path) -> Replaced:
    """The complaint with the file's name alone: where the server keeps it is nobody's business."""
    return Replaced(complaint, f"{path.parent}/", "")
