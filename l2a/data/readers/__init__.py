"""One module a file format; `l2a.data.questions` is the front door.

A reader turns an open file into numbered rows, and a row into the fields of a question: id, title, description, tags,
source. What a question must look like is checked in one place, in `l2a.data.questions`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from l2a.data.readers.complaints import Complaints, Unit
from l2a.data.readers.csv_files import csv_rows, nlpcc_rows
from l2a.data.readers.doccano import doccano_fields
from l2a.data.readers.fasttext import fasttext_rows
from l2a.data.readers.jsonl import doccano_rows, jsonl_fields, jsonl_rows
from l2a.data.readers.label_studio import label_studio_fields, label_studio_rows
from l2a.data.readers.parquet import parquet_rows
from l2a.data.readers.source import Source


def _as_they_are(row: dict) -> dict:
    return row


@dataclass(frozen=True)
class Reader:
    unit: Unit  # what its files are counted in
    rows: Callable[[Source, Complaints], Iterator[tuple[int, dict]]]  # numbered from 1
    fields: Callable[[dict], dict] = _as_they_are  # raises InputError with the reason


READERS = {
    "jsonl": Reader("line", jsonl_rows, jsonl_fields),
    "csv": Reader("line", csv_rows),
    "nlpcc-csv": Reader("line", nlpcc_rows),
    "parquet": Reader("row", parquet_rows),
    "fasttext": Reader("line", fasttext_rows),
    "label-studio": Reader("task", label_studio_rows, label_studio_fields),
    "doccano": Reader("line", doccano_rows, doccano_fields),
}
