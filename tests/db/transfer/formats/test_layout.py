"""What the files look like to other programs, written out."""

import csv
import gc
import io
import json
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from db.store.records import LabelledQuestion
from db.transfer.formats import FORMATS
from db.transfer.formats.parquet import GROUP_ROWS
from tests.db.transfer.formats.conftest import cut

BARE = LabelledQuestion(6, "问题")
COLUMNS = (
    "id,question_id,source,title,description,tags,rejected,unjudged,prior_tags,people,entries,model_versions,"
    "state,agreement,decided_at,picks,flags,flagged_by,comments,commented_by"
)
HISTORY = {
    "rejected": ["数学"],
    "unjudged": ["算术", "x\\y"],
    "prior_tags": ["问题"],
    "people": ["小王", "小李"],
    "entries": [11, 12],
    "model_versions": ["v1"],
    "state": "agreed",
    "agreement": 0.5,
    "decided_at": "2024-05-05T23:08:09.000010Z",
    "picks": ["ordered", "blind"],
    "flags": ["重复"],
    "flagged_by": ["小李"],
    "comments": ["见 4 号"],
    "commented_by": ["小王"],
}


def test_the_formats_by_name():
    assert list(FORMATS) == ["jsonl", "csv", "parquet", "nlpcc-csv", "fasttext", "label-studio", "doccano"]
    assert all(name == entry.name and entry.suffix[0] == "." for name, entry in FORMATS.items())
    assert all(entry.escape.endswith(".") and entry.columns for entry in FORMATS.values())


def test_jsonl(exported, full_row):
    first, second = exported("jsonl", full_row, BARE).decode().splitlines()
    assert json.loads(first) == {
        "id": "-q5",
        "question_id": 5,
        "source": "网站",
        "title": "=1+1 等于几",
        "description": "第一行\n第二行",
        "tags": ["C|C++", "a b"],
        **HISTORY,
    }
    assert ",".join(json.loads(first)) == COLUMNS
    assert "等于几" in first
    assert {name: json.loads(second)[name] for name in ("id", "tags", "agreement", "decided_at")} == {
        "id": "6",
        "tags": [],
        "agreement": None,
        "decided_at": None,
    }


