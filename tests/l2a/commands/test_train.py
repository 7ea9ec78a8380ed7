"""`python -m l2a train`: options, refusals, a model that can be used."""

import json

import pytest
import torch

from l2a.checkpoint import load_tagger
from l2a.cli import build_parser
from l2a.commands.train import spec_from
from l2a.config import preset


def spec_of(*arguments):
    return spec_from(build_parser().parse_args(["train", "--train", "t.jsonl", "--out", "run", *arguments]))


def test_trained_model_can_be_used(call, ten_path, tmp_path):
    folder = tmp_path / "run"
    code, out, err = call(
        "train", "--preset", "tiny", "--train", ten_path, "--out", folder, "--epochs", 1, "--quiet",
        "--set", "training.batch_size=5", "--set", "model.width=16", "--set", "decode.beam=3", "--storage", "float16",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert (found["steps"], found["finished"], found["model"]) == (2, True, str(folder / "best"))
    assert err.startswith("10 training, 0 pre-training, 0 replayed questions")
    tagger = load_tagger(folder / "best")
    assert (tagger.config.width, tagger.settings.beam) == (16, 3)
    assert tagger.details["training"]["batch_size"] == 5
    code, _, err = call("train", "--train", ten_path, "--out", folder, "--quiet")
    assert (code, "holds a run already" in err) == (2, True)


def test_time_limit_says_how_to_go_on(call, ten_path, tmp_path):
    folder = tmp_path / "run"
    options = ("--preset", "tiny", "--train", ten_path, "--epochs", 1, "--set", "training.batch_size=5", "--quiet")
    code, out, err = call("train", *options, "--out", folder, "--max-minutes", 0)
    assert (code, json.loads(out)["finished"]) == (0, False)
    assert err.endswith(f"The time was up. Go on with: python -m l2a train --resume {folder}\n")
    code, out, _ = call("train", "--resume", folder, "--quiet")
    assert (code, json.loads(out)["finished"], json.loads(out)["steps"]) == (0, True, 2)


def test_options_of_training_change_the_preset():
    spec = spec_of(
        "--preset", "small", "--order", "random", "--kind", "word", "--architecture", "a2l", "--positions", "global",
        "--copy", "--share-embeddings", "--epochs", "3", "--seed", "9", "--skip-bad", "--dev", "d.jsonl",
        "--tune-threshold",
    )  # fmt: skip
    base = preset("small")
    changes = {"encoder": "A", "decoder": "L", "positions": "global", "copy": True, "share_embeddings": True}
    assert spec.model.to_dict() == {**base.model.to_dict(), **changes}
    assert spec.training.to_dict() == {**base.training.to_dict(), "order": "random", "epochs": 3, "seed": 9}
    assert spec.decode == base.decode
    assert (spec.tune_threshold, spec.skip_bad, spec.storage) == (True, True, "float32")


def test_any_setting_can_be_given():
    settings = ["model.width=30", "model.heads=3", "training.schedule=linear", "training.learning_rate=1e-3"]
    settings += ["training.max_tags=null", "decode.max_tags=null", "decode.drop_repeats=false"]
    spec = spec_of(*(word for setting in settings for word in ("--set", setting)))
    assert (spec.model.width, spec.model.heads) == (30, 3)  # neither fits the other of the preset
    assert (spec.training.schedule, spec.training.learning_rate) == ("linear", 0.001)
    assert (spec.training.max_tags, spec.decode.max_tags, spec.decode.drop_repeats) == (None, None, False)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--vote-lists", "more.csv"], "--vote-lists needs --retrieve"),
        (["--replay", "old.jsonl"], "--replay needs --from: a new model has nothing that it could forget."),
        (["--tune-threshold"], "--tune-threshold needs --dev: the threshold is chosen on its questions."),
        (["--set", "decode.near_weight=0.2"], "decode.near_weight needs --retrieve: without it nothing but the "),
        (["--set", "model.depth=3"], "ModelConfig has no key 'depth'. Valid keys: kind, encoder, decoder, positions, "),
        (["--set", "training.lr=1"], "TrainingConfig has no key 'lr'. Valid keys: order, reshuffle, epochs, "),
        (["--set", "search.beam=1"], "--set search.beam=1: no group 'search'; valid: model, training, decode."),
        (["--set", "width=3"], "--set width=3: expected GROUP.KEY=VALUE, for example model.width=200."),
        (["--set", "model.copy=no"], "copy is 'no'; valid: true, false."),
        (["--set", "training.batch_size=2.5"], "batch_size is 2.5; it must be a whole number from 1 to "),
        (["--epochs", "0"], "epochs is 0; it must be a whole number from 1 to "),
        (["--order", "file"], "order is 'file'; valid: order1, order2, random, both."),
        (["--preset", "huge"], "no preset 'huge'; valid: paper, small, tiny."),
        (["--architecture", "L3A"], "architecture is 'L3A'; valid: L2A, L2L, A2A, A2L."),
        (["--words", "none.txt"], "none.txt: the word list cannot be read"),
        (["--vectors", "none.npz"], "none.npz: not a word vector file"),
    ],
)
def test_impossible_training_is_refused_before_it_begins(refusal, ten_path, tmp_path, arguments, complaint):
    message = refusal("train", "--train", ten_path, "--out", tmp_path / "run", "--quiet", *arguments)
    assert message.startswith(complaint)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("arguments", [[], ["--train", "t.jsonl"], ["--out", "run"]])
