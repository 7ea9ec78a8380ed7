import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from l2a.data.questions import Question, ReadReport, count_lines, read_questions
from l2a.errors import InputError


@pytest.fixture
def parquet(tmp_path):
    def parquet(columns, name="a.parquet", **options):
        path = tmp_path / name
        pq.write_table(pa.table(columns), path, **options)
        return path

    return parquet


def read(path, **options):
    return list(read_questions(path, **options))


def test_tags_may_be_a_list_or_text_joined_by_bars(parquet):
    columns = {"id": ["q1", "q2", None], "title": ["一", "二", "三"], "description": ["零", None, ""]}
    expected = [
        Question("一", "零", ("a|b", "c"), "q1", "网站"),
        Question("二", "", (), "q2", "网站"),
        Question("三", "", (), "3", "网站"),
    ]
    source = {"source": ["网站"] * 3}
    assert read(parquet({**columns, "tags": [["a|b", "c"], [], None], **source})) == expected
    assert read(parquet({**columns, "tags": [r"a\|b|c", "", None], **source})) == expected


def test_rows_are_numbered_across_batches_and_row_groups(parquet):
    path = parquet({"title": [f"问题 {n}" for n in range(2500)]}, row_group_size=700)
    questions = read(path)
    assert [question.line for question in questions] == list(range(1, 2501))
    assert questions[2499] == Question("问题 2499", id="2500")
    assert not questions[0].own_id
    assert count_lines(path) == 2500


def test_a_file_is_recognised_without_its_suffix(parquet):
    path = parquet({"title": ["问题"]}, name="export")
    assert read(path) == [Question("问题", id="1")]
    assert count_lines(path) == 1


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (pa.array([7, None]), ["7", "2"]),
        (pa.array([7.0, float("nan")]), ["7", "2"]),
        (pa.array([7.5, None]), ["7.5", "2"]),
        (pa.array(["a", ""]), ["a", "2"]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
    ],
)
def test_ids_of_any_type_become_text(parquet, ids, expected):
    assert [question.id for question in read(parquet({"id": ids, "title": ["一", "二"]}))] == expected


def test_columns_may_have_other_names_types_and_neighbours(parquet):
    columns = {
        "other": [{"title": "no"}],
        "Question_Title": pa.array(["问题"], pa.large_string()),
        "Topics": pa.array([["a", "b"]], pa.large_list(pa.string())),
    }
    assert read(parquet(columns)) == [Question("问题", "", ("a", "b"), "1")]


def test_a_table_without_titles_is_refused_with_the_columns_it_has(parquet):
    with pytest.raises(InputError) as refused:
        read(parquet({"id": [1], "text": ["问题"]}))
    assert str(refused.value).endswith(
        "a.parquet: the Parquet table has no column title; it has id, text. "
        "Expected: id,title,description,tags,source,url; lists are joined by |."
    )


def test_bad_rows_are_refused_by_number_and_can_be_skipped(parquet):
    path = parquet({"title": ["一", "", "三", "四"], "tags": [["a"], ["a"], ["b", None], ["c"]]})
    with pytest.raises(
        InputError, match=r"a\.parquet, row 2: the title is empty\. Correct the row, or pass --skip-bad"
    ):
        read(path)
    report = ReadReport()
    assert [question.line for question in read(path, skip_bad=True, report=report)] == [1, 4]
    assert [str(message).split(", ")[1] for message in report.messages] == [
        "row 2: the title is empty",
        'row 3: "tags" must be a list of strings',
    ]


def test_a_title_that_is_a_number_is_refused(parquet):
    with pytest.raises(InputError, match='row 1: "title" must be a string, not int'):
        read(parquet({"title": [5]}))


def test_a_text_that_is_not_utf8_is_one_bad_row(parquet):
    offsets = pa.py_buffer(bytes([0, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 9, 0, 0, 0]))
    titles = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"good\xce\xcaend")])
    path = parquet({"title": titles})
    with pytest.raises(InputError, match=r"a\.parquet, row 2: a text is not UTF-8"):
        read(path)
    assert [question.title for question in read(path, skip_bad=True)] == ["good", "end"]


@pytest.mark.parametrize("kept", [0, 3, 10, 0.5, -1])
@pytest.mark.parametrize("skip_bad", [False, True])
def test_a_file_that_is_cut_off_is_refused(parquet, kept, skip_bad):
    path = parquet({"title": ["问题"] * 100})
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * kept) if kept == 0.5 else kept])
    with pytest.raises(InputError, match=r"a\.parquet: the file is cut off.*Copy or export it again\."):
        read(path, skip_bad=skip_bad)
    assert count_lines(path) is None


def test_damage_inside_is_refused_after_the_rows_before_it(parquet):
    path = parquet({"title": [f"问题 {n * 7919 % 10_007}" for n in range(6000)]}, row_group_size=2000)
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).dictionary_page_offset
    raw = bytearray(path.read_bytes())
    raw[start : start + 200] = b"\xff" * 200
    path.write_bytes(raw)
    questions = read_questions(path)
    assert [next(questions).line for _ in range(2000)] == list(range(1, 2001))
    with pytest.raises(InputError, match=r"a\.parquet, after row 2000: the file is cut off, damaged"):
        next(questions)


def test_gzip_around_parquet_is_refused_with_advice(parquet, tmp_path):
    packed = tmp_path / "b.parquet.gz"
    packed.write_bytes(gzip.compress(parquet({"title": ["问题"]}).read_bytes()))
    with pytest.raises(InputError, match=r"Parquet cannot be read from standard input or through gzip\. Give the path"):
        read(packed)
    assert count_lines(packed) is None
