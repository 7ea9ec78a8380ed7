"""Shared by all levels: a tiny model trained on the project's own samples, once a session."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from l2a.config import preset
from l2a.tagger import Tagger
from l2a.training.run import RunSpec, train_run

# Here, not in tests/e2e: the process that prints the summary under pytest-xdist never reads that folder's conftest.py.
pytest_plugins = ["tests.e2e.timing", "tests.e2e.second_go"]

SAMPLES = Path(__file__).parent.parent / "samples" / "questions.jsonl"


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    """Tiny models gain nothing from a second thread, and a busy machine makes them wait for it."""
    torch.set_num_threads(1)


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
    """Folder of a tiny L2A-word model with copying that knows the samples well."""
    folder = tmp_path_factory.mktemp("tiny")
    spec = tiny_spec(copy=True, share_embeddings=True, epochs=20, order="order2")
    # No dev set: scoring each epoch would take longer than training.
    train_run(replace(spec, dev=()), folder, quiet=True, say=lambda _: None)
    return folder / "best"


@pytest.fixture(scope="session")
def tiny_tagger(tiny_model) -> Tagger:
    return Tagger.load(tiny_model)
