"""Reads Parquet in batches: columns id, title, description, tags (a list, or text joined by `|`) and source."""

import math
from collections.abc import Iterator

from l2a.errors import InputError
from l2a.readers.columns import QUESTION_COLUMNS, find_columns
from l2a.readers.complaints import Bad
from l2a.readers.escape import split_list
from l2a.readers.source import Source

BATCH = 1000  # rows in memory at a time
_NOT_UTF8 = object()  # stands for a cell that cannot be decoded


def parquet_rows(source: Source, bad: Bad) -> Iterator[tuple[int, dict]]:
    """(number of the row, fields). Raises InputError for a file that is cut off, damaged, or has no column title."""
    import pyarrow

    if not source.is_plain_file:
        raise InputError(
            f"{source.name}: Parquet cannot be read from standard input or through gzip. "
            "Give the path of the .parquet file itself, unpacked."
        )
    number = 0
    try:
        with _open(source.path) as file:
            names = file.schema_arrow.names
            where = find_columns(names, QUESTION_COLUMNS, ("title",), f"{source.name}: the Parquet table")
            for batch in file.iter_batches(BATCH, columns=[names[index] for index in where.values()]):
                columns = {wanted: _cells(batch.column(names[index])) for wanted, index in where.items()}
                for cells in zip(*columns.values(), strict=True):
                    number += 1
                    if any(cell is _NOT_UTF8 for cell in cells):
                        bad(number, "a text is not UTF-8; write the file again with text columns in UTF-8")
                    else:
                        yield number, _fields(dict(zip(columns, cells, strict=True)))
    except (pyarrow.ArrowException, OSError) as error:
        where = f"{source.name}, after row {number}" if number else source.name
        raise InputError(
            f"{where}: the file is cut off, damaged, or no Parquet at all ({str(error).splitlines()[0]}). "
            "Copy or export it again."
        ) from error


def count_rows(path: str) -> int | None:
    """Rows by the file's own account, without reading them; None for a file that cannot be read."""
    import pyarrow

    try:
        with _open(path) as file:
            return file.metadata.num_rows
    except (pyarrow.ArrowException, OSError):
        return None


def _open(path: str):
    from pyarrow.parquet import ParquetFile

    # Buffered, and without reading ahead: a row group may be larger than memory.
    return ParquetFile(path, buffer_size=1 << 16, pre_buffer=False)


def _cells(column) -> list:
    try:
        return column.to_pylist()
    except UnicodeDecodeError:  # one bad cell must not take the other rows with it
        return [_cell(scalar) for scalar in column]


def _cell(scalar):
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return _NOT_UTF8


def _fields(row: dict) -> dict:
    if isinstance(row.get("tags"), str):
        row["tags"] = split_list(row["tags"])
    identifier = row.get("id")
    if isinstance(identifier, float):  # pandas makes whole numbers floats as soon as one is missing
        row["id"] = None if math.isnan(identifier) else int(identifier) if identifier.is_integer() else identifier
    return row