def test_training_needs_a_file_and_a_folder(refusal, arguments):
    assert refusal("train", *arguments) == "train needs --train FILE and --out FOLDER, or --resume FOLDER."


def test_resuming_nothing_is_refused(refusal, tmp_path):
    assert refusal("train", "--resume", tmp_path).startswith(f"{tmp_path}: no training run to resume")


def test_folder_that_cannot_be_written_is_refused(call, ten_path, tmp_path):
    (tmp_path / "file").write_text("x")
    code, out, err = call("train", "--preset", "tiny", "--train", ten_path, "--out", tmp_path / "file", "--quiet")
    assert (code, out) == (2, "")
    assert str(tmp_path / "file") in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "idle"),
    [
        (["--copy"], "--copy"),
        (["--architecture", "A2A"], "--architecture"),
        (["--retrieve", "tags.csv"], "--retrieve"),
        (["--retrieve", "tags.csv", "--vote-lists", "more.csv"], "--retrieve, --vote-lists"),
        (["--kind", "word"], "--kind"),
        (["--positions", "local"], "--positions"),
        (["--share-embeddings"], "--share-embeddings"),
        (["--words", "words.txt"], "--words"),
        (["--vectors", "vectors.npz"], "--vectors"),
        (["--set", "model.width=64"], "--set model.width=64"),
        (
            ["--copy", "--set", "training.clip_norm=2", "--set", "decode.beam=3"],
            "--copy, --set decode.beam=3",
        ),
    ],
)
def test_what_does_nothing_to_a_model_that_goes_on_is_refused(refusal, ten_path, tiny_model, tmp_path, arguments, idle):
    message = refusal(
        "train", "--from", tiny_model, "--train", ten_path, "--out", tmp_path / "run", "--quiet", *arguments
    )
    assert message == (
        f"--from keeps the model's shape, words and decode settings: {idle} would do nothing. Leave that out, or train "
        "a new model without --from."
    )
    assert not (tmp_path / "run").exists()


def test_a_run_that_goes_on_from_a_model_is_recorded_as_what_it_is(tiny_model):
    spec, before = spec_of("--from", str(tiny_model), "--epochs", "2"), load_tagger(tiny_model)
    assert (spec.model, spec.decode) == (before.config, before.settings)
    assert (spec.training.order, spec.training.epochs) == ("order2", 2)


@pytest.mark.parametrize(
    ("arguments", "idle"),
    [
        (["--epochs", "9"], "--epochs"),
        (["--preset", "small"], "--preset"),
        (["--storage", "float32"], "--storage"),
        (["--train", "t.jsonl", "--out", "run"], "--train, --out"),
        (["--from", "model", "--copy"], "--from, --copy"),
        (["--set", "training.epochs=9"], "--set"),
        (["--tune-threshold", "--skip-bad"], "--tune-threshold, --skip-bad"),
    ],
)
def test_what_does_nothing_to_a_run_that_goes_on_is_refused(refusal, tmp_path, arguments, idle):
    assert refusal("train", "--resume", tmp_path, *arguments) == (
        f"--resume goes on with the run's own data and settings: {idle} would do nothing. Leave that out, or begin "
        "another run with --train and --out."
    )


def test_a_run_goes_on_with_as_many_threads_as_it_was_begun_with(call, refusal, ten_path, tmp_path):
    folder = tmp_path / "run"
    options = ("--preset", "tiny", "--train", ten_path, "--epochs", 1, "--set", "training.batch_size=5", "--quiet")
    assert call("train", *options, "--out", folder, "--threads", 2, "--max-minutes", 0)[0] == 0
    torch.set_num_threads(1)
    assert "other data or settings (threads 2, now 1)" in refusal(
        "train", "--resume", folder, "--threads", 1, "--quiet"
    )
    code, out, _ = call("train", "--resume", folder, "--quiet")
    assert (code, json.loads(out)["finished"], torch.get_num_threads()) == (0, True, 2)


def test_a_model_goes_on_in_its_own_order_and_learns_new_words(call, write_file, ten_path, tiny_model, tmp_path):
    new = write_file({"title": "氦闪手册怎么读？", "tags": ["氦闪手册"], "rejected": ["电影"]}, name="new.jsonl")
    code, out, err = call(
        "train", "--from", tiny_model, "--replay", ten_path, "--train", new, "--out", tmp_path / "run", "--epochs", 1,
        "--quiet", "--preset", "tiny", "--set", "training.unlikelihood=1",
    )  # fmt: skip
    assert code == 0, err
    assert "3 words are new to its tags" in err
    assert "1 training, 0 pre-training, 10 replayed questions" in err
    assert load_tagger(json.loads(out)["model"]).order == "order2"
