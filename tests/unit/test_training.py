"""Training: it learns, it can be stopped anywhere, and several processes train one model."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from l2a import run, training
from l2a.checkpoint import load_tagger
from l2a.codec import pad_sources, pad_targets
from l2a.data import read_questions
from l2a.dataset import target_sequences
from l2a.distributed import Workers
from l2a.errors import InputError
from l2a.evaluation import evaluate
from l2a.run import RunSpec, prepare, train_run
from l2a.text import Segmenter
from l2a.training import Trainer, tune_threshold
from tests.conftest import tiny_spec

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True, scope="module")
def _one_segmenter():
    """Every run builds a segmenter, and each reads the dictionary for a second: let them share one."""
    shared = Segmenter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "Segmenter", lambda words=(): Segmenter(words) if words else shared)
        yield


@pytest.fixture(autouse=True)
def _no_curves(monkeypatch):
    """Half a second a run; the run of the module's own fixture draws them."""
    monkeypatch.setattr(training, "draw_curves", lambda folder: None)


@pytest.fixture(scope="module")
def few_path(samples_path, tmp_path_factory):
    """The first 24 samples: three steps of eight an epoch."""
    return write_lines(tmp_path_factory.mktemp("few") / "few.jsonl", samples_path, 24)


def write_lines(path, source, count):
    lines = Path(source).read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:count]), encoding="utf-8")
    return path


@pytest.fixture
def few(few_path):
    """A run of 4 epochs, 12 steps in all, with a dev set of the same questions."""

    def spec(*, dev=False, pretrain=False, **changes):
        changes = {"batch_size": 8, "epochs": 4, "dev_beam": 2, **changes}
        files = {"train": (str(few_path),), "dev": (str(few_path),) if dev else ()}
        return replace(tiny_spec(**changes), **files, pretrain=(str(few_path),) if pretrain else ())

    return spec


def train(spec, folder, **options):
    return train_run(spec, folder, quiet=True, say=lambda _: None, **options)


def read_log(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def weights_of(folder):
    return load_tagger(folder).model.state_dict()


def state_of(folder):
    return torch.load(folder / "state.pt", weights_only=True)


def assert_same_weights(found, wanted):
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert torch.equal(found[name], wanted[name]), name


def moments_of(optimiser):
    """What an optimiser remembers of each weight, as one dictionary of tensors."""
    return {
        f"{weight} {name}": torch.as_tensor(value)
        for weight, values in optimiser["state"].items()
        for name, value in values.items()
    }


def assert_same_run(found, wanted):
    """Bit for bit: the best model, the last weights, the optimiser, the place but for its clock, and the log."""
    assert_same_weights(weights_of(found / "best"), weights_of(wanted / "best"))
    ours, theirs = state_of(found), state_of(wanted)
    assert_same_weights(ours["model"], theirs["model"])
    for state in (ours, theirs):
        del state["place"]["seconds"]
    assert ours["place"] == theirs["place"]
    assert ours["place"]["step"] > 0
    for mine, other in zip(ours["optimiser"], theirs["optimiser"], strict=True):
        assert mine["param_groups"] == other["param_groups"]
        assert_same_weights(moments_of(mine), moments_of(other))
    clocks = ("seconds", "dev_seconds", "time")
    logs = [[{k: v for k, v in e.items() if k not in clocks} for e in read_log(f)] for f in (found, wanted)]
    assert logs[0] == logs[1]


# Learning


def test_loss_falls_on_the_samples(samples_path, tmp_path):
    result = train(replace(tiny_spec(epochs=4), dev=()), tmp_path)
    losses = [entry["train_loss"] for entry in read_log(tmp_path) if "train_loss" in entry]
    assert len(losses) == 4
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.7 * losses[0]
    assert result.steps == 4 * 9  # 140 questions, 16 a step
    assert result.finished


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"copy": True, "share_embeddings": True},
        {"kind": "label", "encoder": "A", "decoder": "L"},
    ],
    ids=["word", "copy", "label A2L"],
)
def test_tiny_model_learns_a_few_questions_by_heart(samples_path, tmp_path, monkeypatch, changes):
    path = write_lines(tmp_path / "six.jsonl", samples_path, 6)
    spec = replace(tiny_spec(epochs=80, batch_size=6, **changes), train=(str(path),), dev=())
    monkeypatch.setattr(training, "save_tagger", lambda *args, **options: None)  # eighty times would take longest
    monkeypatch.setattr(Trainer, "_save_state", lambda self: None)
    trainer, _ = prepare(spec, tmp_path / "run", Workers(), quiet=True)
    trainer.run()
    questions = list(read_questions(path))
    for question, answer in zip(questions, trainer.tagger.suggest(questions, beam=1), strict=True):
        assert sorted(suggestion.tag for suggestion in answer.kept) == sorted(question.tags)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_is_the_label_smoothed_cross_entropy(few, tmp_path, smoothing):
    """Against torch's own, which spreads the smoothing over all classes, as Vaswani et al. do."""
    trainer, _ = prepare(few(label_smoothing=smoothing), tmp_path, Workers(), quiet=True)
    batch = trainer.data.train[:5]
    targets = list(target_sequences(batch, trainer.tagger.codec, trainer.training, trainer.data.frequencies, 0))
    found = trainer._loss_sum(batch, targets).item()

    model = trainer.tagger.model
    inputs, wanted = pad_targets(targets)
    hidden, _ = model.decode(inputs, model.encode(pad_sources([example.source for example in batch])))
    logits = model.output(hidden)
    expected = F.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=0, label_smoothing=smoothing, reduction="sum"
    ).item()
    assert found == pytest.approx(expected, rel=1e-5)


