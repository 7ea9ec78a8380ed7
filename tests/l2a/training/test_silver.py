"""Silver labels: literal matching, the Omikuji teacher on a toy set, and the file that is written."""

import argparse
import gzip
import json
import sys

import pytest

from l2a.commands import silver as command
from l2a.data.questions import Question, read_questions, read_tags
from l2a.errors import InputError, L2AError, SettingsError
from l2a.evidence.literal import LiteralMatcher
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training import silver
from l2a.training.silver import Teacher, write_silver

# Three subjects that share no word: the last word tells the question from the others of its subject.
SUBJECTS = {
    "猫": ("宠物", "猫咪", "我家的小猫{}不肯吃猫粮怎么办"),
    "车": ("汽车", "驾驶", "新手司机{}倒车入库有什么技巧"),
    "编": ("编程", "Python", "程序员{}写 python 代码用哪个编辑器"),
}
FILLERS = ("今天", "昨天", "早上", "晚上", "最近", "冬天", "夏天", "周末", "平时", "经常")


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


@pytest.fixture(scope="module")
def gold():
    return [
        Question(title=text.format(filler), tags=(first, second), id=f"{name}-{filler}")
        for filler in FILLERS
        for name, (first, second, text) in SUBJECTS.items()
    ]


@pytest.fixture(scope="module")
def teacher(gold, segmenter):
    pytest.importorskip("omikuji")
    return Teacher(gold, ["编辑器", "Python", "猫粮"], segmenter)


def find(tags, segmenter, title, description=""):
    return [match.tag for match in LiteralMatcher(tags, segmenter).find(Question(title, description))]


def learned(segmenter, rows, tags):
    """A matcher that has seen (title, tags) rows."""
    matcher = LiteralMatcher(tags, segmenter)
    texts = [FoldedWords.of(Question(title), segmenter) for title, _ in rows]
    matcher.learn(texts, [frozenset(map(match_key, true)) for _, true in rows])
    return matcher


def test_tag_in_the_text_is_found_whatever_its_case(segmenter):
    assert find(["Python", "Java"], segmenter, "学 PYTHON 有用吗") == ["Python"]


def test_tag_inside_a_longer_word_is_not_found(segmenter):
    assert find(["Java"], segmenter, "怎么学 javascript") == []
    assert find(["京都"], segmenter, "北京都有什么好玩的") == []


def test_longest_match_hides_the_tags_inside_it(segmenter):
    assert find(["机器", "学习", "机器学习"], segmenter, "机器学习怎么入门") == ["机器学习"]


def test_match_does_not_run_from_title_into_description(segmenter):
    assert find(["机器学习"], segmenter, "什么是机器", "学习有用吗") == []


def test_title_comes_before_description_and_more_words_before_fewer(segmenter):
    tags = ["面试", "电影", "机器学习"]
    assert find(tags, segmenter, "怎么看电影和机器学习", "面试要用") == ["机器学习", "电影", "面试"]


def test_single_characters_are_no_matches(segmenter):
    assert find(["猫", "C", "5"], segmenter, "猫 C 5") == []


def test_spellings_of_one_tag_are_matched_once_as_first_written(segmenter):
    assert find(["iPhone", "IPHONE", "ｉＰｈｏｎｅ"], segmenter, "iphone 值得买吗") == ["iPhone"]


def test_tag_that_is_never_true_sinks_and_drops_out_as_junk(segmenter):
    # 电影 is right 5 times of 5, 问题 0 of 200. Averages: (5 + 1) / (205 + 4) = 0.0287 in the title, 1/4 elsewhere;
    # prior 2 * (0.0287 + 0.25) / 2 = 0.2787; 问题: 0.0287 * 0.2787 / (200 * 0.0287 + 0.2787) = 0.0013, below 0.02.
    rows = [("看电影", ["电影"])] * 5 + [("有问题", ["生活"])] * 200
    matcher = learned(segmenter, rows, ["电影", "问题"])
    (match,) = matcher.find(Question("电影的问题"))
    assert match.tag == "电影"
    # 0.0287 * (5 + 0.2787) / (5 * 0.0287 + 0.2787)
    assert match.score == pytest.approx(0.3590, abs=1e-3)


def test_unseen_tag_gets_the_average_of_its_place(segmenter):
    matcher = learned(segmenter, [("看电影", ["电影"]), ("看电影", ["生活"])], ["电影", "面试"])
    (match,) = matcher.find(Question("面试穿什么"))
    assert match.score == pytest.approx((1 + 1) / (2 + 4))


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
    ranked = [("甲乙", 0.9), *((f"标签{i}", 0.5) for i in range(6)), ("丙丁", 0.01)]
    monkeypatch.setattr(teacher, "rank", lambda questions: [ranked, [("甲乙", 0.01)]], raising=False)
    many, none = teacher.label([Question("一"), Question("二")])
    assert many.tags == ("甲乙", "标签0", "标签1", "标签2", "标签3")
    assert none.tags == ()


