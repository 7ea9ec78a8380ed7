"""The time a run has, and which of its weights are kept."""

from dataclasses import replace

import pytest
import torch

from l2a.checkpoint import load_tagger
from l2a.experiments.corpora import Corpus, split
from l2a.experiments.training import runs
from l2a.experiments.training.methods import LABEL, WORD
from l2a.experiments.training.runs import Training, l2a_preset, train_l2a
from l2a.experiments.training.scales import CLOCK, SCALES
from l2a.training.loop import Trainer, TrainingResult

TINY = SCALES["tiny"]


@pytest.fixture(scope="module")
def corpus(samples_path, tmp_path_factory) -> Corpus:
    return Corpus("samples", split(samples_path, tmp_path_factory.mktemp("parts")))


def training_of(corpus, folder, **changes) -> Training:
    return Training(
        **{"corpus": corpus, "scale": TINY, "minutes": 2.0, "seed": 1, "folder": folder, "quiet": True} | changes
    )


@pytest.mark.parametrize(("done", "left"), [(None, 120.0), (30.0, 90.0), (150.0, 0.0)])
def test_a_stopped_run_goes_on_with_what_is_left_of_its_time(monkeypatch, corpus, tmp_path, done, left):
    heard = []

    def run(trainer):
        heard.append((trainer.max_seconds, trainer.clock, trainer.training.order))
        trainer.place.seconds += 1.0
        trainer._save_state()
        return TrainingResult(1, 0.5, 10, 60.0, True)

    monkeypatch.setattr(Trainer, "run", run)
    training = training_of(corpus, tmp_path)
    train_l2a(WORD["order2"], training)
    if done is not None:
        state = torch.load(tmp_path / "state.pt", weights_only=True)
        state["place"]["seconds"] = done
        torch.save(state, tmp_path / "state.pt")
        train_l2a(WORD["order2"], training)
    assert heard[-1] == (left, CLOCK, "order2")


def test_a_method_changes_its_own_settings_only():
    label, word = (l2a_preset(method["random"], TINY, seed=3) for method in (LABEL, WORD))
    assert (label.model.kind, word.model.kind) == ("label", "word")
    assert (label.training.order, label.training.seed) == ("random", 3)
    assert replace(label.model, kind="word", target_vocabulary=word.model.target_vocabulary) == word.model
    assert (label.training, label.decode) == (word.training, word.decode)
    assert word.decode.threshold == 0.25


def test_an_epoch_that_the_clock_cut_short_is_judged_too(corpus, tmp_path):
    scale = replace(TINY, base=replace(TINY.base, training=replace(TINY.base.training, epochs=1)))
    training = training_of(corpus, tmp_path, scale=scale)
    result = train_l2a(WORD["order1"], training)
    assert result.finished
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    name = next(iter(state["model"]))
    state["model"][name] += 1.0
    torch.save(state, tmp_path / "state.pt")

    def kept() -> torch.Tensor:
        return load_tagger(tmp_path / "best").model.state_dict()[name]

    before = kept()
    runs._judge_last_weights(tmp_path, training, replace(result, best_f1=1.0))
    torch.testing.assert_close(kept(), before)
    runs._judge_last_weights(tmp_path, training, replace(result, best_f1=0.0))  # nothing was right: longer is better
    torch.testing.assert_close(kept(), before + 1.0, atol=1e-2, rtol=1e-2)
    runs._forget_training(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["best", "curves.png", "log.jsonl", "run.json"]
