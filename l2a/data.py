"""Reads question files: JSONL and NLPCC CSV, plain or gzip, or standard input; one question at a time.

JSONL: one object a line, `{"id", "title", "description", "tags": [...]}`; only `title` is required.
NLPCC CSV: a header with `id,title,description` and one column of tags joined by `|` (`tags`, `tag_names`,
`tag names` or `tag_ids`; names win over ids). A tag that contains `|` needs JSONL.

Every complaint names the file and the line. With `skip_bad` bad lines are counted instead of raised.
"""

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from l2a.errors import InputError
from l2a.text import join_question

STDIN = "-"
_COLUMNS = {
    "id": ("id", "question_id", "qid"),
    "title": ("title", "question_title"),
    "description": ("description", "question_detail", "detail"),
    "tags": ("tags", "tag_names", "tag names", "topics", "tag_ids", "tag_ids|tag names"),
}


@dataclass(frozen=True)
class Question:
    """A question as it was read; `tags` keep their spelling and order."""

    title: str
    description: str = ""
    tags: tuple[str, ...] = ()
    id: str = ""
    source: str = ""
    partial_tags: bool = False  # some of its tags are known to be missing

    @property
    def text(self) -> str:
        return f"{self.title} {self.description}" if self.description else self.title


@dataclass
class ReadReport:
    """What happened while reading: filled in as the questions go by."""

    good: int = 0
    bad: int = 0
    messages: list[str] = field(default_factory=list)  # the first MAX_MESSAGES complaints

    MAX_MESSAGES = 20

    def complain(self, message: str) -> None:
        self.bad += 1
        if len(self.messages) < self.MAX_MESSAGES:
            self.messages.append(message)


def read_questions(path: str | Path, *, skip_bad: bool = False, report: ReadReport | None = None) -> Iterator[Question]:
    """Yield the questions of a file (`-` is standard input) without holding more than one in memory.

    Raises InputError for a missing file, a file of another kind, and, unless `skip_bad`, at the first bad line.
    """
    report = report if report is not None else ReadReport()
    name = "standard input" if str(path) == STDIN else str(path)

    def bad(line: int, what: str) -> None:
        message = f"{name}, line {line}: {what}"
        if not skip_bad:
            raise InputError(f"{message}. Correct the line, or pass --skip-bad to leave such lines out.")
        report.complain(message)

    with _open(path, name) as stream:
        lines = _decoded_lines(stream, name, bad)
        first = next((line for line in lines if line[1].strip()), None)
        if first is None:
            return
        lines = _chain(first, lines)
        rows = _jsonl_rows(lines, bad) if _is_jsonl(path, first[1]) else _csv_rows(lines, name, bad)
        for line, row in rows:
            try:
                question = _to_question(row, line)
            except InputError as error:
                bad(line, str(error))
                continue
            report.good += 1
            yield question


def read_tags(path: str | Path) -> list[str]:
    """Tags of a CSV with a column `tag`, or of a plain list with one tag a line."""
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file. Give a list of tags, one a line, or a CSV with a column tag.")
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    if lines and "tag" in next(csv.reader(lines)):
        lines = [row["tag"] or "" for row in csv.DictReader(lines)]
    return [line.strip() for line in lines if line.strip()]


def count_lines(path: str | Path) -> int | None:
    """Lines of a plain file, for a progress bar; None where counting would mean reading it all twice."""
    if str(path) == STDIN or str(path).endswith(".gz"):
        return None
    with open(path, "rb") as stream:
        return sum(1 for line in stream if line.strip())


def _open(path: str | Path, name: str) -> BinaryIO:
    if str(path) == STDIN:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    if not Path(path).is_file():
        raise InputError(f"{name}: no such file. Give the path of a .jsonl or .csv file, plain or .gz.")
    try:
        return gzip.open(path, "rb") if str(path).endswith(".gz") else open(path, "rb")
    except OSError as error:
        raise InputError(f"{name}: cannot be opened ({error.strerror}). Check that you may read it.") from error


