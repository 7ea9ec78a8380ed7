import pytest

from l2a.data.questions import Question, ReadReport, read_questions
from l2a.errors import InputError


def read(path, **options):
    return list(read_questions(path, **options))


@pytest.mark.parametrize(
    ("line", "title", "tags"),
    [
        ("__label__编程 __label__自学 怎么学 编程", "怎么学 编程", ("编程", "自学")),
        ("没有标签的问题", "没有标签的问题", ()),
        ("怎么学\t__label__编程 编程 __label__自学", "怎么学\t编程", ("编程", "自学")),
        ("__label__a%20b%E3%80%80c __label__100%25 问题", "问题", ("a b\u3000c", "100%")),
        ("__label__100% __label__%zz __label__%ff 问题", "问题", ("100%", "%zz", "%ff")),
        ("__label__a\u3000b 问题", "问题", ("a\u3000b",)),
        ("__label____label__ 问题", "问题", ("__label__",)),
        (r"__label__a \__label__b \\__label__c x\__label__d", r"__label__b \__label__c x\__label__d", ("a",)),
        ("__label__a x__label__b", "x__label__b", ("a",)),
        ("__label__a\0__label__b\v问题", "问题", ("a", "b")),
    ],
)
def test_labels_and_text(write, line, title, tags):
    (question,) = read(write("a.fasttext", line + "\n"))
    assert (question.title, question.tags) == (title, tags)


def test_windows_line_ends_and_blank_lines_are_no_trouble(write):
    questions = read(write("a.txt", "__label__a 一\r\n\r\n二\r\n"))
    assert questions == [Question("一", "", ("a",), "1"), Question("二", id="3")]
    assert [(question.line, question.own_id) for question in questions] == [(1, False), (3, False)]


@pytest.mark.parametrize(
    ("line", "reason"), [("__label__a", "the title is empty"), ("__label__ 问题", "a tag is empty")]
)
def test_a_line_without_text_or_with_an_empty_label_is_refused(write, line, reason):
    path = write("a.fasttext", f"__label__a 好\n{line}\n")
    with pytest.raises(InputError, match=rf"a\.fasttext, line 2: {reason}"):
        read(path)
    report = ReadReport()
    assert len(read(path, skip_bad=True, report=report)) == 1
    assert (report.good, report.bad) == (1, 1)
