"""CSV, for spreadsheets and for tools that know the files of NLPCC-2018 task 6."""

import codecs
import csv

from db.store.records import LabelledQuestion
from db.transfer.formats.base import COLUMNS, Cut, Format, Sink, StreamWriter, plain_values
from db.transfer.formats.escape import guard, join_list

NLPCC_COLUMNS = ("id", "title", "description", "tags")


class CsvWriter(StreamWriter):
    """Some of the columns of a row; numbers stay numbers, lists are joined, None is an empty cell."""

    columns: tuple[str, ...] = COLUMNS
    byte_order_mark = codecs.BOM_UTF8  # without it Excel shows Chinese as gibberish

    def __init__(self, stream: Sink, cut: Cut):
        super().__init__(stream, cut)
        stream.write(self.byte_order_mark)
        self._csv = csv.writer(_Utf8(stream), lineterminator="\r\n")
        self._csv.writerow(self.columns)

    def write(self, row: LabelledQuestion) -> None:
        values = plain_values(row)
        self._csv.writerow([_cell(values[column]) for column in self.columns])


class NlpccCsvWriter(CsvWriter):
    columns = NLPCC_COLUMNS
    byte_order_mark = b""  # a tool that looks for a column called id would not find it behind the mark


class _Utf8:
    """A text stream as far as `csv.writer` needs one; unlike TextIOWrapper it never closes what it writes to."""

    def __init__(self, stream: Sink):
        self._stream = stream

    def write(self, text: str) -> None:
        self._stream.write(text.encode("utf-8"))


def _cell(value: object) -> object:
    if isinstance(value, list):
        value = join_list(value)
    return guard(value) if isinstance(value, str) else value


_ESCAPE = (
    "Lists are joined by |, with \\| for a bar and \\\\ for a backslash inside an item; a single item with "
    "a comma or in brackets ends with |; a cell that a spreadsheet would run as a formula, or that "
    "begins with an apostrophe, gets one apostrophe in front."
)
CSV = Format(
    name="csv",
    suffix=".csv",
    media_type="text/csv; charset=utf-8",
    escape=_ESCAPE,
    columns=COLUMNS,
    open=CsvWriter,
)
NLPCC_CSV = Format(
    name="nlpcc-csv",
    suffix=".csv",
    media_type="text/csv; charset=utf-8",
    escape=_ESCAPE,
    columns=NLPCC_COLUMNS,
    open=NlpccCsvWriter,
)
