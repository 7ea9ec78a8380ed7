"""Shared by all levels: a tiny model trained on the project's own samples, once a run; and who runs which tests."""

import fcntl
import os
import random
from dataclasses import replace
from pathlib import Path

import hypothesis
import jieba
import pytest
import torch

from l2a.config import preset
from l2a.tagger import Tagger
from l2a.training.run import RunSpec, train_run

# Here, not in tests/e2e: the process that prints the summary under pytest-xdist never reads that folder's conftest.py.
pytest_plugins = ["tests.e2e.timing", "tests.e2e.second_go"]

SAMPLES = Path(__file__).parent.parent / "samples" / "questions.jsonl"
# Files that take long: begun last, they would keep one process at work while the other has nothing left to do.
LONG_FILES = (
    "tests/project/",
    "tests/l2a/training/",
    "tests/l2a/experiments/",
    "tests/l2a/commands/",
    "tests/app/learning/",
)
# Their tests share a server, and would start it twice in two processes.
ONE_PROCESS = "tests/e2e/screens"


def pytest_configure(config) -> None:
    """What hypothesis draws is the same every time, but in the long run; and no clock fails a test."""
    hypothesis.settings.register_profile(
        "ordinary",
        derandomize=config.option.markexpr != "soak",
        deadline=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("ordinary")


def pytest_collection_modifyitems(items) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FILES))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """As `--dist loadfile`, with the screens as one file."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return ONE_PROCESS if nodeid.startswith(ONE_PROCESS) else super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    """Tiny models gain nothing from a second thread, and a busy machine makes them wait for it."""
    torch.set_num_threads(1)


@pytest.fixture(autouse=True, scope="session")
def _dictionary_is_read_once():
    """Every segmenter reads jieba's dictionary for most of a second: each gets a copy of what the first one read."""
    read, found = jieba.Tokenizer.initialize, []

    def initialize(self, dictionary=None):
        if dictionary or self.dictionary is not jieba.DEFAULT_DICT:
            return read(self, dictionary)
        with self.lock:
            if not self.initialized and found:
                (frequencies, self.total) = found[0]
                self.FREQ, self.initialized = frequencies.copy(), True
        if not self.initialized:
            read(self)
            found.append((self.FREQ.copy(), self.total))
        return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jieba.Tokenizer, "initialize", initialize)
        yield


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory):
    """What a person's trainings keep for the next time is not the tests' to read or to remove."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def _same_draws():
    """The queue draws from which pool it serves: a test that failed by its draw would pass when tried again."""
    random.seed(0)


@pytest.fixture(autouse=True)
def _one_thread_again():
    """A test that leaves more threads behind would change the last digits of every training after it."""
    yield
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def tiny_spec(**changes) -> RunSpec:
    """A run on the samples; changes go to the model, training or decode config by their names."""
    base = preset("tiny")

    def pick(config):
        return replace(config, **{name: value for name, value in changes.items() if hasattr(config, name)})

    return RunSpec(
        train=(str(SAMPLES),),
        dev=(str(SAMPLES),),
        model=pick(base.model),
        training=pick(base.training),
        decode=pick(base.decode),
    )


@pytest.fixture(scope="session")
def samples_path() -> Path:
    return SAMPLES


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    """Folder of a tiny L2A-word model with copying that knows the samples well.

    Test processes that run side by side share it: who comes first trains it, and the others wait.
    """
    common = tmp_path_factory.getbasetemp()
    common = common.parent if "PYTEST_XDIST_WORKER" in os.environ else common
    folder = common / "tiny"
    with open(common / "tiny.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "best").is_dir():
            spec = tiny_spec(copy=True, share_embeddings=True, epochs=20, order="order2")
            # No dev set: scoring each epoch would take longer than training.
            train_run(replace(spec, dev=()), folder, quiet=True, say=lambda _: None)
    return folder / "best"


@pytest.fixture(scope="session")
def tiny_tagger(tiny_model) -> Tagger:
    return Tagger.load(tiny_model)