def test_label_smoothing_by_hand(few, tmp_path):
    """Two target words, uniform over 50 words but for one logit: the loss written out."""
    trainer, _ = prepare(few(label_smoothing=0.2), tmp_path, Workers(), quiet=True)
    model, example = trainer.tagger.model, trainer.data.train[0]
    with torch.no_grad():
        model.output.weight.zero_()
        model.output.bias.zero_()
        model.output.bias[7] = 2.0
    size = len(trainer.data.target)
    total = torch.log(torch.tensor(size - 1 + 2.718281828459045**2)).item()  # of exp(0) * (size - 1) + exp(2)
    mean = 2.0 / size - total
    # The first word is number 7, the second is the end symbol, number 2.
    expected = -(0.8 * (2.0 - total) + 0.2 * mean) - (0.8 * (0.0 - total) + 0.2 * mean)
    assert trainer._loss_sum([example], [[7, 2]]).item() == pytest.approx(expected, rel=1e-5)


def test_pre_training_comes_first_with_copies_of_the_training_questions(few, tmp_path):
    spec = few(pretrain=True, epochs=1, pretrain_epochs=2, train_copies=2, fine_tune_rate=0.5)
    trainer, notes = prepare(spec, tmp_path, Workers(), quiet=True)
    assert [len(trainer._examples(epoch)) for epoch in range(trainer.epochs)] == [72, 72, 24]
    assert (trainer.optimiser.total_steps, trainer.optimiser.fine_tune_from) == (9 + 9 + 3, 18)
    assert any("24 training and 24 pre-training questions" in note for note in notes)


def test_pre_training_epochs_mean_nothing_without_such_questions(few, tmp_path):
    trainer, _ = prepare(few(epochs=2, pretrain_epochs=3), tmp_path, Workers(), quiet=True)
    assert trainer.epochs == 2


# What a run leaves


