"""Short runs on a few samples, and what makes two runs the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from l2a.checkpoint import load_tagger
from l2a.text.segmenter import Segmenter
from l2a.training import loop as training
from l2a.training import run
from l2a.training.run import train_run
from tests.conftest import tiny_spec

ROOT = Path(__file__).parents[3]
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
    ours, theirs = state_of(found), state_of(wanted)
    assert json.loads(ours["fingerprint"]) == json.loads(theirs["fingerprint"])  # or they need not be the same
    assert_same_weights(weights_of(found / "best"), weights_of(wanted / "best"))
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
