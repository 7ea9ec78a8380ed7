"""JSON lines in the hands of libraries that guess a column's type from the first rows: all of it must arrive."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import datasets
import polars
import pytest

from db.store.records import LabelledQuestion
from db.transfer.formats import FORMATS
from tests.db.transfer.formats.conftest import cut

# Nobody rejected anything, nobody gave a second opinion: empty columns, for longer than both libraries look ahead
# (polars 100 rows, datasets 10 MiB).
EARLY = LabelledQuestion(1, "问题", "长" * 3000, people=("小王",), entries=(1,), picks=("ordered",))
EARLY_ROWS = 1_300


@pytest.fixture(params=["jsonl", "doccano"])
def late_export(request, tmp_path, full_row) -> Path:
    """Only the last row has everything."""
    path = tmp_path / f"export{FORMATS[request.param].suffix}"
    with open(path, "wb") as stream, FORMATS[request.param].open(stream, cut) as writer:
        for number in range(EARLY_ROWS):
            writer.write(replace(EARLY, question_id=number))
        writer.write(full_row)
    return path


def written(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def compared(rows: list[dict]) -> Counter:
    """Rows without their order, and without a difference between a list that is empty and one that is not there."""
    return Counter(json.dumps(row, ensure_ascii=False, sort_keys=True, default=str) for row in rows)


def test_polars_reads_every_value_whatever_the_last_row_holds(late_export):
    for read in (polars.read_ndjson(late_export), polars.scan_ndjson(late_export).collect()):
        assert compared(read.to_dicts()) == compared(written(late_export))


def test_datasets_reads_every_value_whatever_the_last_row_holds(late_export, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    rows = datasets.load_dataset("json", data_files=str(late_export), split="train", cache_dir=str(tmp_path / "cache"))
    assert compared(list(rows.to_list())) == compared(written(late_export))
    shutil.rmtree(tmp_path / "cache")


def test_only_rows_that_show_a_new_column_move_to_the_front(exported, full_row):
    """The second row is the first with a rejection, the fourth the first with an agreement."""
    rows = [
        replace(EARLY, question_id=1, description=""),
        replace(EARLY, question_id=2, description="", rejected=("数学",)),
        replace(EARLY, question_id=3, description=""),
        replace(EARLY, question_id=4, description="", agreement=0.5),
        replace(EARLY, question_id=5, description="", agreement=0.5, rejected=("数学",)),
    ]
    lines = exported("jsonl", *rows).decode().splitlines()
    assert [json.loads(line)["question_id"] for line in lines] == [1, 2, 4, 3, 5]
