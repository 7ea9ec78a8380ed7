"""Parquet with typed columns: lists are lists and times are times."""

from contextlib import suppress

from db.store.records import LabelledQuestion
from db.transfer.formats.base import COLUMNS, Cut, Format, Sink, StreamWriter, identifier, utc

GROUP_ROWS = 4000  # rows in memory before they are written as one row group
GROUP_CHARACTERS = 8_000_000  # or earlier, if the texts are long


class ParquetWriter(StreamWriter):
    def __init__(self, stream: Sink, cut: Cut):
        import pyarrow.parquet  # here, because it takes a third of a second that no other format needs

        super().__init__(stream, cut)
        self._schema = _schema()
        self._parquet = pyarrow.parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self._rows: list[dict[str, object]] = []
        self._characters = 0

    def write(self, row: LabelledQuestion) -> None:
        values = {name: getattr(row, name) for name in COLUMNS if name != "id"}
        self._rows.append({**values, "id": identifier(row), "decided_at": row.decided_at and utc(row.decided_at)})
        self._characters += len(row.title) + len(row.description)
        if len(self._rows) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
            self._write_group()

    def close(self) -> None:
        if self._rows:
            self._write_group()
        self._parquet.close()

    def abandon(self) -> None:
        # Left open, it would try to write its footer when it is collected, to a stream that is long closed.
        with suppress(Exception):
            self._parquet.close()

    def _write_group(self) -> None:
        import pyarrow

        self._parquet.write_table(pyarrow.Table.from_pylist(self._rows, self._schema))
        self._rows, self._characters = [], 0


def _schema():
    import pyarrow as pa

    types = {
        "question_id": pa.int64(),
        "entries": pa.list_(pa.int64()),
        "agreement": pa.float64(),
        "decided_at": pa.timestamp("us", tz="UTC"),
    }
    lists = ["tags", "rejected", "unjudged", "prior_tags", "people", "model_versions", "picks"]
    lists += ["flags", "flagged_by", "comments", "commented_by"]
    types |= dict.fromkeys(lists, pa.list_(pa.string()))
    return pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])


PARQUET = Format(
    name="parquet",
    suffix=".parquet",
    media_type="application/vnd.apache.parquet",
    escape="Nothing is escaped: texts are stored with their length, lists as lists.",
    columns=COLUMNS,
    open=ParquetWriter,
)
