"""Files that are not UTF-8, or that start with a byte-order mark."""

import io
import os

import pytest

from l2a.data.questions import ReadReport, read_questions
from l2a.data.readers.source import PIECE, Source, open_source
from l2a.errors import InputError

QUESTION = '{"title": "怎么学编程，零基础"}\n'
CONVERT_GB = "the file looks like GB18030; convert it with: iconv -f GB18030 -t UTF-8"


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.jsonl", QUESTION.encode() + QUESTION.encode("gb18030"), 2),
        ("a.csv", "id,title\n1,好\n".encode() + "2,电影\n".encode("gb18030"), 3),
        ("a.fasttext", b"__label__a b\n" + "__label__电影 看什么\n".encode("gb18030"), 2),
        ("a.json", '[\n{"data": {"title": "一"}},\n'.encode() + '{"data": {"title": "电影"}}]'.encode("gb18030"), 3),
    ],
)
def test_chinese_text_of_the_old_encoding_is_recognised(write, name, content, line):
    with pytest.raises(InputError) as refused:
        list(read_questions(write(name, content)))
    assert f"{name}, line {line}: not UTF-8" in str(refused.value)
    assert CONVERT_GB in str(refused.value)


def test_utf16_is_recognised(write):
    with pytest.raises(InputError, match=r"line 1: .*looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"):
        list(read_questions(write("a.csv", "id,title\n1,问题\n".encode("utf-16"))))


def test_other_bytes_are_not_guessed_at(write):
    with pytest.raises(InputError, match=r"not UTF-8 \(byte 0xff at column 12\); save the file as UTF-8\."):
        list(read_questions(write("a.jsonl", b'{"title": "\xff"}')))


def test_with_skip_bad_the_report_holds_the_advice(write):
    report = ReadReport()
    path = write("a.jsonl", QUESTION.encode("gb18030") + QUESTION.encode())
    assert len(list(read_questions(path, skip_bad=True, report=report))) == 1
    assert str(report.messages[0]).endswith(CONVERT_GB)


@pytest.mark.parametrize("filler", range(4))
def test_a_character_may_lie_on_the_border_of_two_pieces(write, filler):
    content = "\ufeff[\n" + "x" * (PIECE - 6 + filler) + "😀\n\n好"
    with open_source(write("a", content), "a file") as source:
        assert b"".join(source.pieces()).decode() == content[1:]


@pytest.mark.parametrize("before", [10, PIECE - 1, PIECE, 3 * PIECE])
def test_the_line_of_a_bad_byte_is_counted_over_pieces(before):
    raw = b"x" * before + b"\n\n\xff\n"
    source = Source("a", "a", io.BytesIO(raw), b"x")
    with pytest.raises(InputError, match="a, line 3: not UTF-8; save the file as UTF-8"):
        list(source.pieces())


@pytest.mark.parametrize("content", ["\ufeff\n \n" + QUESTION, "\ufeff" + QUESTION, "\n\n\n" + QUESTION])
def test_what_stands_before_the_first_line_does_not_hide_it(write, content):
    with open_source(write("a", content), "a file") as source:
        assert source.head.decode() == QUESTION
        assert b"".join(source.stream).decode() == content


def test_what_a_pipe_has_given_is_read_before_it_gives_more(monkeypatch):
    """A line that stands in a buffer already must not wait for the next one."""
    out, into = os.pipe()
    with open(out, "rb") as stream, open(into, "wb", buffering=0) as sender:
        monkeypatch.setattr("sys.stdin", stream)
        questions = read_questions("-")
        for count in (3, 1, 2):
            sender.write(QUESTION.encode() * count)
            assert [next(questions).title for _ in range(count)] == ["怎么学编程，零基础"] * count
        questions.close()