@pytest.fixture(scope="module")
def finished(few_path, tmp_path_factory):
    """A whole run of four epochs with a dev set and dropout; 3 steps an epoch, logged every second step."""
    folder = tmp_path_factory.mktemp("finished")
    spec = replace(
        tiny_spec(batch_size=8, epochs=4, dev_beam=2, dropout=0.2),
        train=(str(few_path),),
        dev=(str(write_lines(folder.with_name("dev.jsonl"), few_path, 6)),),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "LOG_EVERY", 2)
        train(spec, folder)
    return spec, folder


def test_log_has_steps_and_epochs(finished):
    log = read_log(finished[1])
    steps = [entry for entry in log if "loss" in entry]
    epochs = [entry for entry in log if "train_loss" in entry]
    assert [entry["step"] for entry in steps] == [2, 4, 6, 8, 10, 12]
    assert [(entry["epoch"], entry["step"]) for entry in epochs] == [(1, 3), (2, 6), (3, 9), (4, 12)]
    for entry in steps:
        assert entry["loss"] > 0
        assert entry["learning_rate"] > 0
    for entry in epochs:
        assert 0 <= entry["dev_f1"] <= 1
        assert {"dev_precision", "dev_recall", "dev_f1_best_hypothesis", "dev_f1_best_threshold"} <= entry.keys()


def test_curves_are_a_picture(finished):
    assert (finished[1] / "curves.png").read_bytes().startswith(PNG)


def test_only_the_last_three_epochs_are_kept(finished):
    kept = sorted(path.name for path in finished[1].glob("epoch-*"))
    assert kept == ["epoch-002", "epoch-003", "epoch-004"]
    assert load_tagger(finished[1] / "epoch-004").details["metrics"]["epoch"] == 4


def test_best_is_the_epoch_with_the_best_dev_score(finished):
    _, folder = finished
    scores = {entry["epoch"]: entry["dev_f1"] for entry in read_log(folder) if "dev_f1" in entry}
    # Of equal ones the first, but of those that got nothing right the last.
    best = max(scores, key=lambda epoch: (scores[epoch], -epoch if scores[epoch] else epoch))
    metrics = load_tagger(folder / "best").details["metrics"]
    assert metrics["epoch"] == best
    assert metrics["dev"]["voted"]["f1"] == scores[best]


def test_model_says_how_it_was_trained(finished, few_path):
    spec, folder = finished
    tagger = load_tagger(folder / "best")
    assert tagger.details["training"] == spec.training.to_dict()
    assert tagger.details["data"] == {"train": 24, "pretrain": 0, "dev": 6}
    assert RunSpec.load(folder) == spec


def test_same_spec_gives_the_same_weights(finished, tmp_path, monkeypatch):
    spec, folder = finished
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    train(spec, tmp_path)
    assert_same_run(tmp_path, folder)


def test_other_seed_gives_other_weights(few, tmp_path):
    for seed in (1, 2):
        train(few(epochs=1, seed=seed), tmp_path / str(seed))
    assert load_tagger(tmp_path / "1" / "best").version != load_tagger(tmp_path / "2" / "best").version


def script_dev_scores(monkeypatch, *scores: float) -> None:
    """Each epoch's dev F1 is the next of `scores`."""
    coming, real = iter(scores), training.evaluate

    def scripted(tagger, questions, **options):
        found = real(tagger, questions[:1], beam=1, quiet=True)
        return replace(found, voted=replace(found.voted, f1=next(coming)))

    monkeypatch.setattr(training, "evaluate", scripted)


def test_patience_begins_with_the_first_right_tag(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.1)
    result = train(few(dev=True, epochs=20, patience=2), tmp_path)
    assert (result.best_epoch, result.best_f1) == (5, 0.2)
    assert result.steps == 7 * 3


def test_training_stops_when_dev_has_not_become_better_for_a_while(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.3, 0.5, 0.4, 0.5, 0.2, 0.9)  # equal is not better
    result = train(few(dev=True, epochs=20, patience=3), tmp_path)
    assert (result.best_epoch, result.best_f1, result.steps) == (2, 0.5, 15)
    assert result.finished
    assert load_tagger(tmp_path / "best").details["metrics"]["epoch"] == 2


