"""Reads Parquet in batches: columns id, title, description, tags (a list, or text joined by `|`) and source."""

import math
from collections.abc import Iterator

from l2a.data.readers.columns import NOTE_COLUMNS, QUESTION_COLUMNS, find_columns, unread_columns
from l2a.data.readers.complaints import Complaints
from l2a.data.readers.foreign import VERDICT_COLUMNS, check_header, check_row, check_shapes
from l2a.data.readers.source import Source
from l2a.data.readers.unescape import check_items, split_tags
from l2a.data.size_limits import TooLarge
from l2a.errors import InputError
from l2a.messages import Message

BATCH = 100  # rows in memory at a time
SHORT = 64  # bytes of a text, on average, that may be a verdict; longer answers are not looked at
_NOT_UTF8 = object()  # stands for a cell that cannot be decoded


def parquet_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """(number of the row, fields). Raises InputError for a file that is cut off, damaged, or has no column title."""
    import pyarrow

    if not source.is_plain_file:
        raise InputError("file.packed_parquet", file=source.name)
    number = 0
    try:
        with _open(source.path) as file:
            names = file.schema_arrow.names
            check_header(source, names)
            check_shapes(source, {field.name: _shape(field.type) for field in file.schema_arrow})
            where = find_columns(
                names, QUESTION_COLUMNS, ("title",), Message("place.parquet_table", {"file": source.name})
            )
            where |= find_columns(names, NOTE_COLUMNS, (), source.name)
            verdicts = find_columns(names, VERDICT_COLUMNS, (), source.name)
            verdicts = {name: index for name, index in verdicts.items() if _holds_short_texts(file, names[index])}
            where |= verdicts
            complaints.name_unread(unread_columns(names))
            wanted_names = [names[index] for index in where.values()]
            for batch in file.iter_batches(_batch_size(source, file, wanted_names), columns=wanted_names):
                columns = {wanted: _cells(batch.column(names[index])) for wanted, index in where.items()}
                for cells in zip(*columns.values(), strict=True):
                    number += 1
                    if _length(cells) > source.limits.line:
                        complaints.add(number, Message("row.too_long", {"longest": source.limits.shown_line}))
                        continue
                    if any(cell is _NOT_UTF8 for cell in cells):
                        complaints.add(number, Message("row.text_not_utf8"))
                        continue
                    row = dict(zip(columns, cells, strict=True))
                    if verdicts:
                        check_row(source, "row", number, {name: row.pop(name) for name in verdicts})
                    try:
                        row = _fields(row)
                    except InputError as error:
                        complaints.add(number, error.message)
                        continue
                    yield number, row
    except (pyarrow.ArrowException, OSError) as error:
        place = Message("place.after_row", {"file": source.name, "number": number}) if number else source.name
        raise InputError("file.damaged_parquet", place=place, reason=str(error).splitlines()[0]) from error


def count_rows(path: str) -> int | None:
    """Rows by the file's own account, without reading them; None for a file that cannot be read."""
    import pyarrow

    try:
        with _open(path) as file:
            return file.metadata.num_rows
    except (pyarrow.ArrowException, OSError):
        return None


def _open(path: str, **options):
    from pyarrow.parquet import ParquetFile

    # Buffered, and without reading ahead: a row group may be larger than memory.
    return ParquetFile(path, buffer_size=1 << 16, pre_buffer=False, **options)


def _shape(kind) -> object:
    """A value of this type with as little in it as possible; None where only its being there counts."""
    from pyarrow import types

    if types.is_struct(kind):
        return {"": None}
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return [_shape(kind.value_type)]
    return "" if types.is_string(kind) or types.is_large_string(kind) else None


def _holds_short_texts(file, name: str) -> bool:
    """Whether a column can hold verdicts by what the file says of its size: long texts are not read in vain."""
    metadata = file.metadata
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    chunks = [group.column(column) for group in groups for column in range(metadata.num_columns)]
    chunks = [chunk for chunk in chunks if chunk.path_in_schema == name and chunk.physical_type == "BYTE_ARRAY"]
    size = sum(chunk.total_uncompressed_size for chunk in chunks)
    return bool(chunks) and size <= SHORT * metadata.num_rows + BATCH * SHORT * len(chunks)


def _batch_size(source: Source, file, names: list[str]) -> int:
    """How many rows may be read at a time; raises TooLarge for a file that is more than its limits allow.

    A text that stands in a file once may be the text of many rows: in a dictionary, whose longest text is looked at
    first, or as the beginning of the next text, where each row is read by itself.
    """
    chunks = [
        (group, file.metadata.row_group(group).column(column))
        for group in range(file.metadata.num_row_groups)
        for column in range(file.metadata.num_columns)
    ]
    chunks = [(group, chunk) for group, chunk in chunks if _column_of(chunk, names)]
    size = sum(chunk.total_uncompressed_size for _, chunk in chunks)
    if source.limits.unpacked is not None and size > source.limits.unpacked:
        raise TooLarge("limit.unpacked", file=source.name, most=source.limits.shown_unpacked)
    for group, chunk in chunks:
        if chunk.physical_type == "BYTE_ARRAY" and chunk.total_uncompressed_size > source.limits.line:
            _check_dictionary(source, group, chunk)
    shares_beginnings = any("DELTA_BYTE_ARRAY" in chunk.encodings for _, chunk in chunks)
    return 1 if shares_beginnings else BATCH


def _column_of(chunk, names: list[str]) -> bool:
    return any(chunk.path_in_schema == name or chunk.path_in_schema.startswith(f"{name}.") for name in names)


def _check_dictionary(source: Source, group: int, chunk) -> None:
    """Raises TooLarge for a dictionary with a text that is too long; it is read with the first row."""
    import pyarrow.compute

    path = chunk.path_in_schema
    if not any("DICTIONARY" in encoding for encoding in chunk.encodings):
        return
    with _open(source.path, read_dictionary=[path]) as looked_at:
        batch = next(looked_at.iter_batches(1, row_groups=[group], columns=[path]), None)
    column = batch.column(0) if batch is not None else None
    while column is not None and hasattr(column, "flatten") and not hasattr(column, "dictionary"):
        column = column.flatten()
    longest = pyarrow.compute.max(pyarrow.compute.binary_length(column.dictionary)).as_py() if column is not None else 0
    if (longest or 0) > source.limits.line:
        raise TooLarge("limit.text", file=source.name, longest=source.limits.shown_line)


def _length(cells: tuple) -> int:
    """Characters of the texts of a row."""
    texts = (text for cell in cells for text in (cell if isinstance(cell, list) else (cell,)))
    return sum(len(text) for text in texts if isinstance(text, str))


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
        row["tags"] = split_tags(row["tags"])
    else:
        check_items(row.get("tags"))
    identifier = row.get("id")
    if isinstance(identifier, float):  # pandas makes whole numbers floats as soon as one is missing
        row["id"] = None if math.isnan(identifier) else int(identifier) if identifier.is_integer() else identifier
    return row
