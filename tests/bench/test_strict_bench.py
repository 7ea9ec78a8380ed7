"""The strict open test: what is taken out, what stays, that a model which knows better is refused, and the counts."""

import json

import pytest

from bench import quality, strict
from bench.peers import report
from bench.peers.starter import Answer
from l2a.data.questions import Question, read_questions, read_tags
from l2a.data.tag_files import read_tag_table
from tests.bench.test_quality_bench import arguments, write, write_pages  # noqa: F401

NEW, SPELLED_OTHERWISE = "晶晶火锅", "晶晶 火锅"  # invented: no model knows it


@pytest.fixture
def strict_arguments(arguments, tmp_path):  # noqa: F811
    """The data of the quality test with a tag in every list and label that the open test asks for and gold lacks."""
    zhihu, lexicon, folder = tmp_path / "zhihu", tmp_path / "lexicon", tmp_path / "cache"
    asked = [Question("晶晶火锅今年为什么特别辣", tags=("火锅", NEW), id="o"), Question("别的", tags=(NEW,), id="p")]
    write(zhihu / "test_open.jsonl", asked)
    dev = list(read_questions(zhihu / "dev.jsonl"))
    write(zhihu / "dev.jsonl", [*dev, Question("只问新的", tags=(SPELLED_OTHERWISE,))])
    pages = [Question("两个标签", tags=("火锅", NEW)), Question("一个标签", tags=(NEW,))]
    write_pages(tmp_path / "pages.jsonl", pages)
    (lexicon / "nlpcc2018_task6_tags.csv").write_text(f'rank,tag\n1,工具\n2,"{NEW}"\n3,Python\n', encoding="utf-8")
    (lexicon / "zhihu_topic_tree.tsv").write_text(
        "topicName\ttopicID\tfollowers\tparentName\tparentID\n"
        f"{SPELLED_OTHERWISE}\t1\t9\t火锅\t2\n辣的\t3\t9\t{NEW}\t1\n川菜\t4\t9\t菜系\t5\n",
        encoding="utf-8",
    )
    (zhihu / "unlabelled.jsonl.gz").write_bytes(b"text")
    model = tmp_path / "out" / "run" / "best"
    model.parent.mkdir(parents=True)
    model.symlink_to(strict.STARTER)  # not the default path: it counts as trained on the filtered data
    files = ["--silver", str(arguments.silver), "--pages", str(arguments.pages), "--model", str(model)]
    places = ["--data", str(tmp_path), "--cache", str(folder), "--out", str(tmp_path)]
    return quality.parse([*places, *files, "--strict", "--beam", "2", "--without-fasttext"])


def test_a_new_tag_leaves_every_list_and_label_and_stays_where_it_is_asked_for(strict_arguments):
    data, args = strict_arguments.data, strict_arguments
    strict.prepare(args)
    assert args.removed == strict.Removed(frozenset({NEW}))
    assert (args.data / strict.NEVER).read_text(encoding="utf-8") == f"{NEW}\n"
    assert args.data == args.cache / "strict-data"
    assert read_tags(args.data / "lexicon" / "nlpcc2018_task6_tags.csv") == ["工具", "Python"]
    tree = list(read_tag_table(args.data / "lexicon" / "zhihu_topic_tree.tsv"))
    assert [(row.name, row.parent) for row in tree] == [("辣的", ""), ("川菜", "菜系")]
    # A question that is left without a label is none to learn from.
    assert [question.tags for question in read_questions(args.pages)] == [("火锅",)]
    assert [json.loads(line)["leaf_tags"] for line in args.pages.read_text(encoding="utf-8").splitlines()] == [[]]
    assert [q.title for q in read_questions(args.data / "zhihu" / "dev.jsonl") if q.title == "只问新的"] == []
    for name in ("train.jsonl", "test.jsonl", "test_open.jsonl"):
        assert list(read_questions(args.data / "zhihu" / name)) == list(read_questions(data / "zhihu" / name))
    assert (args.data / "zhihu" / "unlabelled.jsonl.gz").read_bytes() == b"text"


def test_the_recipe_trains_on_the_filtered_data_once_and_leaves_its_silver_labels(strict_arguments, monkeypatch):
    args = strict_arguments
    args.model, args.silver, args.seed = strict.STARTER, None, 7
    commands = []

    def run(command, check):
        commands.append(command)
        out = args.cache / "strict-model-7"
        out.mkdir()
        (out / "silver.jsonl.gz").touch()

    monkeypatch.setattr(strict.subprocess, "run", run)
    strict.prepare(args)
    out = args.cache / "strict-model-7"
    assert [command[1:] for command in commands] == [[str(args.cache / "strict-data"), str(out), "7", "1"]]
    assert (args.model, args.silver) == (out / "model", out / "silver.jsonl.gz")
    strict.train(args.data, out, 7)
    assert len(commands) == 1


def test_a_model_or_silver_that_knows_a_removed_tag_is_refused(strict_arguments):
    args = strict_arguments
    strict.prepare(args)
    args.removed = strict.Removed(frozenset({"心理学"}))
    with pytest.raises(strict.Left, match="'心理学'"):
        quality.measure(args)
    args.removed = strict.Removed(frozenset({NEW}))
    write(args.silver, [Question("银的", tags=(SPELLED_OTHERWISE,))])
    with pytest.raises(strict.Left, match="in lists and labels"):
        quality.measure(args)


def test_starter_and_peers_stand_in_one_strict_table(strict_arguments):
    pytest.importorskip("omikuji")
    args = strict_arguments
    args.without = [peer.name for peer in quality.PEERS if peer.name not in (quality.LITERAL, quality.RIDGE)]
    strict.prepare(args)
    found = quality.measure(args)
    assert found["strict"]["asked"] == {"pairs": 2, "in_text": 1, "in_title": 1}
    rows = found["strict"]["methods"]
    assert set(rows) == {quality.LITERAL, quality.RIDGE, f"{quality.RIDGE}, + literal", quality.STARTER}
    assert (rows[quality.LITERAL]["right"], rows[quality.RIDGE]["suggested"]) == (0, 0)
    table = report.to_markdown(found)
    assert "2 times a question asks for a tag that was taken out" in table
    assert f"| {quality.LITERAL} | 0 of 2 | 0 | 0 | 0.0 | " in table


def test_counts_of_strictly_new_tags_by_hand():
    questions = [Question("新甲在文中", tags=("新甲", "旧")), Question("别的", tags=("新乙", "新丙"))]
    removed = strict.Removed(frozenset({"新甲", "新乙", "新丙"}))
    answers = [["新甲", "旧", "胡说"], ["新乙", "旧"]]
    own = [Answer(["旧"], ["新甲", "旧"], ["旧"]), Answer([], ["新乙"], ["新乙", "新丙"])]
    found = strict.figures({"starter": answers}, own, questions, removed, lambda key: key != "旧")
    assert found["asked"] == {"pairs": 3, "in_text": 1, "in_title": 1}
    row = found["methods"]["starter"]
    assert (row["right"], row["right_in_text"], row["suggested"], row["precision"]) == (2, 1, 3, 2 / 3)
    assert found["anywhere"] == {"written": 2, "candidates": 2}


def test_strict_without_a_cache_folder_is_refused(capsys):
    with pytest.raises(SystemExit):
        quality.parse(["--data", "d", "--out", "o", "--strict"])
    assert "--strict needs --cache" in capsys.readouterr().err
