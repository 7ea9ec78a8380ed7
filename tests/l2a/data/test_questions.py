import gzip
import json
import os
import subprocess
import sys

import pytest

from l2a.data.questions import Question, ReadReport, count_lines, read_questions
from l2a.errors import InputError

ROWS = [
    {"id": "q1", "title": "怎么学编程", "description": "零基础", "tags": ["编程", "自学"]},
    {"id": "q2", "title": "周末看什么电影", "tags": ["电影"]},
]
JSONL = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
CSV = "id,title,description,tags\nq1,怎么学编程,零基础,编程|自学\nq2,周末看什么电影,,电影\n"
EXPECTED = [
    Question("怎么学编程", "零基础", ("编程", "自学"), "q1"),
    Question("周末看什么电影", "", ("电影",), "q2"),
]


@pytest.fixture
def write(tmp_path):
    """Write a question file (gzip if its name says so) and return its path."""

    def write(name: str, content: str | bytes):
        raw = content.encode("utf-8") if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return write


def read(path, **options):
    return list(read_questions(path, **options))


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.jsonl", JSONL), ("a.csv", CSV), ("a.jsonl.gz", JSONL), ("a.csv.gz", CSV), ("plain", JSONL), ("plain", CSV)],
)
def test_jsonl_and_csv_plain_and_gzip_give_the_same_questions(write, name, content):
    assert read(write(name, content)) == EXPECTED


@pytest.mark.parametrize("content", [JSONL, CSV, "\n" + JSONL, "\n" + CSV])
def test_dash_reads_standard_input(write, monkeypatch, content):
    with open(write("input", content)) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert read("-") == EXPECTED


def test_complaints_about_standard_input_name_it(write, monkeypatch):
    with open(write("input", "{broken")) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(InputError, match=r"^standard input, line 1: not valid JSON"):
            read("-")


def test_a_pipe_can_be_read():
    program = "from l2a.data.questions import read_questions; print(sum(1 for _ in read_questions('-')))"
    done = subprocess.run([sys.executable, "-c", program], input=JSONL.encode(), capture_output=True, check=True)
    assert done.stdout.split() == [b"2"]


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", JSONL), ("a.csv", CSV)])
def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(write, name, content):
    assert read(write(name, "\ufeff" + content.replace("\n", "\r\n"))) == EXPECTED


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.jsonl.gz"])
def test_an_empty_file_holds_no_questions(write, name):
    assert read(write(name, "")) == []
    assert read(write(name, "\n\n")) == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"title": ""}, "the title is empty"),
        ({"title": " \u3000\n"}, "the title is empty"),
        ({"description": "只有描述"}, "the title is empty"),
        ({"title": "https://example.com/a www.example.com"}, "nothing is left"),
        ({"title": 5}, '"title" must be a string, not int'),
        ({"title": "问题", "description": ["a"]}, '"description" must be a string, not list'),
        ({"title": "问题", "tags": "编程|自学"}, '"tags" must be a list of strings'),
        ({"title": "问题", "tags": ["编程", 3]}, '"tags" must be a list of strings'),
        ({"title": "问题", "tags": ["编程", " "]}, "a tag is empty"),
        ({"title": "半个\ud83d"}, r"half of a surrogate pair \(\\ud83d\)"),
        ({"title": "问题", "tags": ["\udc00"]}, r"half of a surrogate pair \(\\udc00\)"),
        (["问题"], "a JSON object is expected, not list"),
    ],
)
def test_an_unusable_question_is_refused_with_file_line_and_reason(write, row, reason):
    path = write("a.jsonl", JSONL + json.dumps(row))
    with pytest.raises(InputError, match=rf"a\.jsonl, line 3: {reason}.*--skip-bad"):
        read(path)


def test_text_after_a_very_long_url_is_enough(write):
    title = f"https://example.com/{'a' * 3000} 怎么打开"
    assert len(read(write("a.jsonl", json.dumps({"title": title})))) == 1


def test_a_title_of_urls_with_a_description_is_a_question(write):
    assert len(read(write("a.jsonl", '{"title": "https://example.com", "description": "这是什么"}'))) == 1


def test_text_that_is_not_utf8_names_file_and_line(write):
    path = write("a.jsonl", JSONL.encode() + '{"title": "问题"}\n'.encode("gbk"))
    with pytest.raises(InputError, match=r"a\.jsonl, line 3: not UTF-8 \(byte 0xce at column 12\)"):
        read(path)


