"""Joins the readers of files (l2a.data, l2a.tag_files) to the store: rows out of one, into the other."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from db.engine import Store
from db.importing import ImportReport, IncomingQuestion, import_questions
from db.tag_import import IncomingTag, TagImportReport, import_tags
from l2a.data import STDIN, ReadReport, read_questions
from l2a.errors import InputError
from l2a.tag_files import read_tag_table

PIECE = 1 << 20  # bytes


class BadLine(InputError):
    """A line that cannot be used, in an import that leaves none out."""


class _FirstBadLine(ReadReport):
    """A report that lets no bad line pass."""

    def complain(self, message: str) -> None:
        raise BadLine(message)


@dataclass(frozen=True)
class FileImport:
    """What became of a file: `read` knows the lines that could not be read, `stored` those the store refused."""

    stored: ImportReport | TagImportReport
    read: ReadReport

    @property
    def bad(self) -> int:
        return self.read.bad + self.stored.bad

    @property
    def messages(self) -> list[str]:
        return [*self.read.messages, *self.stored.messages]


def import_file(
    store: Store,
    path: str,
    *,
    name: str | None = None,
    person_id: int | None = None,
    source: str = "",
    fmt: str | None = None,
    overlap: int = 1,
    dry_run: bool = False,
    skip_bad: bool = False,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> FileImport:
    """Store the questions of a file (`-`: standard input). `source` names that of rows which do not say theirs.

    `name` is what the store calls the file, where the path says nothing to anybody: an upload, for example.
    An import that was broken off goes on where it stopped if the same file comes again with the same options. Raises
    InputError for a file that cannot be read at all, with nothing stored, and BadLine at the first bad line unless
    `skip_bad`; the rows before it stay.
    """
    read = ReadReport() if skip_bad else _FirstBadLine()
    note = _Progress(progress)
    try:
        rows = _started(_incoming_questions(path, source, fmt, read))
        stored = import_questions(
            store,
            rows,
            name=name or _shown(path),
            fingerprint=fingerprint(path, source=source, fmt=fmt, overlap=overlap),
            person_id=person_id,
            overlap=overlap,
            dry_run=dry_run,
            progress=note,
        )
    except BadLine as error:
        raise BadLine(f"{error}. {_what_now(note.done, dry_run)}") from error
    return FileImport(stored, read)


def import_tag_file(
    store: Store,
    path: str,
    person_id: int,
    *,
    name: str | None = None,
    dry_run: bool = False,
    skip_bad: bool = False,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> FileImport:
    """Store a list of tags; raises as `import_file` does. What is known already is left as it is."""
    read = ReadReport() if skip_bad else _FirstBadLine()
    note = _Progress(progress)
    try:
        rows = _started(_incoming_tags(path, read))
        stored = import_tags(store, rows, person_id, name=name or _shown(path), dry_run=dry_run, progress=note)
    except BadLine as error:
        raise BadLine(f"{error}. {_what_now(note.done, dry_run)}") from error
    return FileImport(stored, read)


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


def _incoming_questions(path: str, source: str, fmt: str | None, read: ReadReport) -> Iterator[IncomingQuestion]:
    # The report itself stops at a bad line, so that its own type of error tells one from a file of no use.
    for question in read_questions(path, skip_bad=True, report=read, fmt=fmt):
        yield IncomingQuestion(
            line=question.line,
            title=question.title,
            description=question.description,
            tags=question.tags,
            source=question.source or source,
            external_id=question.id if question.own_id else "",
            url=question.url,
        )


def _incoming_tags(path: str, read: ReadReport) -> Iterator[IncomingTag]:
    for row in read_tag_table(path, skip_bad=True, report=read):
        yield IncomingTag(
            line=row.line,
            name=row.name,
            external_id=row.external_id,
            parent=row.parent,
            parent_external_id=row.parent_external_id,
            aliases=row.aliases,
            definition=row.definition,
        )


def _started(rows: Iterator) -> Iterator:
    """The same rows, the first of them read already: a file of no use is found out before anything is stored."""
    first = next(rows, None)
    return iter(()) if first is None else chain((first,), rows)


def _shown(path: str) -> str:
    return "standard input" if path == STDIN else path


def _what_now(done: int, dry_run: bool) -> str:
    advice = "correct the line and run it again, or pass --skip-bad to leave such lines out."
    if dry_run:
        return f"Nothing was stored, this is a dry run; {advice}"
    stored = f"The first {done:,} rows are stored and stay" if done else "This run stored nothing"
    return f"{stored}; {advice}"
