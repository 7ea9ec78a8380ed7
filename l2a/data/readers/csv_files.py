"""Reads CSV: a header with at least a title, tags in one cell joined by `|`; NLPCC files have an id as well."""

import csv
from collections.abc import Iterator, Sequence

from l2a.data.readers.columns import NOTE_COLUMNS, QUESTION_COLUMNS, find_columns, unread_columns
from l2a.data.readers.complaints import Complaints, header_of
from l2a.data.readers.foreign import VERDICT_COLUMNS, check_header, check_markup, check_row
from l2a.data.readers.source import Source
from l2a.data.readers.unescape import split_list, split_tags, unguard
from l2a.errors import InputError
from l2a.messages import Message

# The csv module's own limit for a cell, which nobody can set for one file: records are limited here instead.
csv.field_size_limit((1 << 31) - 1)


class _RecordTooLong(Exception):
    """A record that goes on and on: a quotation mark may be missing."""


Record = tuple[int, list[str]]  # the line on which the record begins, and its cells


def csv_rows(source: Source, complaints: Complaints, needed: Sequence[str] = ("title",)) -> Iterator[tuple[int, dict]]:
    """(line, fields) of each record."""
    check_markup(source)
    line, header, records = read_table(source, complaints)
    check_header(source, header)
    where = find_columns(header, QUESTION_COLUMNS, needed, header_of(source.name, line), usual=("id",))
    notes = find_columns(header, NOTE_COLUMNS, (), source.name)
    verdicts = find_columns(header, VERDICT_COLUMNS, (), source.name)
    complaints.name_unread(unread_columns(header))
    for number, cells in records:
        if verdicts:
            check_row(source, "line", number, {name: cells[index] for name, index in verdicts.items()})
        row = {wanted: unguard(cells[index]) for wanted, index in where.items()}
        try:
            tags = split_tags(row.get("tags", ""))
        except InputError as error:
            complaints.add(number, error.message)
            continue
        yield number, row | {"tags": tags} | {name: split_list(unguard(cells[index])) for name, index in notes.items()}


def nlpcc_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """The same for a file that must have the columns of NLPCC-2018 task 6."""
    return csv_rows(source, complaints, needed=("id", "title"))


def read_table(source: Source, complaints: Complaints, delimiter: str = ",") -> tuple[int, list[str], Iterator[Record]]:
    """The header with its line, and the records that fit it, read as they are asked for."""
    records = _records(source, complaints, delimiter)
    line, header = next(records, (0, []))
    return line, header, _fitting(records, len(header), complaints)


def _records(source: Source, complaints: Complaints, delimiter: str) -> Iterator[Record]:
    begins = 0  # the line on which the current record begins: a quoted cell may run over many lines
    size = 0  # characters of the current record

    lines = source.lines(complaints)

    def next_text() -> str:  # not a generator, which could not go on after a record that is too long
        nonlocal begins, size
        number, text = next(lines)
        begins = begins or number
        size += len(text)
        if size > source.limits.line:
            raise _RecordTooLong
        return text

    reader = csv.reader(iter(next_text, None), delimiter=delimiter)
    is_header = True
    while True:
        begins = size = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _RecordTooLong:
            complaints.add(begins, Message("row.too_long", {"longest": source.limits.shown_line}))
            continue
        except csv.Error as error:
            if is_header:
                raise InputError(
                    "file.header_no_csv", place=header_of(source.name, begins), reason=str(error)
                ) from error
            complaints.add(begins, Message("row.no_csv", {"reason": str(error)}))
            continue
        if cells and not (is_header and not any(cell.strip() for cell in cells)):
            is_header = False
            yield begins, cells


def _fitting(records: Iterator[Record], width: int, complaints: Complaints) -> Iterator[Record]:
    """Records as wide as the header.

    A comma outside quotes shifts every later cell; trailing empty cells, as spreadsheets write them, do no harm.
    """
    for number, cells in records:
        if len(cells) < width or any(cells[width:]):
            complaints.add(number, Message("row.other_width", {"found": len(cells), "wanted": width}))
        else:
            yield number, cells
