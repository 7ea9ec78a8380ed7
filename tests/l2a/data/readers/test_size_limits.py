"""Files that unpack to more than a machine has, lines without an end, JSON without a floor: each is refused in time."""

import gzip
import io
import json
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from l2a.data.questions import Limits, ReadReport, count_lines, read_questions
from l2a.data.size_limits import is_too_deep
from l2a.data.tag_files import read_tag_table
from l2a.errors import InputError

KB = 1 << 10
MEGABYTES = 12  # of what is unpacked; what may be in memory of it is far less, most of it objects of Python
PEAK = 6 << 20
SMALL = Limits(
    line=64 * KB, unpacked=1024 * KB, depth=50, settings={"line": "LINE", "unpacked": "SIZE", "depth": "DEEP"}
)
LONGER = r"longer than 0.0625 MB \(LINE\), the most that is read at once"
MORE = r"more than 1 MB \(SIZE\) when it is unpacked"
DEEPER = r"nested deeper than 50 \(DEEP\) levels"
GOOD = '{"title": "问题"}\n'


def packed(beginning: str, piece: str, megabytes: int) -> bytes:
    """Gzip of so many megabytes, as small as it gets."""
    stream = io.BytesIO()
    with gzip.open(stream, "wb") as out:
        out.write(beginning.encode())
        for _ in range(megabytes):
            out.write(piece.encode() * ((1 << 20) // len(piece)))
    return stream.getvalue()


def read(path, **options) -> list:
    return list(read_questions(path, limits=SMALL, **options))


def peak_of(work) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "beginning", "piece", "said"),
    [
        ("one-line.jsonl.gz", '{"title": "', "a", f"line 1: {LONGER}"),
        ("one-line.csv.gz", "title,tags\n", "a", f"line 2: {LONGER}"),
        ("one-cell.csv.gz", 'title,tags\n"', "aaaaaaa\n", f"line 2: {LONGER}"),
        ("many-cells.csv.gz", "title,tags\n", '"\n",', f"line 2: {LONGER}"),
        ("one-line.fasttext.gz", "__label__a ", "a", f"line 1: {LONGER}"),
        ("one-text.json.gz", '[{"data": {"title": "', "a", f"task 1: {LONGER}"),
        ("one-task.json.gz", '[{"data": {}, "annotations": [', "{},", f"task 1: {LONGER}"),
        ("no-task.json.gz", "[", " ", f"task 1: {LONGER}"),
        ("blank.jsonl.gz", "", "\n", r"nothing but white space in the first 0.0625 MB \(LINE\)"),
        ("rows.jsonl.gz", GOOD, GOOD.replace("问题", "问题" * 1000), MORE),
        ("rows.csv.gz", "title,tags\n", f"{'abc' * 1000},de\n", MORE),
        ("rows.json.gz", "[1", f',"{"a" * 3000}"', MORE),
    ],
)
def test_a_bomb_is_refused_before_it_is_in_memory(tmp_path, name, beginning, piece, said):
    path = tmp_path / name
    path.write_bytes(packed(beginning, piece, MEGABYTES))

    def work() -> None:
        count_lines(path, limits=SMALL)
        with pytest.raises(InputError, match=said):
            for _ in read_questions(path, limits=SMALL, skip_bad=said == MORE):
                pass

    assert peak_of(work) < PEAK


@pytest.mark.parametrize("name", ["tags.txt.gz", "tags.csv.gz"])
def test_a_list_of_tags_is_bounded_too(tmp_path, name):
    path = tmp_path / name
    for piece, said in (("a", LONGER), ("abcdefg" * 500 + "\n", MORE)):
        path.write_bytes(packed("name\n", piece, MEGABYTES))

        def work(said=said) -> None:
            with pytest.raises(InputError, match=said):
                for _ in read_tag_table(path, limits=SMALL):
                    pass

        assert peak_of(work) < PEAK


