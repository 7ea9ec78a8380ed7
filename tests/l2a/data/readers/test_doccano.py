import json

import pytest

from l2a.data.questions import Question, read_questions
from l2a.errors import InputError


def read(path, **options):
    return list(read_questions(path, **options))


@pytest.mark.parametrize("fmt", [None, "doccano"])
@pytest.mark.parametrize(
    ("row", "question"),
    [
        ({"id": 3, "text": "怎么学编程", "label": ["编程", "a|b"]}, Question("怎么学编程", "", ("编程", "a|b"), "3")),
        ({"text": "怎么学编程", "labels": ["编程"]}, Question("怎么学编程", "", ("编程",), "1")),
        ({"id": 3, "text": "怎么学编程", "label": "编程"}, Question("怎么学编程", "", ("编程",), "3")),
        ({"id": 3, "text": "怎么学编程", "label": [], "Comments": []}, Question("怎么学编程", id="3")),
        ({"id": 3, "text": "怎么学编程", "label": None, "meta": None}, Question("怎么学编程", id="3")),
        (
            {
                "id": 3,
                "text": "标题\n描述",
                "label": ["a"],
                "meta": {"title": "标题", "description": "描述", "source": "网站", "external_id": "q3"},
            },
            Question("标题", "描述", ("a",), "q3", "网站"),
        ),
    ],
)
def test_rows_of_doccano_are_told_apart_by_their_shape(write, fmt, row, question):
    assert read(write("a.jsonl", json.dumps(row)), fmt=fmt) == [question]


def test_both_kinds_of_rows_may_stand_in_one_file(write):
    rows = [{"title": "一", "text": "not used", "tags": ["a"]}, {"text": "二", "label": ["b"]}]
    questions = read(write("a.jsonl", "\n".join(json.dumps(row) for row in rows)))
    assert [(question.title, question.tags) for question in questions] == [("一", ("a",)), ("二", ("b",))]


def test_the_text_may_be_called_data(write):
    assert read(write("a.jsonl", '{"id": 1, "data": "问题", "label": ["a"]}'), fmt="doccano")[0].title == "问题"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text": "问题", "label": [[0, 2, "名词"]]}, '"label" must be a list of strings; labels on parts of the text'),
        ({"text": "问题", "label": {"a": 1}}, '"label" must be a list of strings'),
        ({"title": "问题"}, 'a doccano row needs "text"; it has title'),
        ({"text": ""}, "the title is empty"),
        ({"text": 5}, '"title" must be a string, not int'),
    ],
)
def test_rows_of_another_shape_are_refused(write, row, reason):
    with pytest.raises(InputError, match=rf"a\.jsonl, line 1: {reason}"):
        read(write("a.jsonl", json.dumps(row)), fmt="doccano")