def test_patience_does_not_run_out_in_pre_training(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.5, 0.4, 0.3, 0.2, 0.1)
    result = train(few(dev=True, pretrain=True, pretrain_epochs=3, epochs=20, patience=2), tmp_path)
    assert result.best_epoch == 1
    assert result.steps == 3 * 6 + 2 * 3


def test_tuned_threshold_is_stored_with_its_scores(few, tmp_path):
    train(replace(few(dev=True), tune_threshold=True), tmp_path)
    tuned, plain = load_tagger(tmp_path / "best"), load_tagger(tmp_path / "epoch-004")
    dev = list(read_questions(few().train[0]))
    found = evaluate(plain if tuned.details["metrics"]["epoch"] == 4 else tuned, dev, quiet=True)
    assert tuned.settings.threshold == found.best_threshold
    stored = tuned.details["metrics"]["dev"]
    assert stored["threshold"] == found.best_threshold
    assert stored["voted"]["f1"] == pytest.approx(found.best_threshold_score.f1)
    assert tuned.settings == replace(plain.settings, threshold=found.best_threshold)


def test_tuning_never_lowers_the_score_on_dev(tiny_model, samples_path):
    tagger = load_tagger(tiny_model)
    dev = list(read_questions(samples_path))[:40]
    before = evaluate(tagger, dev, quiet=True)
    after = tune_threshold(tagger, dev, quiet=True)
    assert after.voted.f1 == pytest.approx(before.best_threshold_score.f1)
    assert after.voted.f1 >= before.voted.f1


# Stopping and going on


class PowerCut(Exception):
    pass


def cut_power_after(monkeypatch, steps):
    """An exception in the middle of the given steps (counted from one, over all sessions)."""
    real, done = Trainer._train_batch, []

    def train_batch(self, batch):
        done.append(batch)
        if len(done) in steps:
            raise PowerCut
        return real(self, batch)

    monkeypatch.setattr(Trainer, "_train_batch", train_batch)


@pytest.mark.parametrize("save_every", [0.0, 1e9], ids=["saved each step", "saved each epoch"])
def test_run_that_broke_twice_ends_as_an_unbroken_one(finished, tmp_path, monkeypatch, save_every):
    """Broken in the second step of an epoch and in the first; dropout and dev scores included."""
    spec, folder = finished
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    with monkeypatch.context() as patch:
        cut_power_after(patch, steps=(5, 10))
        for session in range(2):
            with pytest.raises(PowerCut):
                train(spec, tmp_path, resume=session > 0, save_every_seconds=save_every)
        result = train(spec, tmp_path, resume=True, save_every_seconds=save_every)
    assert result.finished
    assert_same_run(tmp_path, folder)


@pytest.mark.parametrize(
    ("owner", "name", "call"),
    [
        (training, "evaluate", 2),
        (training, "save_tagger", 3),  # two an epoch: its own checkpoint and the best one
        (training, "save_tagger", 4),
        (Trainer, "_save_state", 8),  # three steps and the end of the epoch, whose score is in the log by then
    ],
    ids=["before the score", "before the checkpoint", "before the best", "before the state"],
)
def test_run_that_broke_at_the_end_of_an_epoch_ends_as_an_unbroken_one(
    finished, tmp_path, monkeypatch, owner, name, call
):
    """The state of the epoch's last step is on disk, what comes after it may or may not be."""
    spec, folder = finished
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    real, calls = getattr(owner, name), []

    def breaking(*args, **options):
        calls.append(args)
        if len(calls) == call:
            raise PowerCut
        return real(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, breaking)
        with pytest.raises(PowerCut):
            train(spec, tmp_path, save_every_seconds=0.0)
    train(spec, tmp_path, resume=True)
    assert_same_run(tmp_path, folder)