def test_csv(exported, full_row):
    assert exported("csv", full_row, BARE).decode() == (
        f"\ufeff{COLUMNS}\r\n"
        "'-q5,5,网站,'=1+1 等于几,\"第一行\n第二行\",C\\|C++|a b,数学,算术|x\\\\y,问题,小王|小李,11|12,v1,"
        "agreed,0.5,2024-05-05T23:08:09.000010Z,ordered|blind,重复,小李,见 4 号,小王\r\n"
        "6,6,,问题,,,,,,,,,single,,,,,,,\r\n"
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"])
def test_no_cell_of_a_csv_is_a_formula(exported, start):
    text = start + "cmd|' /C calc'!A0"
    row = LabelledQuestion(
        *(1, text, text, text, text, (text,), (text,), (text,), (text,), (text,), (), (text,), text),
        **dict.fromkeys(("picks", "flags", "flagged_by", "comments", "commented_by"), (text,)),
    )
    content = exported("csv", row).decode("utf-8-sig")
    (cells,) = list(csv.reader(io.StringIO(content, newline="")))[1:]
    assert sum(cell.startswith("'" + start) for cell in cells) == 16
    assert not any(cell.startswith(start) for cell in cells if start != "'")


def test_nlpcc_csv(exported, full_row):
    assert exported("nlpcc-csv", full_row, BARE).decode() == (
        "id,title,description,tags\r\n'-q5,'=1+1 等于几,\"第一行\n第二行\",C\\|C++|a b\r\n6,问题,,\r\n"
    )


def test_fasttext(exported, full_row):
    row = LabelledQuestion(7, "__label__ 是\r\n什么", tags=("__label__", "100%"))
    assert exported("fasttext", full_row, BARE, row).decode() == (
        "__label__C|C++ __label__a%20b ▁ =1 +1 ▁ 等 于几 ▁ 第 一行 ▁ 第 二行\n"
        "▁ 问题\n"
        "__label____label__ __label__100%25 ▁ __ la be l_ _ ▁ 是 ▁ ▁ 什 么\n"
    )


def test_label_studio(exported, full_row):
    content = exported("label-studio", full_row, BARE).decode()
    assert len(content.splitlines()) == 4
    first, second = json.loads(content)
    choices = {"from_name": "tags", "to_name": "text", "type": "choices", "value": {"choices": ["C|C++", "a b"]}}
    assert first == {
        "id": 5,
        "data": {
            "title": "=1+1 等于几",
            "description": "第一行\n第二行",
            "text": "=1+1 等于几\n第一行\n第二行",
            "source": "网站",
            "external_id": "-q5",
        },
        "annotations": [{"result": [choices]}],
        "meta": HISTORY,
    }
    assert second["annotations"] == [{"result": []}]


def test_doccano(exported, full_row):
    first, second = exported("doccano", full_row, BARE).decode().splitlines()
    assert json.loads(first) == {
        "id": 5,
        "text": "=1+1 等于几\n第一行\n第二行",
        "label": ["C|C++", "a b"],
        "meta": {
            "title": "=1+1 等于几",
            "description": "第一行\n第二行",
            "source": "网站",
            "external_id": "-q5",
            **HISTORY,
        },
    }
    assert (json.loads(second)["text"], json.loads(second)["label"]) == ("问题", [])


def test_parquet(exported, full_row):
    file = pq.ParquetFile(io.BytesIO(exported("parquet", full_row, BARE)))
    assert ",".join(file.schema_arrow.names) == COLUMNS
    types = {field.name: field.type for field in file.schema_arrow}
    assert types["tags"] == pa.list_(pa.string())
    assert types["entries"] == pa.list_(pa.int64())
    assert types["decided_at"] == pa.timestamp("us", tz="UTC")
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    first, second = file.read().to_pylist()
    time = datetime(2024, 5, 5, 23, 8, 9, 10, tzinfo=UTC)
    assert {name: first[name] for name in HISTORY} == {**HISTORY, "decided_at": time}
    assert (second["id"], second["tags"], second["agreement"], second["decided_at"]) == ("6", [], None, None)


def test_parquet_is_written_in_groups(exported):
    file = pq.ParquetFile(io.BytesIO(exported("parquet", *[BARE] * (GROUP_ROWS + 1))))
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [GROUP_ROWS, 1]


def test_parquet_groups_are_smaller_where_the_texts_are_long(exported):
    long = LabelledQuestion(1, "问题", "长" * 3_000_000)
    assert pq.ParquetFile(io.BytesIO(exported("parquet", *[long] * 5))).num_row_groups == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("jsonl", ""),
        ("csv", f"\ufeff{COLUMNS}\r\n"),
        ("nlpcc-csv", "id,title,description,tags\r\n"),
        ("fasttext", ""),
        ("label-studio", "[\n]\n"),
        ("doccano", ""),
    ],
)
def test_an_export_of_nothing(exported, name, content):
    assert exported(name).decode() == content


def test_a_time_without_a_zone_is_taken_as_utc(exported):
    row = LabelledQuestion(1, "问题", decided_at=datetime(2024, 1, 2, 3))
    assert json.loads(exported("jsonl", row))["decided_at"] == "2024-01-02T03:00:00.000000Z"
    table = pq.read_table(io.BytesIO(exported("parquet", row)))
    assert table["decided_at"][0].as_py() == datetime(2024, 1, 2, 3, tzinfo=UTC)


@pytest.mark.parametrize("name", list(FORMATS))
def test_an_error_in_between_goes_through_and_nothing_is_written_later(name, capsys):
    def fail():
        with io.BytesIO() as stream, FORMATS[name].open(stream, cut) as writer:
            writer.write(BARE)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    gc.collect()
    assert capsys.readouterr().err == ""