def test_a_broken_json_line_names_the_line(write):
    path = write("a.jsonl", JSONL + "\n" + '{"title": "问题"')
    with pytest.raises(InputError, match=r"line 4: not valid JSON"):
        read(path)


def test_skip_bad_goes_on_and_counts(write):
    lines = [b'{"title": "\xff"}', b"{broken", b'{"title": ""}', JSONL.encode(), b"[" * 100_000, b'{"title": "last"}']
    report = ReadReport()
    questions = read(write("a.jsonl", b"\n".join(lines)), skip_bad=True, report=report)
    assert [question.title for question in questions] == ["怎么学编程", "周末看什么电影", "last"]
    assert (report.good, report.bad) == (3, 4)
    assert [str(message).split(",")[1].split(":")[0] for message in report.messages] == [
        " line 1",
        " line 2",
        " line 3",
        " line 7",
    ]


def test_only_the_first_complaints_are_kept_but_all_are_counted(write):
    report = ReadReport()
    read(write("a.jsonl", "{broken\n" * 30), skip_bad=True, report=report)
    assert (report.bad, len(report.messages)) == (30, 20)


@pytest.mark.parametrize(
    ("header", "missing", "fmt"),
    [
        ("name,text", "id and no column title", None),
        ("id,text", "title", None),
        ("name,text", "id and no column title", "nlpcc-csv"),
        ("title,tags", "id", "nlpcc-csv"),
    ],
)
def test_a_csv_without_the_columns_is_refused(write, header, missing, fmt):
    with pytest.raises(InputError) as refused:
        read(write("a.csv", header + "\n1,问题\n"), fmt=fmt)
    assert str(refused.value).split(", line 1: ")[1] == (
        f"the header has no column {missing}; it has {header.replace(',', ', ')}. "
        "Expected: id,title,description,tags,source,url; lists are joined by |."
    )


def test_csv_columns_may_have_the_names_of_the_nlpcc_files(write):
    content = "question_id,question_title,question_detail,tag_ids,Tag Names\n1,问题,描述,12|13,编程|C++\n"
    assert read(write("a.csv", content)) == [Question("问题", "描述", ("编程", "C++"), "1")]


def test_a_csv_without_tags_is_fine(write):
    assert read(write("a.csv", "id,title\n1,问题\n")) == [Question("问题", id="1")]


def test_csv_records_over_many_lines_are_numbered_by_their_first_line(write):
    content = 'id,title,description,tags\n1,"第一\n行",,a\n,"第二\n\n行",,b\n3,"",\n"四\n4",,,d\n'
    report = ReadReport()
    questions = read(write("a.csv", content), skip_bad=True, report=report)
    assert [(question.id, question.title) for question in questions] == [("1", "第一\n行"), ("4", "第二\n\n行")]
    assert [str(message).split(", ")[1] for message in report.messages] == [
        "line 7: 3 columns where the header has 4",
        "line 8: the title is empty",
    ]


def test_an_unclosed_quote_is_reported_where_it_opens(write):
    with pytest.raises(InputError, match="line 3: 2 columns where the header has 4"):
        read(write("a.csv", CSV.splitlines()[0] + '\n1,好,,a\n2,"没有关上,,b\n3,好,,c\n4,好,,d\n'))


def test_a_comma_outside_quotes_is_refused_but_empty_cells_at_the_end_are_not(write):
    header = "id,title,description,tags\n"
    assert len(read(write("a.csv", header + "1,问题,描述,a,,\n"))) == 1
    with pytest.raises(InputError, match="line 2: 5 columns where the header has 4"):
        read(write("a.csv", header + "1,Hello, world,描述,a\n"))


def test_a_long_csv_cell_is_a_cell(write):
    """Longer than what the csv module takes by itself."""
    content = CSV + f"q3,{'长' * 140_000},,a\nq4,问题,,a\n"
    assert [question.id for question in read(write("a.csv", content))] == ["q1", "q2", "q3", "q4"]


def test_a_csv_with_old_mac_line_ends_is_refused_without_a_crash(write):
    with pytest.raises(InputError, match="line 1: the header is not valid CSV"):
        read(write("a.csv", "id,title\r1,问题\r"))