def _decoded_lines(stream: BinaryIO, name: str, bad) -> Iterator[tuple[int, str]]:
    """(line number, text) with the byte-order mark removed; lines that are not UTF-8 go to `bad`."""
    number = 0
    try:
        for number, raw in enumerate(stream, start=1):
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                bad(number, f"not UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1})")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name}, after line {number}: the gzip data is damaged or cut off ({error}).") from error


def _chain(first: tuple[int, str], rest: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield first
    yield from rest


def _is_jsonl(path: str | Path, first_line: str) -> bool:
    """By the file's name where it tells, otherwise by the first character."""
    suffixes = [s for s in Path(str(path)).suffixes if s != ".gz"]
    if suffixes and suffixes[-1] in (".jsonl", ".json", ".csv"):
        return suffixes[-1] != ".csv"
    return first_line.lstrip().startswith("{")


def _jsonl_rows(lines: Iterator[tuple[int, str]], bad) -> Iterator[tuple[int, dict]]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad(number, f"not valid JSON ({error})")
            continue
        if not isinstance(row, dict):
            bad(number, f"a JSON object is expected, not {type(row).__name__}")
            continue
        yield number, row


def _csv_rows(lines: Iterator[tuple[int, str]], name: str, bad) -> Iterator[tuple[int, dict]]:
    begins = 0  # the line on which the current record begins: a quoted cell may run over many lines

    def texts() -> Iterator[str]:
        nonlocal begins
        for number, text in lines:
            begins = begins or number
            yield text

    reader = csv.reader(texts())
    try:
        header = [column.strip().lower() for column in next(reader, [])]
    except csv.Error as error:
        raise InputError(f"{name}, line {begins}: the header is not valid CSV ({error}).") from error
    where = {
        wanted: next((header.index(alias) for alias in aliases if alias in header), None)
        for wanted, aliases in _COLUMNS.items()
    }
    missing = [column for column in ("id", "title") if where[column] is None]
    if missing:
        raise InputError(
            f"{name}, line {begins}: the header has no column {' and no column '.join(missing)}; it has "
            f"{', '.join(header) or 'nothing'}. Expected: id,title,description,tags (tags joined by |)."
        )
    while True:
        begins = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            bad(begins, f"not valid CSV ({error})")
            continue
        if not cells:
            continue
        # A comma outside quotes shifts every later cell; trailing empty cells, as spreadsheets write them, do no harm.
        if len(cells) < len(header) or any(cells[len(header) :]):
            bad(begins, f"{len(cells)} columns where the header has {len(header)}")
            continue
        row = {wanted: cells[index] for wanted, index in where.items() if index is not None}
        row["tags"] = [tag for tag in row.get("tags", "").split("|") if tag.strip()]
        yield begins, row


def _to_question(row: dict, line: int) -> Question:
    """A checked Question; raises InputError with the reason, to which the caller adds file and line."""
    title = _text_field(row, "title")
    description = _text_field(row, "description")
    if not title.strip():
        raise InputError("the title is empty")
    if not join_question(title, description)[0]:
        raise InputError("nothing is left of the question once URLs and control characters are removed")
    tags = row.get("tags")
    tags = [] if tags is None else tags
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError('"tags" must be a list of strings')
    if not all(tag.strip() for tag in tags):
        raise InputError("a tag is empty")
    identifier = row.get("id")
    question = Question(
        title=title,
        description=description,
        tags=tuple(tags),
        id=str(line if identifier in (None, "") else identifier),
        source=str(row.get("source") or ""),
        partial_tags=bool(row.get("partial_tags", False)),
    )
    _check_encodable(question)
    return question


def _check_encodable(question: Question) -> None:
    """Refuse half of a surrogate pair (JSON allows a lone \\ud83d): no file or database could store it."""
    for text in (question.title, question.description, question.id, question.source, *question.tags):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(f"half of a surrogate pair (\\u{ord(text[error.start]):04x}), a broken emoji") from error


def _text_field(row: dict, name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f'"{name}" must be a string, not {type(value).__name__}')
    return value
