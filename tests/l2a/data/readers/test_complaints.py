"""Complaints are values: each language says the place, the reason and the advice in its own words."""

import pickle

import pytest

from l2a.data.questions import ReadReport, read_questions
from l2a.data.readers.complaints import Complaints, header_of, place_of
from l2a.errors import InputError
from l2a.messages import Message

STDIN = Message("file.standard_input")


@pytest.mark.parametrize(
    ("place", "english", "chinese"),
    [
        (place_of("q.csv", "line", 3), "q.csv, line 3", "q.csv，第 3 行"),
        (place_of("q.parquet", "row", 3), "q.parquet, row 3", "q.parquet，第 3 行"),
        (place_of("q.json", "task", 3), "q.json, task 3", "q.json，第 3 个任务"),
        (place_of(STDIN, "line", 3), "standard input, line 3", "标准输入，第 3 行"),
        (header_of("q.csv", 1), "q.csv, line 1: the header", "q.csv，第 1 行：表头"),
    ],
)
def test_a_place_is_named_in_both_languages(place, english, chinese):
    assert (place.in_language("en"), place.in_language("zh")) == (english, chinese)


def test_a_bad_line_is_raised_or_counted_with_its_reason():
    reason, report = Message("row.no_title"), ReadReport()
    with pytest.raises(InputError) as caught:
        Complaints("q.json", "task", False, report).add(2, reason)
    assert str(caught.value) == (
        "q.json, task 2: the title is empty. Correct the task, or pass --skip-bad to leave such tasks out."
    )
    assert caught.value.in_language("zh") == (
        "q.json，第 2 个任务：标题是空的。请改正这个任务，或用 --skip-bad 跳过这样的任务。"
    )
    assert report.messages == []
    Complaints("q.json", "task", True, report).add(2, reason)
    (message,) = report.messages
    assert (str(message), message.in_language("zh")) == (
        "q.json, task 2: the title is empty",
        "q.json，第 2 个任务：标题是空的",
    )


def test_what_another_tool_wrote_is_refused_in_both_languages(tmp_path):
    path = tmp_path / "old.json"
    path.write_text('[{"data": {"text": "a"}, "completions": []}]', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(read_questions(path))
    assert str(caught.value) == (
        f"{path}, task 1: this looks like a file of Label Studio before 1.0, which cannot be read as it is. "
        "Open the project in a newer Label Studio and export it as JSON from there."
    )
    assert caught.value.in_language("zh") == (
        f"{path}，第 1 个任务：这像是 Label Studio 0.x 的文件，不能直接读取。"
        "请用新版 Label Studio 打开项目，再从那里导出为 JSON。"
    )


def test_an_error_says_the_same_after_it_came_from_another_process(tmp_path):
    with pytest.raises(InputError) as caught:
        list(read_questions(tmp_path / "none.csv"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, InputError)
    assert [again.in_language(language) for language in ("en", "zh")] == [
        caught.value.in_language(language) for language in ("en", "zh")
    ]