def test_tags_may_be_missing_or_none_or_many(write):
    rows = [{"title": "一"}, {"title": "二", "tags": None}, {"title": "三", "tags": list("甲乙丙丁戊己庚")}]
    questions = read(write("a.jsonl", "\n".join(json.dumps(row) for row in rows)))
    assert [len(question.tags) for question in questions] == [0, 0, 7]


def test_jsonl_tags_may_contain_the_separator_and_keep_their_spelling(write):
    row = {"title": "问题", "tags": ["C|C++", "ＮＢＡ", "<s>"]}
    assert read(write("a.jsonl", json.dumps(row)))[0].tags == ("C|C++", "ＮＢＡ", "<s>")


def test_a_question_without_an_id_gets_its_line_number(write):
    content = '{"title": "一"}\n\n{"title": "二", "id": ""}\n{"title": "三", "id": 0}\n'
    questions = read(write("a.jsonl", content))
    assert [(question.id, question.own_id, question.line) for question in questions] == [
        ("1", False, 1),
        ("3", False, 3),
        ("0", True, 4),
    ]


def test_where_a_question_was_read_does_not_change_which_question_it_is():
    here, there = Question("问题", id="1", line=1), Question("问题", id="1", line=9, own_id=False)
    assert here == there
    assert len({here, there}) == 1


def test_a_question_keeps_source_and_partial_tags(write):
    question = read(write("a.jsonl", '{"title": "一", "source": "网站", "partial_tags": true}'))[0]
    assert (question.source, question.partial_tags) == ("网站", True)
    assert (question.text, Question("一", "二").text) == ("一", "一 二")


@pytest.mark.parametrize("skip_bad", [False, True])
def test_a_truncated_gzip_file_is_refused(tmp_path, skip_bad):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(os.urandom(3000).hex().encode())[:-900])
    with pytest.raises(InputError, match=r"a\.jsonl\.gz, after line 0: the gzip data is damaged or cut off"):
        read(path, skip_bad=skip_bad)


def test_a_gz_name_on_a_plain_file_is_refused(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_text(JSONL)
    with pytest.raises(InputError, match="gzip data is damaged"):
        read(path)


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.jsonl: no such file\. Give the path"):
        read(tmp_path / "nowhere.jsonl")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path)


def test_a_file_that_may_not_be_read_is_refused(write, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = write("a.jsonl", JSONL)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match=r"a\.jsonl: cannot be opened \(Permission denied\)"):
        read(path)


def test_reading_is_lazy(write):
    questions = read_questions(write("a.jsonl", JSONL + "{broken"))
    assert next(questions).id == "q1"
    assert next(questions).id == "q2"
    with pytest.raises(InputError, match="line 3"):
        next(questions)


def test_the_file_is_not_opened_before_the_first_question_is_asked_for(tmp_path):
    questions = read_questions(tmp_path / "later.jsonl")
    (tmp_path / "later.jsonl").write_text(JSONL)
    assert list(questions) == EXPECTED


def test_count_lines_counts_plain_and_packed_files(write):
    assert count_lines(write("a.jsonl", JSONL + "\n\n")) == 2
    assert count_lines(write("a.jsonl.gz", JSONL + "\n\n")) == 2
    assert count_lines("-") is None


def test_lines_of_a_damaged_file_are_not_counted(write):
    path = write("a.jsonl.gz", JSONL * 100)
    path.write_bytes(path.read_bytes()[:-20])
    assert count_lines(path) is None


@pytest.mark.parametrize("name", ["a.json", "a"])
def test_a_label_studio_file_is_not_counted_because_its_lines_say_nothing(write, name):
    assert count_lines(write(name, '[{"data": {"title": "问题"}}]')) is None


def test_an_unknown_format_is_refused_with_the_known_ones(write):
    known = "jsonl, csv, nlpcc-csv, parquet, fasttext, label-studio, doccano"
    with pytest.raises(InputError, match=rf"^xml: no such format.*Choose one of: {known}\.$"):
        read(write("a.jsonl", JSONL), fmt="xml")


def test_a_format_that_is_named_wins_over_the_suffix(write):
    assert read(write("a.txt", CSV), fmt="csv") == EXPECTED
    assert read(write("a.csv", JSONL), fmt="jsonl") == EXPECTED
