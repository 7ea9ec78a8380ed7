"""Joins the readers of files (l2a.data.questions, l2a.data.tag_files) to the store: rows out of one, into the other."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from app.shell.messages import message
from db.ledger.notes import Notes
from db.store.engine import Store
from db.tags.importing import IncomingTag, TagImportReport, import_tags
from db.transfer.importing import ImportReport, IncomingQuestion, import_questions
from l2a.data.questions import STDIN, ReadReport, read_questions
from l2a.data.size_limits import NO_UPLOAD, Limits
from l2a.data.tag_files import read_tag_table
from l2a.errors import InputError

PIECE = 1 << 20  # bytes


PREVIEWED = 5  # rows that are shown as they were read

Report = TypeVar("Report", ImportReport, TagImportReport)
Row = TypeVar("Row", IncomingQuestion, IncomingTag)


class BadLine(InputError):
    """A line that cannot be used, in an import that leaves none out. What one can do about it is said by whoever shows
    it: a page has a switch where the command line has an option."""


class _FirstBadLine(ReadReport):
    """A report that lets no bad line pass."""

    def complain(self, message) -> None:
        raise BadLine(message)


@dataclass(frozen=True)
class FileImport(Generic[Report, Row]):
    """What became of a file: `read` knows the lines that could not be read, `stored` those the store refused."""

    stored: Report
    read: ReadReport
    first: tuple[Row, ...] = ()  # the first rows, as they were read

    @property
    def bad(self) -> int:
        return self.read.bad + self.stored.bad

    @property
    def messages(self) -> Sequence[object]:
        return [*self.read.messages, *self.stored.messages]

    @property
    def notes(self) -> Sequence[object]:
        """What the file holds that was not read and might have been meant."""
        return self.read.notes


def import_file(
    store: Store,
    path: str,
    *,
    name: str | None = None,
    person_id: int | None = None,
    source: str = "",
    fmt: str | None = None,
    overlap: int = 1,
    record_as: int | None = None,
    dry_run: bool = False,
    skip_bad: bool = False,
    limits: Limits = NO_UPLOAD,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> FileImport[ImportReport, IncomingQuestion]:
    """Store the questions of a file (`-`: standard input). `source` names that of rows which do not say theirs.

    `name` is what the store calls the file, where the path says nothing to anybody: an upload, for example. Rows of
    known questions that carry other labels become decisions of the person `record_as`; without one they are counted.
    An import that was broken off goes on where it stopped if the same file comes again with the same options. Raises
    InputError for a file that cannot be read at all, with nothing stored, and BadLine at the first bad line unless
    `skip_bad`; the rows before it stay.
    """
    read = ReadReport() if skip_bad else _FirstBadLine()
    note = _Progress(progress)
    try:
        rows = _Previewed(_incoming_questions(path, source, fmt, read, limits))
        stored = import_questions(
            store,
            rows,
            name=name or _shown(path),
            fingerprint=fingerprint(path, source=source, fmt=fmt, overlap=overlap, record_as=record_as),
            person_id=person_id,
            overlap=overlap,
            record_as=record_as,
            dry_run=dry_run,
            progress=note,
        )
    except InputError as error:
        raise _with_what_is_stored(error, note.done, dry_run) from error
    return FileImport(stored, read, tuple(rows.first))


def import_tag_file(
    store: Store,
    path: str,
    person_id: int,
    *,
    name: str | None = None,
    dry_run: bool = False,
    skip_bad: bool = False,
    limits: Limits = NO_UPLOAD,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> FileImport[TagImportReport, IncomingTag]:
    """Store a list of tags; raises as `import_file` does. What is known already is left as it is."""
    read = ReadReport() if skip_bad else _FirstBadLine()
    note = _Progress(progress)
    try:
        rows = _Previewed(_incoming_tags(path, read, limits))
        stored = import_tags(store, rows, person_id, name=name or _shown(path), dry_run=dry_run, progress=note)
    except InputError as error:
        raise _with_what_is_stored(error, note.done, dry_run) from error
    return FileImport(stored, read, tuple(rows.first))


class _Progress:
    """Passes on how far an import is, and remembers it for the complaint that may end it."""

    def __init__(self, pass_on: Callable[[int], None]):
        self.done = 0
        self._pass_on = pass_on

    def __call__(self, rows_done: int) -> None:
        self.done = rows_done
        self._pass_on(rows_done)


def fingerprint(path: str, **options: object) -> str:
    """Tells a file by its bytes, together with the options that change what is stored; standard input is always new."""
    if path == STDIN:
        return secrets.token_hex(32)
    digest = hashlib.sha256(json.dumps(options, sort_keys=True).encode())
    with open(path, "rb") as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _incoming_questions(
    path: str, source: str, fmt: str | None, read: ReadReport, limits: Limits
) -> Iterator[IncomingQuestion]:
    # The report itself stops at a bad line, so that its own type of error tells one from a file of no use.
    for question in read_questions(path, skip_bad=True, report=read, fmt=fmt, limits=limits):
        yield IncomingQuestion(
            line=question.line,
            title=question.title,
            description=question.description,
            tags=question.tags,
            says_tags=question.says_tags,
            source=question.source or source,
            external_id=question.id if question.own_id else "",
            url=question.url,
            notes=Notes(question.flags, question.comments),
        )


def _incoming_tags(path: str, read: ReadReport, limits: Limits) -> Iterator[IncomingTag]:
    for row in read_tag_table(path, skip_bad=True, report=read, limits=limits):
        yield IncomingTag(
            line=row.line,
            name=row.name,
            external_id=row.external_id,
            parent=row.parent,
            parent_external_id=row.parent_external_id,
            aliases=row.aliases,
            definition=row.definition,
        )


class _Previewed(Generic[Row]):
    """The same rows, with the first few kept to be looked at.

    These are read at once: a file of no use is found out before anything is stored.
    """

    def __init__(self, rows: Iterator[Row]):
        self.first: list[Row] = list(islice(rows, 1))
        self._rows: Iterator[Row] = rows

    def __iter__(self) -> Iterator[Row]:
        yield from self.first
        for row in self._rows:
            if len(self.first) < PREVIEWED:
                self.first.append(row)
            yield row


def _shown(path: str) -> str:
    return "standard input" if path == STDIN else path


def _with_what_is_stored(error: InputError, done: int, dry_run: bool) -> InputError:
    """The same complaint, with what became of the rows before it."""
    if isinstance(error, BadLine):
        if dry_run:
            return BadLine(message("import.bad_line_dry_run", complaint=error))
        if not done:
            return BadLine(message("import.bad_line_nothing_stored", complaint=error))
        return BadLine(message("import.bad_line_rows_stay", complaint=error, done=done))
    if done and not dry_run:
        return InputError(message("import.broken_rows_stay", complaint=error, done=done))
    return error
