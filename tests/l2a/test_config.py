"""Settings: ranges, unknown keys, presets, and what the refusals say."""

from dataclasses import FrozenInstanceError, fields

import pytest

from l2a.config import MAX_BEAM, PRESETS, DecodeSettings, ModelConfig, TrainingConfig, preset
from l2a.errors import SettingsError


@pytest.mark.parametrize("config", [ModelConfig, DecodeSettings, TrainingConfig])
def test_unknown_key_is_refused_with_the_list_of_valid_ones(config):
    with pytest.raises(SettingsError) as refusal:
        config.from_dict({"widht": 3, "beem": 4})
    valid = ", ".join(field.name for field in fields(config))
    assert str(refusal.value) == f"{config.__name__} has no key 'beem', 'widht'. Valid keys: {valid}."


@pytest.mark.parametrize("name", PRESETS)
def test_config_survives_the_way_to_a_dictionary_and_back(name):
    for config in vars(preset(name)).values():
        assert type(config).from_dict(config.to_dict()) == config


def test_config_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        ModelConfig().width = 4


@pytest.mark.parametrize(
    ("config", "key", "low", "high"),
    [
        (ModelConfig, "encoder_layers", 1, 1_000_000),
        (ModelConfig, "target_vocabulary", 6, 10_000_000),
        (ModelConfig, "min_source_count", 1, 10**9),
        (ModelConfig, "dropout", 0.0, 0.9),
        (DecodeSettings, "beam", 1, MAX_BEAM),
        (DecodeSettings, "threshold", 0.0, 1.0),
        (DecodeSettings, "max_steps", 1, 1000),
        (DecodeSettings, "max_tags", 1, 1000),
        (TrainingConfig, "epochs", 1, 10**9),
        (TrainingConfig, "pretrain_epochs", 0, 10**6),
        (TrainingConfig, "dev_beam", 1, MAX_BEAM),
        (TrainingConfig, "learning_rate", 1e-9, 10.0),
        (TrainingConfig, "label_smoothing", 0.0, 0.9),
        (TrainingConfig, "seed", 0, 10**9),
        (TrainingConfig, "max_tags", 1, 1000),
    ],
)
def test_number_outside_its_range_is_refused_and_the_ends_are_allowed(config, key, low, high):
    for value in (low, high):
        assert getattr(config(**{key: value}), key) == value
    kind = "whole number" if isinstance(low, int) else "number"
    for value in (low - 1, high + 1, float("nan"), "3", True):
        with pytest.raises(SettingsError) as refusal:
            config(**{key: value})
        assert str(refusal.value) == f"{key} is {value!r}; it must be a {kind} from {low} to {high}."


@pytest.mark.parametrize(
    ("config", "key"), [(DecodeSettings, "beam"), (ModelConfig, "decoder_layers"), (TrainingConfig, "batch_size")]
)
def test_half_of_something_countable_is_refused(config, key):
    with pytest.raises(SettingsError, match=rf"^{key} is 2\.5; it must be a whole number from 1 to "):
        config(**{key: 2.5})


@pytest.mark.parametrize(
    ("config", "key", "valid"),
    [
        (ModelConfig, "kind", "word, label"),
        (ModelConfig, "encoder", "L, A"),
        (ModelConfig, "decoder", "L, A"),
        (ModelConfig, "positions", "local, global, none"),
        (ModelConfig, "copy", "true, false"),
        (ModelConfig, "share_embeddings", "true, false"),
        (DecodeSettings, "drop_repeats", "true, false"),
        (TrainingConfig, "order", "order1, order2, random, both"),
        (TrainingConfig, "schedule", "inverse-sqrt, linear"),
        (TrainingConfig, "reshuffle", "true, false"),
    ],
)
def test_word_that_is_no_choice_is_refused_with_the_choices(config, key, valid):
    with pytest.raises(SettingsError) as refusal:
        config(**{key: "no"})
    assert str(refusal.value) == f"{key} is 'no'; valid: {valid}."


@pytest.mark.parametrize(("width", "heads"), [(30, 4), (9, 3)])
def test_width_must_be_even_and_a_multiple_of_the_heads(width, heads):
    with pytest.raises(SettingsError, match=rf"^width is {width}; it must be even and a multiple of heads \({heads}\)"):
        ModelConfig(width=width, heads=heads)


@pytest.mark.parametrize("switch", ["copy", "share_embeddings"])
def test_label_model_takes_nothing_that_needs_target_words(switch):
    with pytest.raises(SettingsError, match="kind 'label' has none"):
        ModelConfig(kind="label", **{switch: True})


def test_paper_preset_is_the_paper_and_nothing_beyond_it():
    paper = preset("paper")
    assert (paper.model.width, paper.model.heads, paper.model.feed_forward) == (512, 8, 2048)
    assert (paper.model.source_vocabulary, paper.model.target_vocabulary) == (80_000, 18_966)
    assert (paper.model.kind, paper.model.encoder, paper.model.decoder) == ("word", "L", "A")
    assert paper.model.positions == "local"
    assert not paper.model.copy
    assert not paper.model.share_embeddings
    assert (paper.decode.beam, paper.decode.threshold) == (48, 0.25)
    assert paper.decode.max_tags is None
    assert paper.training.max_tags is None
    assert not paper.decode.drop_repeats


def test_practical_presets_stay_within_the_task_and_are_smaller_than_the_paper():
    assert list(PRESETS) == ["paper", "small", "tiny"]
    for name in ("small", "tiny"):
        chosen = preset(name)
        assert chosen.model.width < preset("paper").model.width
        assert (chosen.decode.max_tags, chosen.decode.drop_repeats) == (5, True)


def test_unknown_preset_is_refused_with_the_valid_ones():
    with pytest.raises(SettingsError, match=r"^no preset 'huge'; valid: paper, small, tiny\.$"):
        preset("huge")