def test_run_that_ran_out_of_time_again_and_again_ends_as_an_unbroken_one(finished, tmp_path, monkeypatch):
    spec, folder = finished
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    sessions = 0
    while not train(spec, tmp_path, resume=sessions > 0, max_minutes=0.0).finished:
        sessions += 1
        assert state_of(tmp_path)["place"]["step"] == sessions  # no time at all is one step
    assert sessions == 12
    assert_same_run(tmp_path, folder)


def test_time_limit_counts_the_session_not_the_run(few, tmp_path):
    trainer, _ = prepare(few(), tmp_path, Workers(), max_minutes=5.0, quiet=True)
    trainer.place.seconds = 3600.0  # of earlier sessions
    assert trainer.run().finished


def test_run_that_broke_before_anything_was_saved_starts_its_log_again(few, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "LOG_EVERY", 1)
    with monkeypatch.context() as patch:
        cut_power_after(patch, steps=(3,))
        with pytest.raises(PowerCut):
            train(few(), tmp_path)
    assert [entry["step"] for entry in read_log(tmp_path)] == [1, 2]
    train(few(), tmp_path, resume=True)
    assert [entry["step"] for entry in read_log(tmp_path) if "loss" in entry] == list(range(1, 13))


def test_finished_run_resumed_stays_as_it_is(few, tmp_path):
    train(few(), tmp_path)
    version, log = load_tagger(tmp_path / "best").version, read_log(tmp_path)
    result = train(few(), tmp_path, resume=True)
    assert result.finished
    assert result.steps == 12
    assert (load_tagger(tmp_path / "best").version, read_log(tmp_path)) == (version, log)


@pytest.fixture(scope="module")
def stopped(few_path, tmp_path_factory):
    """A run that stopped after one step."""
    folder = tmp_path_factory.mktemp("stopped")
    spec = replace(tiny_spec(batch_size=8, epochs=4), train=(str(few_path),), dev=())
    train(spec, folder, max_minutes=0.0)
    return spec, folder


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"seed": 2}, "training"), ({"learning_rate": 0.1}, "training"), ({"width": 64}, "model")],
)
def test_resuming_with_other_settings_is_refused(stopped, changes, named):
    spec, folder = stopped
    groups = {
        group: replace(getattr(spec, group), **{k: v for k, v in changes.items() if hasattr(getattr(spec, group), k)})
        for group in ("model", "training")
    }
    with pytest.raises(InputError) as refusal:
        train(replace(spec, **groups), folder, resume=True)
    assert str(refusal.value) == (
        f"{folder / 'state.pt'}: the run was started with other data or settings ({named}). Resume with the same ones, "
        "or train into a new folder."
    )
    assert RunSpec.load(folder) == spec


def test_resuming_with_fewer_questions_is_refused(stopped, samples_path, tmp_path):
    spec, folder = stopped
    path = write_lines(tmp_path / "fewer.jsonl", samples_path, 20)
    with pytest.raises(InputError, match=r"other data or settings \(.*train.*\)"):
        train(replace(spec, train=(str(path),)), folder, resume=True)


def test_resuming_with_as_many_other_questions_is_refused(stopped, few_path, tmp_path):
    spec, folder = stopped
    lines = few_path.read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "swapped.jsonl"
    path.write_text("".join([lines[1], lines[0], *lines[2:]]), encoding="utf-8")
    with pytest.raises(InputError, match=r"other data or settings \(words\)"):
        train(replace(spec, train=(str(path),)), folder, resume=True)


def test_starting_again_in_a_used_folder_is_refused(stopped):
    spec, folder = stopped
    with pytest.raises(InputError, match=r"holds a run already\. Pass --resume .* to go on, or choose another folder"):
        train(spec, folder)


def test_resuming_where_no_run_is_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no training run to resume .*Start one with --train and --out"):
        RunSpec.load(tmp_path)