def test_too_few_gold_questions_are_refused(segmenter):
    with pytest.raises(InputError, match="1 gold questions with tags are too few; give at least 4"):
        Teacher([Question("猫", tags=("宠物",)), Question("没有标签")], [], segmenter)


def test_missing_omikuji_says_what_to_install(gold, segmenter, monkeypatch):
    monkeypatch.setitem(sys.modules, "omikuji", None)
    with pytest.raises(L2AError, match=r"omikuji is not installed.*requirements-dev\.txt"):
        Teacher(gold, [], segmenter)


def write_rows(path, questions):
    rows = [{"id": q.id, "title": q.title, "description": q.description, "tags": list(q.tags)} for q in questions]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path, gold):
    unlabelled = [
        Question("小猫不吃猫粮", "怎么办", id="u1"),
        Question("司机倒车入库", id="u2"),  # in dev, in another case and width
        Question("PYTHON 写代码", id="u3"),
        Question(gold[0].title, id="u4"),
    ]
    return argparse.Namespace(
        unlabelled=write_rows(tmp_path / "unlabelled.jsonl", unlabelled),
        gold=write_rows(tmp_path / "gold.jsonl", gold),
        exclude=[write_rows(tmp_path / "dev.jsonl", [Question(" 司机倒车入库", tags=("汽车",))])],
        out=tmp_path / "new" / "silver.jsonl.gz",
        limit=None,
    )


def test_written_rows_are_read_back_without_excluded_titles(files):
    pytest.importorskip("omikuji")
    report = write_silver(files.unlabelled, files.gold, ["猫粮"], files.out, exclude=files.exclude, progress=False)
    rows = list(read_questions(files.out))
    assert [(row.id, row.source, row.title, row.description) for row in rows] == [
        ("u1", "silver", "小猫不吃猫粮", "怎么办"),
        ("u3", "silver", "PYTHON 写代码", ""),
    ]
    assert all(1 <= len(row.tags) <= 5 for row in rows)
    assert (report.read, report.written, report.excluded, report.untagged) == (4, 2, 2, 0)
    assert report.tags == sum(len(row.tags) for row in rows)
    assert report.distinct_tags == len({tag for row in rows for tag in row.tags})
    with gzip.open(files.out, "rt", encoding="utf-8") as stream:
        assert list(json.loads(next(stream))) == ["id", "source", "title", "description", "tags"]


def test_questions_without_a_likely_tag_are_left_out_and_counted(files, monkeypatch):
    pytest.importorskip("omikuji")
    monkeypatch.setattr(silver, "MIN_FIRST", 1.1)
    monkeypatch.setattr(silver, "MIN_FURTHER", 1.1)
    report = write_silver(files.unlabelled, files.gold, [], files.out, limit=2, progress=False)
    assert (report.read, report.written, report.untagged) == (2, 0, 2)
    assert list(read_questions(files.out)) == []


def test_limit_below_one_is_refused(files):
    with pytest.raises(SettingsError, match="--limit is 0"):
        write_silver(files.unlabelled, files.gold, [], files.out, limit=0)


def test_command_line_writes_the_file_and_prints_the_counts(files, tmp_path, capsys):
    pytest.importorskip("omikuji")
    (tmp_path / "tags.csv").write_text('rank,tag\n1,"猫粮"\n', encoding="utf-8")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    options = ["--gold", str(files.gold), "--tags", str(tmp_path / "tags.csv"), "--limit", "1", "--out", str(files.out)]
    assert command.run(parser.parse_args([str(files.unlabelled), *options])) == 0
    assert "written       1" in capsys.readouterr().out
    assert [row.id for row in read_questions(files.out)] == ["u1"]


@pytest.mark.parametrize("content", ['rank,tag\n1,"机器学习"\n2,"Web, 开发"\n', "机器学习\n\nWeb, 开发\n"])
def test_tags_are_read_from_csv_and_from_a_plain_list(tmp_path, content):
    path = tmp_path / "tags.txt"
    path.write_text(content, encoding="utf-8")
    assert read_tags(path) == ["机器学习", "Web, 开发"]


def test_missing_tag_list_names_the_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.csv: no such file"):
        read_tags(tmp_path / "nowhere.csv")
