import pytest

from l2a.data.questions import Question, read_questions
from l2a.data.readers.unescape import split_list, unguard


def read(path, **options):
    return list(read_questions(path, **options))


def test_a_title_is_enough(write):
    (question,) = read(write("a.csv", "title\n问题\n"))
    assert question == Question("问题", id="2")
    assert (question.line, question.own_id) == (2, False)


def test_columns_may_come_in_any_order_and_with_others_between(write):
    content = "score,Tags,SOURCE,title,id\n0.5,a|b,网站,问题,7\n"
    assert read(write("a.csv", content)) == [Question("问题", "", ("a", "b"), "7", "网站")]


@pytest.mark.parametrize("fmt", ["csv", "nlpcc-csv"])
def test_an_original_nlpcc_file_reads_as_it_always_did(write, fmt):
    content = "id,title,description,tags\n1,LaTeX 的 \\alpha,C:\\temp,数学|C:\\dir|\\alpha||\\\n"
    assert read(write("a.csv", content), fmt=fmt) == [
        Question("LaTeX 的 \\alpha", "C:\\temp", ("数学", "C:\\dir", "\\alpha", "\\"), "1")
    ]


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("", []),
        ("a", ["a"]),
        ("a|b", ["a", "b"]),
        (r"a\|b", ["a|b"]),
        (r"a\\|b", ["a\\", "b"]),
        (r"a\\\|b", ["a\\|b"]),
        (r"\n|a\b", [r"\n", r"a\b"]),
        ("a\\", ["a\\"]),
        ("| |a||", ["a"]),
    ],
)
def test_lists_are_split_at_bars_that_are_not_escaped(cell, items):
    assert split_list(cell) == items


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("'=1+1", "=1+1"),
        ("'＝1", "＝1"),
        ("''quoted'", "'quoted'"),
        ("'\tx", "\tx"),
        ("'twas", "'twas"),
        ("'", "'"),
        ("''", "'"),
        ("=1+1", "=1+1"),
        ("", ""),
    ],
)
def test_one_apostrophe_comes_off_where_a_formula_follows(cell, text):
    assert unguard(cell) == text


def test_guards_come_off_before_tags_are_split(write):
    content = "id,title,description,tags\n'-1,'+问题,'@me,'=a\\|b|c\n"
    assert read(write("a.csv", content)) == [Question("+问题", "@me", ("=a|b", "c"), "-1")]
