"""The same settings are tried for every kind of method, on dev, and what won is what everything is trained with."""

from dataclasses import replace

import pytest

from l2a.experiments import study as study_module
from l2a.experiments.corpora import Corpora, Corpus, split
from l2a.experiments.report.folder import Folder
from l2a.experiments.results.main_tables import score_trials, settings_table
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import ARCHITECTURES, BILSTM, CNN, LABEL, POSITIONS, TOPICAL, WORD
from l2a.experiments.training.scales import SCALES, Setting

SLOW, FAST = Setting(0.001, 0.3), Setting(0.003, 0.1)


@pytest.fixture
def study(samples_path, tmp_path) -> Study:
    corpus = Corpus("samples", split(samples_path, tmp_path / "data"))
    scale = replace(SCALES["tiny"], tried=(SLOW, FAST))
    return Study(Corpora(corpus), Folder(tmp_path / "out"), scale, minutes=1.0, seeds=1)


@pytest.fixture
def trained(monkeypatch):
    """Runs that are made up: a trial answers dev rightly if its rate is 0.003, otherwise with nothing."""
    made = []

    def run_method(method, training):
        base = training.scale.base
        made.append((method.slug, base.training.learning_rate, base.model.dropout))
        is_right = base.training.learning_rate == 0.003
        answers = [list(tags) if is_right else [] for tags in training.corpus.gold("dev")]
        return {"method": method.name, "answers": {"paper": {"dev": []}, "chosen": {"dev": answers}}}

    monkeypatch.setattr(study_module, "run_method", run_method)
    return made


def test_what_dev_chose_is_what_the_method_is_trained_with(study, trained):
    study.run(Need(WORD["order2"], study.corpora.main, 2))
    assert trained == [
        ("word-order1-rate-0.001-dropout-0.3", 0.001, 0.3),
        ("word-order1-rate-0.003-dropout-0.1", 0.003, 0.1),
        ("word-order2", 0.003, 0.1),
    ]
    assert study.chosen_setting("word") == FAST


def test_a_setting_is_chosen_once_for_all_methods_of_a_kind(study, trained):
    for method in (WORD["order1"], POSITIONS["none"], ARCHITECTURES["A2L"]):
        study.run(Need(method, study.corpora.main, 1))
    assert [slug for slug, *_ in trained if "rate" not in slug] == [
        "word-order1",
        "positions-none",
        "architecture-a2l",
    ]
    assert len(trained) == 2 + 3


@pytest.mark.parametrize(
    ("method", "kind"), [(CNN, "cnn"), (BILSTM, "bilstm"), (TOPICAL, "topical"), (LABEL["random"], "label")]
)
def test_every_kind_of_method_gets_the_same_trials(study, method, kind):
    assert method.kind == kind
    assert [need.method.setting for need in study.trials(kind)] == [SLOW, FAST]
    assert {need.corpus.name for need in study.trials(kind)} == {"samples"}


def test_of_equal_settings_the_first_is_taken(study, trained, monkeypatch):
    monkeypatch.setattr(study, "scale", replace(study.scale, tried=(SLOW, replace(SLOW, dropout=0.1))))
    assert study.chosen_setting("word") == SLOW


def test_nothing_is_tried_where_a_scale_says_so(study, trained, monkeypatch):
    monkeypatch.setattr(study, "scale", SCALES["paper"])
    assert study.trials("word") == []
    study.run(Need(WORD["order1"], study.corpora.main, 1))
    assert [slug for slug, *_ in trained] == ["word-order1"]


def test_main_shows_what_was_tried_and_what_was_chosen(study, trained):
    tried = score_trials(study)
    assert [row["method"] for row in tried] == [
        "CNN",
        "BiLSTM",
        "Topical Attention",
        "L2A-label, Order 1",
        "L2A-word, Order 1",
    ]
    assert tried[0] == {"method": "CNN", "dev_f1": {str(SLOW): 0.0, str(FAST): 1.0}, "chosen": str(FAST)}
    text = settings_table(tried)
    assert "| method | rate 0.001, dropout 0.3 | rate 0.003, dropout 0.1 |" in text
    assert "| CNN | 0.0 | **100.0** |" in text


def test_a_trial_answers_dev_only(samples_path, tmp_path):
    """A real one: test questions are not even looked at while settings are being chosen."""
    corpus = Corpus("samples", split(samples_path, tmp_path / "data"))
    scale = replace(SCALES["tiny"], tried=(FAST,))
    study = Study(Corpora(corpus), Folder(tmp_path / "out"), scale, minutes=0.01, seeds=1)
    (trial,) = study.trials("cnn")
    assert {rule: list(parts) for rule, parts in study.run(trial)["answers"].items()} == {
        "paper": ["dev"],
        "chosen": ["dev"],
    }


def test_dev_chooses_a_setting_from_the_command_line_too(call, samples_path, tmp_path, monkeypatch):
    monkeypatch.setitem(SCALES, "tiny", replace(SCALES["tiny"], tried=(SLOW, FAST)))
    code, _, err = call(
        "nbest",
        "--data",
        samples_path.parent,
        "--preset",
        "tiny",
        "--seeds",
        1,
        "--out",
        tmp_path,
        "--max-minutes",
        0.01,
    )
    assert code == 0, err
    assert sorted(path.name for path in (tmp_path / "parts" / "runs" / "samples").iterdir()) == [
        "word-order1-rate-0.001-dropout-0.3-seed-1.json",
        "word-order1-rate-0.003-dropout-0.1-seed-1.json",
        "word-order1-seed-1.json",
    ]
