"""Reads question files of every kind, plain or gzip, or standard input; one question at a time.

jsonl         one object a line, `{"id", "title", "description", "tags": [...], "source"}`; only `title` is required.
              `rejected` lists tags that people turned down: evidence for training.
csv           a header with at least `title`; tags in one column (`tags`, `tag_names`, `tag names` or `tag_ids`; names
              win over ids), joined by `|`. `\\|` is a bar inside a tag.
nlpcc-csv     the same, and `id` is required: the files of NLPCC-2018 task 6.
parquet       the columns of csv; tags may be a list.
fasttext      `__label__tag __label__tag text`.
label-studio  a JSON array of tasks with choices.
doccano       one object a line, `{"id", "text", "label": [...]}`.

Every complaint names the file and the line (the row or task where there are no lines). With `skip_bad` bad lines are
counted instead of raised. What the formats look like inside is known in `l2a.data.readers` only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from l2a.data.readers import READERS
from l2a.data.readers.complaints import Complaints, ReadReport
from l2a.data.readers.detect import detect_format
from l2a.data.readers.notes import Notes, who_said_what
from l2a.data.readers.parquet import count_rows
from l2a.data.readers.source import DAMAGED, STDIN, bounded_lines, open_source, open_unpacked
from l2a.data.size_limits import NO_UPLOAD, Limits, TooLarge
from l2a.data.tag_files import read_tags
from l2a.errors import InputError
from l2a.messages import Message
from l2a.text.cleaning import join_question

__all__ = ["FORMATS", "STDIN", "Limits", "Question", "ReadReport", "count_lines", "read_questions", "read_tags"]

FORMATS = tuple(READERS)
_EXPECTED = Message("file.expected_questions")


@dataclass(frozen=True)
class Question:
    """A question as it was read; `tags` keep their spelling and order."""

    title: str
    description: str = ""
    tags: tuple[str, ...] = ()
    id: str = ""
    source: str = ""
    rejected: tuple[str, ...] = ()  # tags that people turned down for it
    partial_tags: bool = False  # some of its tags are known to be missing
    url: str = ""  # where the original is, if the file says so
    flags: Notes = ()  # (who, flag) and (who, comment), as our own exports keep them
    comments: Notes = ()
    says_tags: bool = field(default=True, compare=False)  # False where the row says nothing of tags, not even "none"
    # Where it was read says nothing about which question it is: two files may hold the same one.
    line: int = field(default=0, compare=False)  # the line, row or task, from 1
    own_id: bool = field(default=True, compare=False)  # False if the file gave none and `id` is the line

    @property
    def text(self) -> str:
        return f"{self.title} {self.description}" if self.description else self.title


def read_questions(
    path: str | Path,
    *,
    skip_bad: bool = False,
    report: ReadReport | None = None,
    fmt: str | None = None,
    limits: Limits = NO_UPLOAD,
) -> Iterator[Question]:
    """Yield the questions of a file (`-` is standard input) without holding more than a few in memory.

    fmt: one of FORMATS; by default the file's suffix and first characters decide.
    Raises InputError for a missing file, a file of another kind, one beyond the `limits` (TooLarge), and, unless
    `skip_bad`, at the first bad line.
    """
    if fmt is not None and fmt not in READERS:
        raise InputError("file.no_format", format=fmt, valid=", ".join(FORMATS))
    report = report if report is not None else ReadReport()
    with open_source(path, _EXPECTED, limits) as source:
        fmt = fmt or detect_format(str(path), source.head)
        if not source.head and fmt != "parquet":  # an empty file holds no questions; Parquet is never empty
            return
        reader = READERS[fmt]
        complaints = Complaints(source.name, reader.unit, skip_bad, report)
        for number, row in reader.rows(source, complaints):
            try:
                question = _to_question(reader.fields(row), number)
            except InputError as error:
                complaints.add(number, error.message)
                continue
            report.good += 1
            yield question


def count_lines(path: str | Path, fmt: str | None = None, limits: Limits = NO_UPLOAD) -> int | None:
    """Lines or rows of a file, for a progress bar and to know whether several processes are worth their while.

    None where that cannot be told: standard input, a JSON array, damaged gzip or too much of it. Gzip is unpacked twice
    for it, a second for 200,000 questions, which take minutes to cut into words.
    """
    if str(path) == STDIN:
        return None
    is_packed = str(path).endswith(".gz")
    try:
        with open_unpacked(path, str(path), limits) as stream:
            fmt = fmt or detect_format(str(path), stream.peek(1000)[:1000])
            if fmt == "parquet":
                return None if is_packed else count_rows(str(path))
            if fmt == "label-studio":
                return None
            return sum(1 for _, line in bounded_lines(stream, limits.line) if line is None or line.strip())
    except (*DAMAGED, TooLarge):  # the reader says so, after the lines before the damage
        return None


def _to_question(row: dict, line: int) -> Question:
    """A checked Question; raises InputError with the reason, to which the caller adds file and line."""
    title = _text_field(row, "title")
    description = _text_field(row, "description")
    if not title.strip():
        raise InputError("row.no_title")
    if not join_question(title, description)[0]:
        raise InputError("row.nothing_left")
    tags, rejected = _tag_field(row, "tags"), _tag_field(row, "rejected")
    identifier = row.get("id")
    own_id = identifier not in (None, "")
    question = Question(
        title=title,
        description=description,
        tags=tags,
        rejected=rejected,
        id=str(identifier if own_id else line),
        source=str(row.get("source") or ""),
        partial_tags=bool(row.get("partial_tags", False)),
        url=str(row.get("url") or ""),
        flags=who_said_what(row, "flags", "flagged_by"),
        comments=who_said_what(row, "comments", "commented_by"),
        says_tags=row.get("tags") is not None,
        line=line,
        own_id=own_id,
    )
    _check_encodable(question)
    return question


def _check_encodable(question: Question) -> None:
    """Refuse half of a surrogate pair (JSON allows a lone \\ud83d): no file or database could store it."""
    texts = (question.title, question.description, question.id, question.source, question.url)
    for text in (*texts, *question.tags, *question.rejected):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError("row.half_surrogate", number=ord(text[error.start])) from error


def _tag_field(row: dict, name: str) -> tuple[str, ...]:
    tags = row.get(name)
    if tags is None:
        return ()
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError("row.no_list_of_strings", name=name)
    if not all(tag.strip() for tag in tags):
        raise InputError("row.empty_tag")
    return tuple(tags)


def _text_field(row: dict, name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError("row.no_string", name=name, kind=type(value).__name__)
    return value
