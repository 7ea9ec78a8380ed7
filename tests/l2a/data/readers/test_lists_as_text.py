"""Several tags in one text: joined by something else than a bar, or a list that a program wrote as text."""

import json

import pytest

from l2a.data.questions import ReadReport, read_questions
from l2a.data.tag_files import read_tag_table
from l2a.errors import InputError
from tests.l2a.data.readers.test_foreign import as_parquet, lines, refusal, task


@pytest.mark.parametrize("cell", ["健康,医院", "健康，医院", "健康、医院", "健康; 医院"])
def test_tags_joined_by_commas_are_not_one_tag(write, cell):
    said = refusal(write("q.csv", f'title,tags\n"胃疼怎么办？","{cell}"\n'))
    assert f"line 2: the tags look joined by commas ({cell}); join them by |" in said


@pytest.mark.parametrize(
    "cell", ["['健康', '医院']", '["健康"]', "[]", "['健康' '医院']", '{"choices": ["健康", "医院"]}', "<健康><医院>"]
)
def test_a_list_written_as_text_is_not_one_tag(write, cell):
    quoted = cell.replace('"', '""')
    said = refusal(write("q.csv", f'title,tags\n"胃疼怎么办？","{quoted}"\n'))
    assert f"line 2: the tags are a list written as text ({cell}); join them by |" in said


def test_such_rows_can_be_left_out_and_a_bar_says_that_it_is_one_tag(write):
    path = write("q.csv", 'title,tags\n一,"a,b"\n二,"a,b|"\n三,"a,b|c"\n四,[1] 号|\n五,[1] 号\n')
    report = ReadReport()
    questions = list(read_questions(path, skip_bad=True, report=report))
    assert [question.tags for question in questions] == [("a,b",), ("a,b", "c"), ("[1] 号",), ("[1] 号",)]
    assert report.bad == 1


def test_the_same_holds_for_parquet_and_for_aliases(tmp_path, write):
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"title": ["一", "二"], "tags": ["a|b", "a,b"]}), tmp_path / "q.parquet")
    assert "row 2: the tags look joined by commas (a,b)" in refusal(tmp_path / "q.parquet")
    with pytest.raises(InputError, match=r"line 2: the tags look joined by commas \(卡通,动漫\)"):
        list(read_tag_table(write("t.csv", 'name,aliases\n动画,"卡通,动漫"\n')))


@pytest.mark.parametrize("tag", ["['健康', '医院']", '["健康"]', " [ '健康' ] ", "[]", '{"choices": ["健康", "医院"]}'])
def test_a_list_written_as_text_is_no_item_of_a_list(write, tmp_path, tag):
    said = f"a tag is a list written as text ({tag.strip()}); write each of its tags as an item of its own"
    assert f"line 1: {said}" in refusal(write("q.jsonl", lines({"title": "胃疼怎么办？", "tags": [tag]})))
    assert f"line 1: {said}" in refusal(write("q.jsonl", lines({"title": "胃疼怎么办？", "rejected": ["旅行", tag]})))
    assert f"line 1: {said}" in refusal(write("d.jsonl", lines({"text": "胃疼怎么办？", "label": [tag]})))
    assert f"task 1: {said}" in refusal(write("l.json", json.dumps([task(tags=tag)])))
    assert f"row 1: {said}" in refusal(as_parquet(tmp_path / "q.parquet", title=["胃疼怎么办？"], tags=[[tag]]))


@pytest.mark.parametrize("tag", ["健康,医院", "a, b", "北京、上海", "[综艺]", "<canvas>", "{x}", "['", "C[0]"])
def test_an_item_of_a_list_is_one_tag_whatever_its_signs(write, tmp_path, tag):
    """A list says where each tag ends, so a comma in one is part of its name, as tags of our own may have it."""
    files = [
        write("q.jsonl", lines({"title": "胃疼怎么办？", "tags": [tag]})),
        as_parquet(tmp_path / "q.parquet", title=["胃疼怎么办？"], tags=[[tag]]),
    ]
    for path in files:
        assert [question.tags for question in read_questions(path)] == [(tag,)]
