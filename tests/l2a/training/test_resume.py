"""A run can be stopped anywhere and ends the same; several processes train one model."""

import json
import os
import signal
import subprocess
import sys
import time
from ast import literal_eval
from dataclasses import replace

import pytest
import torch

from l2a.checkpoint import load_tagger
from l2a.errors import InputError
from l2a.training import loop as training
from l2a.training.distributed import Workers
from l2a.training.loop import Trainer
from l2a.training.run import RunSpec, prepare
from tests.conftest import tiny_spec
from tests.l2a.training.conftest import (
    ROOT,
    assert_same_run,
    read_log,
    state_of,
    train,
    weights_of,
    write_lines,
)


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


def other_tags(lines):
    return [line.replace('"tags": [', '"tags": ["别的", ', 1) for line in lines]


def other_title(lines):
    return [line.replace('"title": "', '"title": "那么', 1) for line in lines]


@pytest.mark.parametrize("change", [other_tags, other_title])
def test_resuming_with_as_many_other_dev_questions_is_refused(few, few_path, tmp_path, change):
    """Dev scores choose the best epoch: half of them from one file and half from another compare nothing."""
    lines = few_path.read_text(encoding="utf-8").splitlines(keepends=True)
    dev = tmp_path / "dev.jsonl"
    dev.write_text("".join(lines[:4]), encoding="utf-8")
    spec = replace(few(), dev=(str(dev),))
    train(spec, tmp_path / "run", max_minutes=0.0)
    dev.write_text("".join(change(lines[:4])), encoding="utf-8")
    with pytest.raises(InputError, match=r"other data or settings \(dev questions\)"):
        train(spec, tmp_path / "run", resume=True)


def test_resuming_with_other_words_to_copy_is_refused(few_path, tmp_path):
    """A word that occurs once is unknown to the source here, and can be copied into a tag nevertheless."""
    path = tmp_path / "train.jsonl"
    path.write_text(few_path.read_text(encoding="utf-8"), encoding="utf-8")
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"id": "x", "title": "Xylo 电影", "tags": ["电影"]}\n')
    spec = replace(tiny_spec(batch_size=8, copy=True, min_source_count=2), train=(str(path),), dev=())
    train(spec, tmp_path / "run", max_minutes=0.0)
    path.write_text(path.read_text(encoding="utf-8").replace("Xylo", "Yarrow"), encoding="utf-8")
    with pytest.raises(InputError, match=r"other data or settings \(copied words\)"):
        train(spec, tmp_path / "run", resume=True)


def test_resuming_with_other_decode_settings_is_refused(stopped):
    spec, folder = stopped
    with pytest.raises(InputError, match=r"other data or settings \(decode\)"):
        train(replace(spec, decode=replace(spec.decode, threshold=0.5)), folder, resume=True)


def test_resuming_with_another_number_of_threads_is_refused(stopped):
    """Two threads add up in another order than one: the weights differ in their last digits from the first step on."""
    spec, folder = stopped
    torch.set_num_threads(2)
    with pytest.raises(InputError, match=r"other data or settings \(threads 1, now 2\)"):
        train(spec, folder, resume=True)


def test_what_an_older_program_did_not_note_is_not_compared(few, tmp_path):
    train(few(), tmp_path, max_minutes=0.0)
    state = state_of(tmp_path)
    noted = json.loads(state["fingerprint"])
    for name in ("decode", "copied words", "frequencies", "dev questions", "retriever", "threads", "processes"):
        del noted[name]
    torch.save({**state, "fingerprint": json.dumps(noted)}, tmp_path / "state.pt")
    assert train(few(), tmp_path, resume=True).finished


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
    assert RunSpec.load(tmp_path / "killed") == replace(spec, threads=1)
    train(spec, tmp_path / "unbroken")
    assert_same_run(tmp_path / "killed", tmp_path / "unbroken")


TWO_PROCESSES = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


def test_no_thread_outlives_the_meeting_of_two_processes(tmp_path):
    """One that is busy while Python ends takes the process down, now and then; so there must be none at all."""
    script = tmp_path / "meet.py"
    script.write_text(
        "import os\n"
        "from pathlib import Path\n"
        "import torch\n"
        "from l2a.training.distributed import Workers\n"
        "def threads():\n"
        "    return sorted(p.read_text().strip() for p in Path('/proc/self/task').glob('*/comm'))\n"
        "workers = Workers.join()\n"
        "weight = torch.nn.Parameter(torch.zeros(2))\n"
        "optimiser = torch.optim.Adam([weight])\n"  # imports a good deal of PyTorch
        "weight.grad = torch.ones(2)\n"
        "workers.sum_gradients([weight], set())\n"
        "optimiser.step()\n"
        "meeting = threads()\n"
        "workers.leave()\n"
        f"(Path({str(tmp_path)!r}) / f'{{workers.rank}}.txt').write_text(repr((meeting, threads())))\n"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *TWO_PROCESSES, str(script)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=240)
    for rank in (0, 1):
        meeting, after = literal_eval((tmp_path / f"{rank}.txt").read_text())
        assert any("gloo" in name for name in meeting)
        assert not any("gloo" in name for name in after)


def test_two_processes_train_the_model_that_one_would(samples_path, tmp_path):
    """Batches of 15 (eight and seven questions) and a last one of a single question, which leaves one without any."""
    path = write_lines(tmp_path / "odd.jsonl", samples_path, 121)
    dev = write_lines(tmp_path / "dev.jsonl", samples_path, 3)
    spec = replace(tiny_spec(batch_size=15, epochs=2, dev_beam=2), train=(str(path),), dev=(str(dev),))
    assert spec.model.dropout == 0.0
    options = ["--preset", "tiny", "--train", path, "--dev", dev, "--epochs", 2, "--out", tmp_path / "two"]
    options += ["--set", "training.batch_size=15", "--set", "training.dev_beam=2"]
    out = finish(start(*options, launcher=TWO_PROCESSES))
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
