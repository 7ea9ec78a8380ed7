"""`diff`: two exports held against each other."""

import json
from itertools import product

import pytest

from app.transfer.difference import Counts, Difference, compare
from db.transfer.formats import FORMATS
from l2a.data.questions import Question


@pytest.fixture
def exported(answer, tmp_path):
    def export(name, fmt):
        file = tmp_path / f"{name}{FORMATS[fmt].suffix}"
        answer("export", file, "--format", fmt)
        return file

    return export


@pytest.fixture
def pairs(decide, exported, answer):
    """Exports of every format before and after: question 1 has other labels, 2 is gone, 4 is new, 3 stays as it is."""
    decide(1, "li", "编程", "自学")
    gone = decide(2, "li", "跑步")
    decide(3, "li", "物理", "a|b")
    old = {name: exported(f"old-{name}", name) for name in FORMATS}
    decide(1, "li", "编程", "Python 语言")
    answer("undo", gone)
    decide(4, "wang", "电影")
    new = {name: exported(f"new-{name}", name) for name in FORMATS}
    return old, new


def test_the_differences_are_listed_and_counted(pairs, call):
    old, new = pairs
    code, out, err = call("diff", old["jsonl"], new["jsonl"])
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "~\ta1\t零基础学编程从哪里开始？\t+Python 语言 -自学",
        "+\tb2\t有什么好看的电影？\t+电影",
        "-\ta2\t跑步伤膝盖吗？\t-跑步",
        "1 added, 1 removed, 1 with other labels, 1 the same (recognised by id)",
    ]


def test_any_format_is_held_against_any_other(pairs, call):
    old, new = pairs
    for old_format, new_format in product(FORMATS, FORMATS):
        code, out, err = call("diff", old[old_format], new[new_format], "--json")
        assert (code, err) == (1, "")
        *differences, counts = map(json.loads, out.splitlines())
        assert [(d["change"], d["plus"], d["minus"]) for d in differences] == [
            ("changed", ["Python 语言"], ["自学"]),
            ("added", ["电影"], []),
            ("removed", [], ["跑步"]),
        ]
        by = "text" if "fasttext" in (old_format, new_format) else "id"
        assert counts == {"added": 1, "removed": 1, "changed": 1, "same": 1, "by": by}


def test_the_same_labels_end_with_exit_code_0(decide, exported, answer, call):
    decide(1, "li", "编程", "自学")
    decide(2, "li", "跑步")
    old, new = exported("old", "jsonl"), exported("new", "csv")
    assert call("diff", old, new) == (
        0,
        "0 added, 0 removed, 0 with other labels, 2 the same (recognised by id)\n",
        "",
    )


def test_a_file_that_is_not_what_its_manifest_says_is_warned_about(decide, exported, call):
    decide(1, "li", "编程")
    old, new = exported("old", "jsonl"), exported("new", "csv")
    old.write_bytes(old.read_bytes().replace("编程".encode(), "电影".encode()))
    code, _, err = call("diff", old, new)
    assert code == 1
    assert err == f"app: {old} was changed after it was exported: its checksum is not the one in its manifest.\n"
    new.with_name("new.csv.manifest.json").write_text("[1, 2")
    assert "not a manifest" in call("diff", old, new)[2]


@pytest.mark.usefixtures("path")
def test_trouble_ends_with_exit_code_2(call, refusal, write_file, tmp_path):
    good = write_file({"id": 1, "title": "甲？", "tags": []})
    bad = write_file({"id": 1, "title": "甲？", "tags": []}, "{not json", name="bad.jsonl")
    assert "no such file" in refusal("diff", good, tmp_path / "missing.jsonl")
    assert f"{bad}, line 2: not valid JSON" in refusal("diff", good, bad)
    code, out, err = call("diff", good, bad, "--skip-bad")
    assert (code, out.split(" (")[0]) == (0, "0 added, 0 removed, 0 with other labels, 1 the same")
    assert err.startswith("1 bad lines left out:")


def question(id="", tags=(), source="", title="甲？"):
    return Question(title=title, tags=tuple(tags), id=id or "1", source=source, own_id=bool(id))


def test_the_source_counts_where_both_name_one():
    old = [question("1", ["a"], "zhihu"), question("1", ["b"], "guokr")]
    assert list(compare(old, [question("1", ["b"], "guokr"), question("1", ["a"], "zhihu")])) == []
    assert list(compare(old, [question("1", ["b"]), question("1", ["a"])])) == [
        Difference("changed", "1", "甲？", ("b",), ("a",)),
        Difference("changed", "1", "甲？", ("a",), ("b",)),
    ]
    assert [d.change for d in compare(old[:1], [question("1", ["a"], "other")])] == ["added", "removed"]


def test_order_and_doubles_do_not_count():
    counts = Counts()
    twice = [question("1", ["a", "b"]), question("1", ["a", "b"])]
    assert list(compare(twice, [question("1", ["b", "a"]), question("1", ["b", "a"])], counts)) == []
    assert counts.same == 2
    assert [d.change for d in compare(twice, twice[:1])] == ["removed"]


def test_empty_files_are_compared_too():
    assert list(compare([], [])) == []
    assert [d.change for d in compare([], [question("1", ["a"])])] == ["added"]
    assert [d.change for d in compare([question(tags=["a"])], [])] == ["removed"]


def test_texts_are_recognised_whatever_their_white_space():
    old = [Question(title="甲\n乙", description="丙", tags=("a",), own_id=False)]
    assert list(compare(old, [Question(title="甲 乙 丙", tags=("a",), own_id=False)])) == []
