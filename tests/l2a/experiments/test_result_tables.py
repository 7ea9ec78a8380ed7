"""The tables and pictures of made-up runs: nothing is trained, so every figure is known."""

import pytest

from l2a.data.questions import Question
from l2a.experiments import study as study_module
from l2a.experiments.catalogue import EXPERIMENTS
from l2a.experiments.corpora import find_corpora
from l2a.experiments.report.folder import Folder
from l2a.experiments.study import Study
from l2a.experiments.training.methods import WORD
from l2a.experiments.training.scales import SCALES

PARTS = {
    "train": [Question("训练一", tags=("猫", "狗"), id="1"), Question("训练二", tags=("猫",), id="2")],
    "dev": [Question("开发", tags=("猫",), id="3")],
    "test": [Question("测试", tags=("狗",), id="4")],
    "test_open": [Question("新猫粮好吗", tags=("猫", "新猫粮"), id="5"), Question("开放", tags=("新狗",), id="6")],
}


@pytest.fixture
def trained(monkeypatch):
    """Says which runs were asked for; classifiers answer 猫, L2A-word answers right from seed 2 on."""
    asked = []

    def run_method(method, training):
        asked.append((training.corpus.name, method.slug, training.seed))
        is_right = method in WORD.values() and training.seed > 1
        parts = training.corpus.parts.items()
        answers = {part: [list(q.tags) if is_right else ["猫"] for q in questions] for part, questions in parts}
        facts = {"seconds": 1.0, "steps": 5, "best_epoch": 1, "weights": 9}
        return {"chosen": "all", "seed": training.seed, "answers": {"paper": answers, "chosen": answers}, **facts}

    monkeypatch.setattr(study_module, "run_method", run_method)
    return asked


@pytest.fixture
def study(write_questions, tmp_path):
    for corpus in ("zhihu", "weibo"):
        for part, questions in PARTS.items():
            write_questions(f"{corpus}/{part}", questions)
    corpora = find_corpora(tmp_path, tmp_path / "work")
    return Study(corpora, Folder(tmp_path / "out"), SCALES["tiny"], 1.0, seeds=3)


def make(study, name):
    experiment = EXPERIMENTS[name]
    result = experiment.make(study)
    study.folder.write_result(name, experiment.title, result)
    assert (study.folder.path / name / "picture.png").read_bytes().startswith(b"\x89PNG")
    return result


def test_main_needs_three_seeds_of_the_word_models_and_one_order_on_weibo(study, trained):
    make(study, "main")
    assert len(trained) == len(set(trained))
    assert {need[1:] for need in trained if need[0] == "weibo"} == {
        (slug, 1) for slug in ("cnn", "bilstm", "topical-attention", "label-random", "word-random")
    }
    zhihu = [need[1:] for need in trained if need[0] == "zhihu"]
    assert {seed for slug, seed in zhihu if slug == "word-order1"} == {1, 2, 3}
    assert {seed for slug, seed in zhihu if not slug.startswith("word")} == {1}
    asked = [(need.corpus.name, need.method.slug, need.seed) for need in EXPERIMENTS["main"].needs(study)]
    assert asked == trained  # the progress bar counts just what is trained


def test_main_shows_mean_and_spread(study, trained):
    text = make(study, "main").markdown
    # Dev is 猫, test is 狗: a classifier is right on dev; L2A-word is right on test with two seeds of three.
    assert "| CNN | 100.0 | 100.0 | 100.0 | 0.0 | 0.0 | 0.0 |" in text
    assert "| L2A-word, Order 1 | 100.0 | 100.0 | 100.0 (100.0 to 100.0) | 66.7 | 66.7 | 66.7 (0.0 to 100.0) |" in text
    assert "### weibo" in text


def test_unseen_counts_correct_new_tags_and_shows_examples(study, trained):
    result = make(study, "unseen")
    assert result.data["asked"] == 2
    rows = {row["slug"]: row for row in result.data["unseen"]}
    assert [seed["paper"]["open"]["new"]["correct"] for seed in rows["word-order2"]["seeds"]] == [0, 2, 2]
    assert "| 1.3 (0 to 2) |" in result.markdown
    # No seed-1 model wrote a new tag: the question whose new tag stands in its text comes first.
    assert [example["question"] for example in result.data["examples"]] == ["新猫粮好吗", "开放"]
    assert "| true tags | 猫, 新猫粮 (new) |" in result.markdown
    assert "| Topical Attention | **猫** |" in result.markdown
    assert all(need[0] == "zhihu" for need in trained)


def test_variants_are_compared_with_the_papers_own(study, trained):
    text = make(study, "positions").markdown
    assert "| local (the paper's) | 100.0 | 100.0 | 100.0 (100.0 to 100.0) |" in text
    assert "| global | 100.0 | 100.0 | 100.0 (100.0 to 100.0) | +0.0 |" in text
    make(study, "architecture")
    slugs = [slug for _, slug, _ in trained]
    assert slugs.count("word-order1") == 3  # trained once for both tables
    assert {slug for slug in slugs if slug.startswith("arch")} == {f"architecture-{x}" for x in ("l2l", "a2a", "a2l")}


def test_counts_of_the_data_by_hand(study):
    text = make(study, "dataset").markdown
    assert "| zhihu | 2 | 1 | 1 | 2 |" in text
    assert "| weibo | 2 | 1 | 1 | – |" in text
    # Five tags on four questions.
    assert study.folder.result("dataset")["dataset"]["zhihu"]["train, dev, test"]["tags_per_question"] == 5 / 4
    coverage = make(study, "coverage").data["coverage"]
    assert (coverage["zhihu, open test"]["tags_found"], coverage["zhihu, open test"]["tags"]) == (2, 3)
    assert "zhihu" in make(study, "frequency").markdown
