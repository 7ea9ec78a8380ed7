"""Really started training processes: one that ends, ones that are killed and go on, one that is asked to stop."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.learning import process
from app.learning.recipe import Options
from app.shell.settings import Settings
from app.shell.store import open_store
from db.errors import Refused
from db.models import registry
from l2a.checkpoint import read_config
from tests.learning_store import decide_next, fill, run_of, wait_for, wait_until_ended

LONG = Options(epochs=5000, minutes=0.05)  # three seconds of training, in which it can be met


DECIDED = 24


@pytest.fixture(scope="module")
def filled(samples_path, tiny_model, tmp_path_factory) -> tuple[Path, int]:
    """A store with decisions to learn from, made once, and chen's number in it."""
    path = tmp_path_factory.mktemp("filled") / "store.db"
    with open_store(Settings(database=f"sqlite:///{path}")) as store:
        number = fill(store, samples_path, tiny_model)
        decide_next(store, number, DECIDED)
    return path, number


@pytest.fixture
def chen(store, filled) -> int:
    path, number = filled
    with closing(sqlite3.connect(path)) as made, closing(sqlite3.connect(store.path)) as new:
        made.backup(new)
    return number


@pytest.fixture
def started(store):
    """Remembers runs, so that no process outlives its test."""
    runs = []
    yield runs
    for run in runs:
        found = run_of(store, run.id)
        if found.state == "running" and process._is_process(found):
            os.killpg(found.pid, signal.SIGKILL)


@pytest.fixture
def start(settings, store, chen, started):
    def start(options: Options):
        started.append(process.start(settings, store, chen, options))
        return started[-1]

    return start


def versions(store) -> dict[str, str]:
    with store.read() as session:
        return {model.version: model.state for model in registry.everything(session)}


def wait_for_training(settings, run) -> None:
    wait_for(lambda: (process.folder_of(settings, run.id) / "training" / "log.jsonl").is_file())


def kill(store, run) -> None:
    os.kill(run.pid, signal.SIGKILL)
    wait_for(lambda: process.look(store) is None, 10)


def test_a_run_leaves_a_candidate_and_a_verdict(settings, store, chen, start, tiny_model):
    live = read_config(tiny_model)["version"]
    run = start(Options(epochs=2))
    assert run.state == "running"
    assert process.look(store).id == run.id
    with pytest.raises(Refused, match=f"Training run {run.id} is running already: chen asked for it"):
        process.start(settings, store, chen, Options(epochs=2))
    ended = wait_until_ended(store, run.id)
    folder = process.folder_of(settings, run.id)
    assert ended.state == "finished", (folder / process.LOG).read_text()
    assert process.look(store) is None
    assert versions(store) == {live: "live", ended.candidate: "candidate"}
    with store.read() as session:
        candidate = registry.find(session, ended.candidate)
        assert candidate.parent_id == registry.live(session).id
    assert candidate.path == str(folder / "model")
    assert candidate.training_data == ended.snapshot["hash"]
    assert read_config(folder / "model")["version"] == ended.candidate
    assert ended.snapshot["train"] + ended.snapshot["held_out"] == DECIDED
    assert ended.snapshot["held_out"] == ended.gate["questions"] > 0
    assert ended.gate["verdict"] == "too few decisions"
    assert (ended.gate["live"]["version"], ended.gate["candidate"]["version"]) == (live, ended.candidate)
    assert not (folder / "training" / "state.pt").exists()


def test_a_run_killed_while_training_registers_nothing_and_goes_on_with_its_snapshot(settings, store, chen, start):
    before = versions(store)
    run = start(LONG)
    wait_for_training(settings, run)
    kill(store, run)
    lost = run_of(store, run.id)
    assert lost.state == "lost"
    assert f"The training process ({run.pid} on " in lost.message
    assert "It was at: training." in lost.message
    assert versions(store) == before
    decide_next(store, chen, 3)  # not in the snapshot, which was taken before
    again = process.start_again(settings, store, chen, run.id)
    assert again.pid != run.pid
    ended = wait_until_ended(store, run.id)
    assert ended.state == "finished", ended.message
    assert ended.snapshot["hash"] == lost.snapshot["hash"]
    assert ended.snapshot["train"] + ended.snapshot["held_out"] == DECIDED
    assert versions(store) == {**before, ended.candidate: "candidate"}


def test_a_run_killed_after_its_training_does_not_train_again(settings, store, chen, start):
    run = start(Options(epochs=2))
    folder = process.folder_of(settings, run.id)
    model = folder / "model" / "config.json"
    wait_for(model.is_file)
    kill(store, run)
    assert run_of(store, run.id).state == "lost"
    log = (folder / "training" / "log.jsonl").read_text()
    written, version = model.stat().st_mtime_ns, json.loads(model.read_text())["version"]
    process.start_again(settings, store, chen, run.id)
    ended = wait_until_ended(store, run.id)
    assert (ended.state, ended.candidate) == ("finished", version)
    assert model.stat().st_mtime_ns == written
    assert (folder / "training" / "log.jsonl").read_text() == log
    assert list(versions(store).values()) == ["live", "candidate"]
    with pytest.raises(Refused, match="only one that failed, was cancelled or was lost can start again"):
        process.start_again(settings, store, chen, run.id)


def test_a_run_that_is_asked_to_stop_stops_and_leaves_no_model(settings, store, chen, start):
    run = start(Options(epochs=5000, minutes=2))
    wait_for_training(settings, run)
    process.stop(store, process.look(store), chen)
    ended = wait_until_ended(store, run.id)
    assert ended.state == "cancelled"
    assert ended.candidate is None
    assert list(versions(store).values()) == ["live"]
    wait_for(lambda: not process._is_process(run), 10)
    with pytest.raises(Refused, match="nothing to cancel"):
        process.stop(store, ended, chen)


def test_a_process_that_does_not_hear_is_killed_at_the_second_request(settings, store, chen, start):
    run = start(Options(epochs=5000, minutes=2))
    wait_for_training(settings, run)
    os.kill(run.pid, signal.SIGSTOP)  # it hears nothing any more
    process.stop(store, process.look(store), chen)
    asked = process.look(store)
    assert asked.cancel_requested
    process.stop(store, asked, chen)
    wait_for(lambda: process.look(store) is None, 10)
    assert run_of(store, run.id).state == "lost"


def test_a_folder_that_cannot_be_written_fails_the_run_with_what_to_do(settings, store, chen, tmp_path):
    (tmp_path / "runs").write_text("a file")
    run = process.start(settings, store, chen, Options(epochs=2))
    assert run.state == "failed"
    assert "The training process could not be started" in run.message
    assert "Check that" in run.message
    assert process.look(store) is None


def test_a_store_without_decisions_fails_the_run_with_what_to_do(settings, store, samples_path, tiny_model):
    chen = fill(store, samples_path, tiny_model)
    run = process.start(settings, store, chen, Options(epochs=2))
    ended = wait_until_ended(store, run.id)
    assert ended.state == "failed"
    assert ended.message.startswith("There is no decision to train on yet.")
