"""Export formats, one module each; `l2a.data` reads every one of them back, with the same tags in the same order."""

from db.transfer.formats.base import Format, Writer
from db.transfer.formats.csv_files import CSV, NLPCC_CSV
from db.transfer.formats.doccano import DOCCANO
from db.transfer.formats.fasttext import FASTTEXT
from db.transfer.formats.jsonl import JSONL
from db.transfer.formats.label_studio import LABEL_STUDIO
from db.transfer.formats.parquet import PARQUET

__all__ = ["FORMATS", "Format", "Writer"]

FORMATS: dict[str, Format] = {
    entry.name: entry for entry in (JSONL, CSV, PARQUET, NLPCC_CSV, FASTTEXT, LABEL_STUDIO, DOCCANO)
}
