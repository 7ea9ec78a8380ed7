"""The teacher of the silver labels on a toy set: what it names, how likely, and how much it keeps."""

import sys
from dataclasses import replace

import pytest

from l2a.data.questions import Question
from l2a.errors import InputError, L2AError
from l2a.evidence.names.finder import Name
from l2a.text.segmenter import Segmenter
from l2a.training.teaching.teacher import Teacher
from tests.l2a.training.teaching.subjects import make_gold

LISTED = ["编辑器", "Python", "猫粮"]


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


@pytest.fixture(scope="module")
def teacher(segmenter):
    pytest.importorskip("omikuji")
    return Teacher(make_gold(), LISTED, segmenter)


def test_teacher_labels_a_new_question_of_a_known_subject(teacher):
    cat, car = teacher.label([Question("小猫不吃猫粮", id="1"), Question("司机倒车", "入库的技巧", id="2")])
    assert {"宠物", "猫咪"} <= set(cat.tags)
    assert not {"汽车", "编程"} & set(cat.tags)
    assert {"汽车", "驾驶"} <= set(car.tags)
    assert (cat.id, cat.title, cat.source) == ("1", "小猫不吃猫粮", "silver")


def test_teacher_ranks_by_probability_without_repeats(teacher):
    (ranked,) = teacher.rank([Question("程序员写 python 代码")])
    probabilities = [probability for _, probability in ranked]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0 <= probability <= 1 for probability in probabilities)
    assert [tag for tag, _ in ranked].count("Python") == 1


def test_no_questions_give_no_labels(teacher):
    assert teacher.label([]) == []


def test_cut_offs_decide_how_many_tags_are_kept(teacher, monkeypatch):
    ranked = [("编程", 0.9), *((tag, 0.5) for tag in ("宠物", "猫咪", "汽车", "驾驶", "猫粮")), ("Python", 0.01)]
    monkeypatch.setattr(teacher, "rank", lambda questions, names: [ranked, [("编程", 0.01)]])
    many, none = teacher.label([Question("一"), Question("二")])
    assert many.tags == ("编程", "宠物", "猫咪", "汽车", "驾驶")
    assert none.tags == ()


def test_a_question_keeps_the_tags_it_has(teacher):
    (labelled,) = teacher.label([Question("小猫不吃猫粮", tags=("动物", "猫咪"))])
    assert labelled.tags[:2] == ("动物", "猫咪")
    assert "宠物" in labelled.tags
    assert labelled.tags.count("猫咪") == 1


def test_a_name_in_no_list_is_as_likely_as_its_finder_says(teacher):
    names = [Name("黑神话", 0.9, 0.3), Name("倒车", 0.5, 0.19), Name("PYTHON", 0.9, 0.9)]
    (ranked,) = teacher.rank([Question("黑神话里怎么倒车")], [names])
    found = dict(ranked)
    assert (found["黑神话"], found["倒车"]) == (0.3, 0.19)
    assert "PYTHON" not in found  # listed: what it is worth was learned
    (labelled,) = teacher.label([Question("黑神话里怎么倒车")], [names])
    assert "黑神话" in labelled.tags
    assert "倒车" not in labelled.tags  # 0.19 is below the cut of names


def test_spaces_make_no_new_name(teacher):
    (ranked,) = teacher.rank([Question("编 辑 器")], [[Name("编 辑 器", 0.9, 0.9)]])
    assert "编 辑 器" not in dict(ranked)
    assert teacher.is_listed("编 辑 器")
    assert not teacher.is_listed("黑神话")


def test_another_spelling_of_a_listed_tag_stands_for_it(segmenter):
    pytest.importorskip("omikuji")
    teacher = Teacher(make_gold(), ["比特币(Bitcoin)"], segmenter)
    (ranked,) = teacher.rank([Question("比特币为什么涨")])
    assert "比特币(Bitcoin)" not in dict(ranked)  # gold never showed that such a spelling means the tag
    gold = [replace(one, title=f"{one.title}比特币", tags=(*one.tags, "比特币(Bitcoin)")) for one in make_gold()]
    (ranked,) = Teacher(gold, [], segmenter).rank([Question("比特币为什么涨")])
    assert dict(ranked)["比特币(Bitcoin)"] > 0.5


def test_pages_teach_tags_that_gold_lacks(segmenter):
    pytest.importorskip("omikuji")
    pages = [Question(f"{title}怎么养乌龟", tags=("乌龟",)) for title in ("冬天", "夏天", "室内")]
    question = Question("怎么养乌龟")
    assert "乌龟" not in dict(Teacher(make_gold(), [], segmenter).rank([question])[0])
    assert "乌龟" in dict(Teacher(make_gold(), [], segmenter, pages=pages).rank([question])[0])


def test_rows_with_missing_tags_do_not_teach_that_rare_tags_are_wrong(segmenter):
    pytest.importorskip("omikuji")
    held = {}
    for partial in (False, True):
        gold = [replace(question, partial_tags=partial) for question in make_gold()]
        teacher = Teacher(gold, [], segmenter, further=["编辑器", "代码"])
        held[partial] = {key for _, candidates in teacher.held_out(gold) for key in candidates}
    assert held[False] - held[True] == {"编辑器", "代码"}
    assert {"python", "编程"} <= held[True]


def test_too_few_gold_questions_are_refused(segmenter):
    with pytest.raises(InputError, match="1 gold questions with tags are too few; give at least 4"):
        Teacher([Question("猫", tags=("宠物",)), Question("没有标签")], [], segmenter)


def test_missing_omikuji_says_what_to_install(segmenter, monkeypatch):
    monkeypatch.setitem(sys.modules, "omikuji", None)
    with pytest.raises(L2AError, match=r"omikuji is not installed.*requirements-dev\.txt"):
        Teacher(make_gold(), [], segmenter)
