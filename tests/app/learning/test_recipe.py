"""From what was asked for to a training run."""

from pathlib import Path

import pytest

from app.learning.recipe import Options, spec_for
from l2a.checkpoint import load_tagger, read_config, save_tagger
from l2a.errors import SettingsError
from l2a.training.optimiser import Optimiser


def rate_of(spec, tagger) -> float:
    """At the peak."""
    optimiser = Optimiser(tagger.model, spec.training, total_steps=100, fine_tune_from=0)
    return max(map(optimiser.learning_rate, range(100)))


def test_the_rate_is_gentle_and_the_same_in_every_generation(tiny_model, tmp_path):
    first = read_config(tiny_model)["training"]["learning_rate"]
    tagger = load_tagger(tiny_model)
    model = tiny_model
    for generation in range(3):
        spec = spec_for(Options(), model, Path("train.jsonl"), 100)
        assert rate_of(spec, tagger) == pytest.approx(0.3 * first)
        tagger.details = {**tagger.details, "training": spec.training.to_dict()}  # as a training run leaves it
        model = tmp_path / str(generation)
        save_tagger(tagger, model)


@pytest.mark.parametrize(("questions", "epochs"), [(1, 30), (100, 30), (320, 10), (5000, 4)])
def test_few_decisions_are_read_more_often(tiny_model, questions, epochs):
    assert spec_for(Options(), tiny_model, Path("train.jsonl"), questions).training.epochs == epochs
    assert spec_for(Options(epochs=7), tiny_model, Path("train.jsonl"), questions).training.epochs == 7


def test_from_the_live_model_or_from_its_shape_alone(tiny_model):
    gentle = spec_for(Options(replay=("old.jsonl",)), tiny_model, Path("train.jsonl"), 10)
    assert (gentle.start, gentle.replay, gentle.pretrain) == (str(tiny_model), ("old.jsonl",), ())
    scratch = spec_for(Options(mode="scratch", replay=("old.jsonl",)), tiny_model, Path("train.jsonl"), 10)
    assert (scratch.start, scratch.replay, scratch.pretrain) == (None, (), ("old.jsonl",))
    assert (gentle.ranker_of, scratch.ranker_of) == (None, str(tiny_model))
    assert scratch.model == gentle.model == load_tagger(tiny_model).config
    assert (gentle.training.fine_tune_rate, scratch.training.fine_tune_rate) == (0.3, 1.0)
    assert gentle.training.order == scratch.training.order == "order2"


@pytest.mark.parametrize("wrong", [{"mode": "other"}, {"minutes": 0.0}, {"minutes": 1e9}, {"minutes": float("nan")}])
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Options(**wrong)


def test_options_survive_being_stored():
    asked = Options(mode="scratch", minutes=5.0, epochs=3, replay=("a", "b"), seed=9)
    assert Options.from_dict(asked.to_dict()) == asked