def test_a_line_that_is_too_long_can_be_left_out_like_any_other(tmp_path):
    path, report = tmp_path / "a.jsonl", ReadReport()
    long = json.dumps({"title": "长" * 100 * KB})
    path.write_text(f"{GOOD}{long}\n{GOOD}{long}", encoding="utf-8")
    assert [question.line for question in read(path, skip_bad=True, report=report)] == [1, 3]
    assert report.bad == 2
    assert count_lines(path, limits=SMALL) == 4


def test_so_can_a_record_whose_quotation_mark_is_missing(tmp_path):
    path, report = tmp_path / "a.csv", ReadReport()
    path.write_text('title,tags\n好,a\n"没有关上,b\n' + "一行\n" * (22 * KB) + "好,c\n", encoding="utf-8")
    found = read(path, skip_bad=True, report=report)
    assert [question.tags for question in found] == [("a",), ("c",)]
    assert "line 3: longer than" in str(report.messages[0])


def test_the_limit_itself_is_allowed(tmp_path):
    path = tmp_path / "a.jsonl"
    row = json.dumps({"title": "a" * (SMALL.line - len('{"title": ""}\n'))}) + "\n"
    assert len(row) == SMALL.line
    path.write_text(row)
    assert len(read(path)) == 1
    path.write_text(row.replace("a", "aa", 1))
    with pytest.raises(InputError, match=LONGER):
        read(path)


def test_a_json_line_has_a_floor(tmp_path):
    path = tmp_path / "a.jsonl"
    for level in (49, 50):  # inside the object, which is a level itself
        path.write_text('{"title": "问题", "more": ' + "[" * level + "]" * level + "}\n", encoding="utf-8")
        if level == 49:
            assert len(read(path)) == 1
        else:
            with pytest.raises(InputError, match=f"line 1: {DEEPER}"):
                read(path)


def test_brackets_in_a_text_are_no_levels():
    text = json.dumps({"title": '[{"\\' * 1000, "tags": [["a"]] * 1000})
    assert not is_too_deep(text, 3)
    assert is_too_deep(text, 2)
    assert is_too_deep('{"never closed [[[' + "]" + '": ' + "[" * 9, 5)


def test_a_label_studio_file_has_a_floor(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[" * 60)
    with pytest.raises(InputError, match=f"task 1: {DEEPER}"):
        read(path)


def write_parquet(path, columns, **options) -> None:
    pq.write_table(pa.table(columns), path, compression="zstd", dictionary_pagesize_limit=1 << 30, **options)


@pytest.mark.parametrize("tags", [False, True])
def test_one_long_text_of_many_parquet_rows_is_never_multiplied(tmp_path, tags):
    path = tmp_path / "a.parquet"
    words = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array(["a" * (1000 * KB)]))
    short = pa.array(["问题"] * 2000)
    lists = pa.ListArray.from_arrays(pa.array(range(2001), pa.int32()), words)
    write_parquet(path, {"title": short, "tags": lists} if tags else {"title": words})
    assert path.stat().st_size < 32 * KB
    before = pa.default_memory_pool().max_memory()
    with pytest.raises(InputError, match=r"a text is longer than 0.0625 MB \(LINE\)"):
        read(path)
    assert pa.default_memory_pool().max_memory() <= max(before, 64 << 20)


def test_texts_that_share_their_beginning_are_read_one_by_one(tmp_path):
    path = tmp_path / "a.parquet"
    titles = [f"{'a' * (63 * KB)}{number}" for number in range(300)]
    write_parquet(path, {"title": titles}, use_dictionary=False, column_encoding={"title": "DELTA_BYTE_ARRAY"})
    assert [question.title for question in read(path)] == titles


def test_a_parquet_file_says_how_large_it_is(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path, {"title": [f"{number:01000}" for number in range(2000)]}, use_dictionary=False)
    with pytest.raises(InputError, match=MORE):
        read(path)


def test_a_long_parquet_row_can_be_left_out(tmp_path):
    path, report = tmp_path / "a.parquet", ReadReport()
    write_parquet(path, {"title": ["问题", "a" * 100 * KB, "问题"]}, use_dictionary=False)
    assert [question.line for question in read(path, skip_bad=True, report=report)] == [1, 3]
    assert "row 2: longer than" in str(report.messages[0])
