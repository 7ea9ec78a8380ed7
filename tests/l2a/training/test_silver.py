"""Silver labels: literal matching, and the file that is written."""

import argparse
import gzip
import json
from dataclasses import replace

import pytest

from l2a.commands import silver as command
from l2a.data.questions import Question, read_questions, read_tags
from l2a.errors import InputError, SettingsError
from l2a.evidence.literal import LiteralMatcher
from l2a.evidence.names.finder import Name
from l2a.evidence.names.learning import learn as real_learn
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training import silver
from l2a.training.silver import SilverSources, write_silver
from l2a.training.teaching import teacher as teaching
from tests.l2a.training.teaching.subjects import make_gold


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


@pytest.fixture(scope="module")
def gold():
    return make_gold()


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
    sources = SilverSources(files.unlabelled, files.gold, ["猫粮"], exclude=files.exclude)
    report = write_silver(sources, files.out, progress=False)
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


def test_pages_are_labelled_besides_and_keep_their_own_tags(files, tmp_path):
    pytest.importorskip("omikuji")
    page = {"id": "p1", "title": "我家的小猫吃什么", "tags": ["动物", "喂养"], "leaf_tags": ["喂养"]}
    excluded = {"id": "p2", "title": "司机倒车入库", "tags": ["汽车"], "leaf_tags": ["汽车"]}
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (page, excluded)), encoding="utf-8")
    sources = SilverSources(files.unlabelled, files.gold, [], exclude=files.exclude, pages=pages)
    report = write_silver(sources, files.out, limit=1, progress=False)
    labelled, other = read_questions(files.out)
    assert (labelled.id, other.id) == ("p1", "u1")  # the limit counts unlabelled questions
    assert labelled.tags[0] == "喂养"
    assert "动物" not in labelled.tags
    assert (report.read, report.written) == (2, 2)


def test_tags_that_an_unlabelled_question_has_are_not_believed(files, tmp_path):
    pytest.importorskip("omikuji")
    unlabelled = write_rows(tmp_path / "tagged.jsonl", [Question("小猫不吃猫粮", tags=("假的",), id="u1")])
    write_silver(SilverSources(unlabelled, files.gold, []), files.out, progress=False)
    (row,) = read_questions(files.out)
    assert "假的" not in row.tags


def test_names_are_learned_once_and_counted_where_no_list_has_them(files, tmp_path, monkeypatch):
    pytest.importorskip("omikuji")
    monkeypatch.setattr(silver, "cores", lambda: 1)
    found = {"小猫不吃猫粮": [Name("小猫", 0.9, 0.8)], "PYTHON 写代码": [Name("python", 0.9, 0.8)]}
    monkeypatch.setattr(silver.NameFinder, "find", lambda self, title, *rest: found.get(title, []))
    learned = []
    monkeypatch.setattr(silver, "learn", lambda titles, *rest: learned.append(titles) or real_learn(titles, *rest))
    names = tmp_path / "kept" / "names.npz"
    sources = SilverSources(files.unlabelled, files.gold, ["猫粮"], exclude=files.exclude, names=names)
    report = write_silver(sources, files.out, progress=False)
    assert learned == [["小猫不吃猫粮", "PYTHON 写代码"]]  # nothing of gold and of what is left out
    assert ["小猫" in row.tags for row in read_questions(files.out)] == [True, False]
    assert (report.names, report.distinct_names) == (1, 1)
    write_silver(replace(sources, never=["小 猫"]), files.out, progress=False)
    assert len(learned) == 1  # the second time they were read
    assert not any("小猫" in row.tags for row in read_questions(files.out))


def test_questions_without_a_likely_tag_are_left_out_and_counted(files, monkeypatch):
    pytest.importorskip("omikuji")
    monkeypatch.setattr(teaching, "MIN_FIRST", 1.1)
    monkeypatch.setattr(teaching, "MIN_FURTHER", 1.1)
    report = write_silver(SilverSources(files.unlabelled, files.gold, []), files.out, limit=2, progress=False)
    assert (report.read, report.written, report.untagged) == (2, 0, 2)
    assert list(read_questions(files.out)) == []


def test_limit_below_one_is_refused(files):
    with pytest.raises(SettingsError, match="--limit is 0"):
        write_silver(SilverSources(files.unlabelled, files.gold, []), files.out, limit=0)


def test_command_line_writes_the_file_and_prints_the_counts(files, tmp_path, capsys):
    pytest.importorskip("omikuji")
    (tmp_path / "tags.csv").write_text('rank,tag\n1,"猫粮"\n', encoding="utf-8")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    options = ["--gold", str(files.gold), "--tags", str(tmp_path / "tags.csv"), "--limit", "1", "--out", str(files.out)]
    assert command.run(parser.parse_args([str(files.unlabelled), *options])) == 0
    assert "written        1" in capsys.readouterr().out
    assert [row.id for row in read_questions(files.out)] == ["u1"]


@pytest.mark.parametrize("content", ['rank,tag\n1,"机器学习"\n2,"Web, 开发"\n', "机器学习\n\nWeb, 开发\n"])
def test_tags_are_read_from_csv_and_from_a_plain_list(tmp_path, content):
    path = tmp_path / "tags.txt"
    path.write_text(content, encoding="utf-8")
    assert read_tags(path) == ["机器学习", "Web, 开发"]


def test_missing_tag_list_names_the_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.csv: no such file"):
        read_tags(tmp_path / "nowhere.csv")


def test_bad_lines_of_a_tag_list_are_left_out_where_that_is_wanted(tmp_path):
    path = tmp_path / "tags.tsv"
    path.write_text("topic_id\tname\n1\t机器学习\n2\t\n3\t开发\n", encoding="utf-8")
    with pytest.raises(InputError):
        read_tags(path)
    assert read_tags(path, skip_bad=True) == ["机器学习", "开发"]
