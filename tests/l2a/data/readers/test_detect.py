import pytest

from l2a.data.readers.detect import detect_format


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.jsonl", b"[", "jsonl"),
        ("a.JSONL.gz", b"", "jsonl"),
        ("a.csv", b'{"title": 1}', "csv"),
        ("a.csv.gz", b"id,title", "csv"),
        ("a.parquet", b"nothing of the kind", "parquet"),
        ("a.fasttext", b"{ is how this question begins", "fasttext"),
        ("a.json", b'{"title": "x"}', "jsonl"),
        ("a.json", b' \xef\xbb\xbf [{"data": {}}]', "jsonl"),  # a mark that is not at the beginning is no mark
        ("a.json", b"\xef\xbb\xbf [", "label-studio"),
        ("a.json", b"", "jsonl"),
        ("a.txt", b"__label__x y", "fasttext"),
        ("a.txt", "没有标签的问题".encode(), "fasttext"),
        ("a.txt", b"ID, Title", "csv"),
        ("a.txt", b'"id","question_title"\r\n', "csv"),
        ("a.txt", b'{"title": "x"}', "jsonl"),
        ("a.txt.gz", b"[", "label-studio"),
        ("-", b'{"title": "x"}', "jsonl"),
        ("-", b"__label__x y", "fasttext"),
        ("-", b"id,title", "csv"),
        ("a", b"PAR1\x15\x04", "parquet"),
        ("folder.json/a", b"id,title", "csv"),
        ("2024.05.questions", b"[", "label-studio"),
    ],
)
def test_the_suffix_decides_and_then_the_first_characters(name, head, expected):
    assert detect_format(name, head) == expected
