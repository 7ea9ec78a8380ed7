"""The first rows of an export as its file has them: character by character, or as the typed table that it is."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from app.transfer.exporter import cut_words
from db.store.records import LabelledQuestion
from db.transfer.formats import FORMATS

if TYPE_CHECKING:
    import pyarrow

ROWS = 5
MOST_CHARACTERS = 20_000  # a browser is asked to draw no more
TABLES = ("csv", "nlpcc-csv")


@dataclass(frozen=True)
class Head:
    """How a file begins: `text`, or `table` where it is no text."""

    text: str = ""
    table: "pyarrow.Table | None" = None
    cut: bool = False  # the text was too long to be shown whole


def head(stream: BinaryIO, format_name: str, rows: int = ROWS) -> Head:
    """The first rows of an export that was written."""
    if format_name == "parquet":
        return Head(table=_first_batch(stream, rows))
    text = "".join(_first_lines(io.TextIOWrapper(stream, "utf-8-sig", newline=""), format_name, rows))
    return Head(text[:MOST_CHARACTERS], cut=len(text) > MOST_CHARACTERS)


def rehearsal(found: Sequence[LabelledQuestion], format_name: str, rows: int = ROWS) -> Head:
    """The same, of rows that are not in a file yet: written by the same writer, into memory."""
    stream = io.BytesIO()
    with FORMATS[format_name].open(stream, cut_words) as writer:
        for row in found[:rows]:
            writer.write(row)
    stream.seek(0)
    return head(stream, format_name, rows)


def _first_lines(lines: io.TextIOWrapper, format_name: str, rows: int) -> Iterator[str]:
    """A table has a header, and rows that run over lines inside quotes; Label Studio's array begins with a bracket."""
    left = rows + (format_name in (*TABLES, "label-studio"))
    inside_quotes = False
    for line in lines:
        yield line
        inside_quotes ^= format_name in TABLES and line.count('"') % 2 == 1
        left -= not inside_quotes
        if left <= 0:
            return


def _first_batch(stream: BinaryIO, rows: int) -> "pyarrow.Table":
    import pyarrow
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(stream)
    batch = next(file.iter_batches(rows), None)
    return pyarrow.Table.from_batches([batch] if batch is not None else [], file.schema_arrow)
