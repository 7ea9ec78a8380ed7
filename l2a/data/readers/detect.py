"""Which format a file has: by its name where that tells, otherwise by its first characters."""

import csv
from pathlib import Path

from l2a.data.readers.columns import QUESTION_COLUMNS
from l2a.data.readers.unescape import LABEL

_BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", ".fasttext": "fasttext"}
_BY_START = {"{": "jsonl", "[": "label-studio", LABEL: "fasttext", "PAR1": "parquet"}


def detect_format(path: str, head: bytes) -> str:
    """The name of the format of a file that begins with `head`, its first line or more of it.

    A doccano file is called jsonl here: its rows are told apart one by one.
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() != ".gz"]
    suffix = suffixes[-1] if suffixes else ""
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    start = head.decode("utf-8-sig", errors="replace").lstrip()
    for beginning, name in _BY_START.items():
        if start.startswith(beginning):
            return name
    if suffix == ".json":
        return "jsonl"
    return "fasttext" if suffix == ".txt" and not _is_question_header(start) else "csv"


def _is_question_header(start: str) -> bool:
    try:
        cells = next(csv.reader(start.splitlines()[:1]), [])
    except csv.Error:
        return False
    return any(cell.strip().lower() in QUESTION_COLUMNS["title"] for cell in cells)
