import re

import pytest

from l2a.data.questions import Question, read_questions
from l2a.errors import InputError
from l2a.experiments.corpora import find_corpora, split
from l2a.text.cleaning import match_key

ROWS = [Question("怎么学编程", tags=("编程",), id="1"), Question("没有标签", id="2")]
OPEN_ROWS = [*ROWS, Question("新的东西", tags=("编程", "新词"), id="3")]


def test_zhihu_and_weibo_folders_are_two_corpora_with_one_lexicon(write_questions, tmp_path):
    for corpus in ("zhihu", "weibo"):
        for part in ("train", "dev", "test"):
            write_questions(f"{corpus}/{part}", ROWS)
    write_questions("zhihu/test_open", OPEN_ROWS)
    (tmp_path / "lexicon").mkdir()
    (tmp_path / "lexicon" / "tree.tsv").write_text("topicName\tparentName\nPython\t编程\n", encoding="utf-8")
    (tmp_path / "lexicon" / "vectors.npz").write_bytes(b"")
    found = find_corpora(tmp_path, tmp_path / "work")
    assert [corpus.name for corpus in found.all] == ["zhihu", "weibo"]
    assert found.notes == ()
    assert [(row.parent, row.name) for row in found.main.listed] == [("编程", "Python")]
    assert found.weibo.listed == []
    # Questions without tags are left out everywhere.
    assert {part: len(rows) for part, rows in found.main.parts.items()} == {"dev": 1, "test": 1, "open": 2}
    assert found.main.known_keys == {"编程"}


def test_without_an_open_test_it_is_made_of_test_questions_with_a_new_tag(write_questions, tmp_path):
    for part, rows in (("train", ROWS), ("dev", ROWS), ("test", OPEN_ROWS)):
        write_questions(part, rows)
    found = find_corpora(tmp_path, tmp_path / "work")
    assert [question.id for question in found.main.parts["open"]] == ["3"]
    assert [re.split(":| has", note)[1][:10] for note in found.notes] == [" no folder", " the open "]


def test_csv_files_will_do(tmp_path):
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.csv").write_text("id,title,description,tags\n1,标题,,a|b\n", encoding="utf-8")
    assert find_corpora(tmp_path, tmp_path / "work").main.gold("dev") == [("a", "b")]


def test_one_file_is_split_the_same_way_every_time(samples_path, samples, tmp_path):
    first = {part: list(read_questions(path)) for part, path in split(samples_path, tmp_path / "a").items()}
    again = {part: list(read_questions(path)) for part, path in split(samples_path, tmp_path / "b").items()}
    assert first == again
    assert sorted(q.id for rows in first.values() for q in rows) == sorted(q.id for q in samples)
    assert len(first["train"]) == 98
    known = {match_key(tag) for question in first["train"] for tag in question.tags}
    assert all(any(match_key(tag) not in known for tag in question.tags) for question in first["open"])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"there is no file train and no file questions\. Give a folder"),
        ({"train": ROWS}, r"there is no file dev and no file test\. Give a folder"),
        ({"questions": ROWS}, r"1 questions with tags cannot be split"),
    ],
)
def test_a_folder_without_the_parts_is_refused(write_questions, tmp_path, files, message):
    for name, rows in files.items():
        write_questions(name, rows)
    with pytest.raises(InputError, match=message):
        find_corpora(tmp_path, tmp_path / "work")


def test_a_part_without_tags_is_refused(write_questions, tmp_path):
    for part in ("train", "dev", "test"):
        write_questions(part, ROWS[1:])
    with pytest.raises(InputError, match=r"dev\.jsonl: no question has tags"):
        _ = find_corpora(tmp_path, tmp_path / "work").main.parts