@pytest.mark.parametrize("damage", [b"", b"not a state", None], ids=["empty", "garbage", "cut off"])
def test_damaged_state_is_refused(stopped, tmp_path, damage):
    spec, folder = stopped
    content = (folder / "state.pt").read_bytes()
    (tmp_path / "state.pt").write_bytes(content[: len(content) // 2] if damage is None else damage)
    with pytest.raises(InputError, match=r"state\.pt: the saved state is damaged .*Train into a new folder"):
        train(spec, tmp_path, resume=True)


def test_failed_save_leaves_the_state_before(few, tmp_path, monkeypatch):
    train(few(), tmp_path, max_minutes=0.0)
    before = (tmp_path / "state.pt").read_bytes()
    real = torch.save

    def half(state, stream):
        real(state, stream)
        stream.truncate(100)
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", half)
        with pytest.raises(OSError, match="no space"):
            train(few(), tmp_path, resume=True, save_every_seconds=0.0)
    assert (tmp_path / "state.pt").read_bytes() == before


# Real processes


def start(*arguments, launcher=()):
    command = [sys.executable, *launcher, "-m", "l2a", "train", "--quiet", "--threads", "1", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process):
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return out


def test_killed_run_resumed_from_the_command_line_ends_as_an_unbroken_one(few_path, tmp_path):
    settings = {"batch_size": 1, "epochs": 3, "order": "order2"}  # 24 steps an epoch, the first log line after 20
    options = ["--preset", "tiny", "--train", few_path, "--order", "order2", "--epochs", 3]
    options += ["--set", "training.batch_size=1", "--set", "model.dropout=0.1", "--save-every", 0]
    process = start(*options, "--out", tmp_path / "killed")
    try:
        while not (tmp_path / "killed" / "log.jsonl").exists():
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    place = state_of(tmp_path / "killed")["place"]
    assert 0 < place["step"] < 72

    out = json.loads(finish(start("--resume", tmp_path / "killed")))
    assert (out["steps"], out["finished"]) == (72, True)
    assert out["model"] == str(tmp_path / "killed" / "best")
    spec = replace(tiny_spec(dropout=0.1, **settings), train=(str(few_path),), dev=())
    assert RunSpec.load(tmp_path / "killed") == spec
    train(spec, tmp_path / "unbroken")
    assert_same_run(tmp_path / "killed", tmp_path / "unbroken")


def test_two_processes_train_the_model_that_one_would(samples_path, tmp_path):
    """Batches of 15 (eight and seven questions) and a last one of a single question, which leaves one without any."""
    path = write_lines(tmp_path / "odd.jsonl", samples_path, 121)
    dev = write_lines(tmp_path / "dev.jsonl", samples_path, 3)
    spec = replace(tiny_spec(batch_size=15, epochs=2, dev_beam=2), train=(str(path),), dev=(str(dev),))
    assert spec.model.dropout == 0.0
    options = ["--preset", "tiny", "--train", path, "--dev", dev, "--epochs", 2, "--out", tmp_path / "two"]
    options += ["--set", "training.batch_size=15", "--set", "training.dev_beam=2"]
    launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    out = finish(start(*options, launcher=launcher))
    assert [json.loads(line)["steps"] for line in out.splitlines()] == [18]  # said once
    train(spec, tmp_path / "one")
    ours, theirs = weights_of(tmp_path / "two" / "best"), weights_of(tmp_path / "one" / "best")
    for name in theirs:
        # A key's bias moves all scores of a row alike, and softmax takes no notice: its gradient is rounding noise.
        if not name.endswith("key.bias"):
            torch.testing.assert_close(
                ours[name], theirs[name], rtol=0, atol=1e-4, msg=lambda m, name=name: f"{name}: {m}"
            )
    losses = [[e["train_loss"] for e in read_log(tmp_path / name) if "train_loss" in e] for name in ("two", "one")]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
