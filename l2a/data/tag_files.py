"""Reads lists of tags: one tag a line, or a CSV or TSV with a header, which may also hold a hierarchy.

Columns, in any order and case: name (or tag, topicName), external_id (id, topicID), parent (parentName), parent_id
(parentID), aliases (joined by `|`, see `l2a.data.readers.unescape`), definition (note). A tag with several parents has
several rows.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from l2a.data.readers.columns import Aliases, find_columns
from l2a.data.readers.complaints import Complaints, ReadReport, header_of
from l2a.data.readers.csv_files import read_table
from l2a.data.readers.foreign import check_tag_header, check_tag_line
from l2a.data.readers.source import Source, open_source
from l2a.data.readers.unescape import split_tags, unguard
from l2a.data.size_limits import NO_UPLOAD, Limits
from l2a.errors import InputError
from l2a.messages import Message

_COLUMNS: Aliases = {
    "name": ("name", "tag", "topicname"),
    "external_id": ("external_id", "id", "topicid"),
    "parent": ("parent", "parentname", "parent_name"),
    "parent_id": ("parent_id", "parentid", "parent_external_id"),
    "aliases": ("aliases",),
    "definition": ("definition", "note"),
}
_NO_PARENT = ("", "None")
_EXPECTED = Message("file.expected_tags")


@dataclass(frozen=True)
class TagRow:
    """A tag as it was read; what the file does not say is empty."""

    line: int
    name: str
    external_id: str = ""
    parent: str = ""
    parent_external_id: str = ""
    aliases: tuple[str, ...] = ()
    definition: str = ""


def read_tags(path: str | Path, *, skip_bad: bool = False) -> list[str]:
    """The names alone, in the order of the file."""
    return [row.name for row in read_tag_table(path, skip_bad=skip_bad)]


def read_tag_table(
    path: str | Path, *, skip_bad: bool = False, report: ReadReport | None = None, limits: Limits = NO_UPLOAD
) -> Iterator[TagRow]:
    """Yield the tags of a file one by one.

    Raises InputError for a missing file, a table without names, one beyond the `limits`, and, unless `skip_bad`, at the
    first bad line.
    """
    report = report if report is not None else ReadReport()
    with open_source(path, _EXPECTED, limits) as source:
        complaints = Complaints(source.name, "line", skip_bad, report)
        delimiter = _table_delimiter(source)
        rows = _list_rows(source, complaints) if delimiter is None else _table_rows(source, complaints, delimiter)
        for row in rows:
            report.good += 1
            yield row


def _table_delimiter(source: Source) -> str | None:
    """What separates the cells of a table; None for a plain list, whose tags may hold commas."""
    header = source.head.decode("utf-8", errors="replace")
    delimiter = "\t" if "\t" in header else ","
    try:
        cells = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        cells = [header]
    names = {cell.strip().lower() for cell in cells}
    if names & set(_COLUMNS["name"]):
        return delimiter
    suffixes = {suffix.lower() for suffix in Path(source.path).suffixes}
    return delimiter if len(cells) > 1 and suffixes & {".csv", ".tsv"} else None


def _list_rows(source: Source, complaints: Complaints) -> Iterator[TagRow]:
    is_first = True
    for number, line in source.lines(complaints):
        if line.strip():
            check_tag_line(source, number, line, is_first)
            is_first = False
            yield TagRow(number, line.strip())


def _table_rows(source: Source, complaints: Complaints, delimiter: str) -> Iterator[TagRow]:
    line, header, records = read_table(source, complaints, delimiter)
    check_tag_header(source, header)
    where = find_columns(header, _COLUMNS, ("name",), header_of(source.name, line))
    for number, cells in records:
        row = {wanted: unguard(cells[index]).strip() for wanted, index in where.items()}
        if not row["name"]:
            if any(cell.strip() for cell in cells):
                complaints.add(number, Message("row.no_tag_name"))
            continue
        try:
            aliases = split_tags(row.get("aliases", ""))
        except InputError as error:
            complaints.add(number, error.message)
            continue
        parent, parent_id = row.get("parent", ""), row.get("parent_id", "")
        yield TagRow(
            line=number,
            name=row["name"],
            external_id=row.get("external_id", ""),
            parent="" if parent in _NO_PARENT else parent,
            parent_external_id="" if parent_id in _NO_PARENT else parent_id,
            aliases=tuple(alias.strip() for alias in aliases),
            definition=row.get("definition", ""),
        )
