"""JSON lines that keep their types in libraries which guess a column's type from the first rows.

Such a library (polars, Hugging Face datasets) takes a column that begins with nulls or empty lists for one of nothing,
and fails, or drops what comes later. So the rows that are the first to fill a column stand at the front of the file.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from db.store.records import LabelledQuestion
from db.transfer.files import explain
from db.transfer.formats.base import Cut, Sink, StreamWriter
from db.transfer.formats.escape import json_text


class JsonLinesWriter(StreamWriter):
    """One object a row, as `values` gives it; a format says only what that is.

    The rows wait in a temporary file beside the export until the last has come: which ones go to the front is not
    known before.
    """

    def __init__(self, stream: Sink, cut: Cut):
        super().__init__(stream, cut)
        self._filled: set[str] = set()
        self._front: list[bytes] = []  # at most one row for each column
        self._path = getattr(stream, "name", None)  # of a stream in memory there is none
        try:
            self._rest = tempfile.TemporaryFile(dir=Path(self._path).parent if self._path else None)  # noqa: SIM115
        except OSError as error:
            raise explain(self._path, error) from error

    def values(self, row: LabelledQuestion) -> dict[str, object]:
        raise NotImplementedError

    def write(self, row: LabelledQuestion) -> None:
        values = self.values(row)
        line = json_text(values).encode("utf-8") + b"\n"
        if filled := set(_filled(values)) - self._filled:
            self._filled |= filled
            self._front.append(line)
            return
        try:
            self._rest.write(line)
        except OSError as error:
            raise explain(self._path, error) from error

    def close(self) -> None:
        for line in self._front:
            self._stream.write(line)
        try:
            self._rest.seek(0)
        except OSError as error:  # what was still in memory did not fit on the disk
            raise explain(self._path, error) from error
        shutil.copyfileobj(self._rest, self._stream)
        self.abandon()

    def abandon(self) -> None:
        with suppress(OSError):  # the same again, and the file is thrown away
            self._rest.close()


def _filled(values: dict[str, object], above: str = "") -> Iterator[str]:
    """The columns, and those inside them, that hold a value which shows their type."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _filled(value, f"{above}{name}.")
        elif value is not None and value != []:
            yield f"{above}{name}"
