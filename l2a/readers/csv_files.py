"""Reads CSV: a header with at least a title, tags in one cell joined by `|`; NLPCC files have an id as well."""

import csv
from collections.abc import Iterator, Sequence

from l2a.errors import InputError
from l2a.readers.columns import QUESTION_COLUMNS, find_columns
from l2a.readers.complaints import Bad
from l2a.readers.escape import split_list, unguard
from l2a.readers.source import Source

Record = tuple[int, list[str]]  # the line on which the record begins, and its cells


def csv_rows(source: Source, bad: Bad, needed: Sequence[str] = ("title",)) -> Iterator[tuple[int, dict]]:
    """(line, fields) of each record."""
    line, header, records = read_table(source, bad)
    where = find_columns(header, QUESTION_COLUMNS, needed, f"{source.name}, line {line}: the header", usual=("id",))
    for number, cells in records:
        row = {wanted: unguard(cells[index]) for wanted, index in where.items()}
        row["tags"] = split_list(row.get("tags", ""))
        yield number, row


def nlpcc_rows(source: Source, bad: Bad) -> Iterator[tuple[int, dict]]:
    """The same for a file that must have the columns of NLPCC-2018 task 6."""
    return csv_rows(source, bad, needed=("id", "title"))


def read_table(source: Source, bad: Bad, delimiter: str = ",") -> tuple[int, list[str], Iterator[Record]]:
    """The header with its line, and the records that fit it, read as they are asked for."""
    records = _records(source, bad, delimiter)
    line, header = next(records, (0, []))
    return line, header, _fitting(records, len(header), bad)


def _records(source: Source, bad: Bad, delimiter: str) -> Iterator[Record]:
    begins = 0  # the line on which the current record begins: a quoted cell may run over many lines

    def texts() -> Iterator[str]:
        nonlocal begins
        for number, text in source.lines(bad):
            begins = begins or number
            yield text

    reader = csv.reader(texts(), delimiter=delimiter)
    is_header = True
    while True:
        begins = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if is_header:
                raise InputError(
                    f"{source.name}, line {begins}: the header is not valid CSV ({error}). Save the file again as CSV."
                ) from error
            bad(begins, f"not valid CSV ({error})")
            continue
        if cells and not (is_header and not any(cell.strip() for cell in cells)):
            is_header = False
            yield begins, cells


def _fitting(records: Iterator[Record], width: int, bad: Bad) -> Iterator[Record]:
    """Records as wide as the header.

    A comma outside quotes shifts every later cell; trailing empty cells, as spreadsheets write them, do no harm.
    """
    for number, cells in records:
        if len(cells) < width or any(cells[width:]):
            bad(number, f"{len(cells)} columns where the header has {width}")
        else:
            yield number, cells
