"""The retrain page: a roll-back asks once; a training shows its time left and its curve, and says when it is cancelled.

The runs are made up in the store, beside a process that only sleeps.
"""

import json
import re
import socket
import subprocess

import pytest
from playwright.sync_api import expect

from app.learning import process
from app.learning.recipe import Options
from db import people
from db.models import registry, training_runs
from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE


def live(studio) -> str:
    with studio.store.read() as session:
        return registry.live(session).version


def person(studio, name: str) -> int:
    with studio.store.read() as session:
        return people.find(session, name).id


def test_a_roll_back_asks_once_and_is_off_where_nothing_precedes(open_screen, studio):
    first, chen = live(studio), person(studio, "chen")
    screen = open_screen("retrain", language="en")
    back = screen.widget("retrain_back").get_by_role("button")
    expect(back).to_be_disabled(timeout=PATIENCE)
    studio.store.run(lambda session: registry.promote(session, studio.other_version, chen))
    screen.page.reload()
    screen.see(f"Live: {studio.other_version}")
    expect(back).to_be_enabled(timeout=PATIENCE)
    back.click()
    screen.see(re.compile(f"{first} goes live again"))
    assert live(studio) == studio.other_version
    screen.widget("retrain_back_no").get_by_role("button").click()
    expect(screen.widget("retrain_back_yes")).to_have_count(0, timeout=PATIENCE)
    assert live(studio) == studio.other_version
    back.click()
    screen.widget("retrain_back_yes").get_by_role("button").click()
    screen.see(f"{first} is live now")
    assert live(studio) == first
    expect(back).to_be_disabled(timeout=PATIENCE)


@pytest.fixture
def training(studio):
    """A run with a process of its own, in its second step."""
    asleep = subprocess.Popen(["sleep", "300"], start_new_session=True)
    folder = studio.server.log.parent / "runs"

    def begin(session):
        run = training_runs.begin(session, None, Options().to_dict())
        where = {"host": socket.gethostname(), "pid": asleep.pid, "pid_started": process.started_at(asleep.pid)}
        training_runs.attach(session, run.id, folder=str(folder / f"run-{run.id:04d}"), **where)
        return run.id

    run_id = studio.store.run(begin)
    (folder / f"run-{run_id:04d}" / "training").mkdir(parents=True)
    yield run_id, folder / f"run-{run_id:04d}" / "training" / "log.jsonl"
    asleep.kill()
    asleep.wait()
    studio.store.run(lambda session: training_runs.lose(session, run_id, "the test is over"))


def test_a_training_shows_its_time_left_and_curve_and_says_until_it_is_over_that_it_is_cancelled(
    open_screen, studio, training
):
    run_id, log = training

    def go_on(done: int) -> None:
        """Three seconds a step, logged every ten steps."""
        steps = range(10, done + 1, 10)
        lines = [{"step": step, "loss": 4.0 / step, "seconds": 3.0 * step} for step in steps]
        log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        studio.store.run(lambda session: training_runs.beat(session, run_id, phase="training", done=done, total=120))

    go_on(40)
    screen = open_screen("retrain", language="en")
    screen.see(f"Training run {run_id} is running")
    screen.see(re.compile("about 4 min left"))  # 80 steps of three seconds
    eventually(lambda: screen.read_plots("retrain_loss", "plot => plot.data[0].x.length") == [4])
    go_on(80)
    screen.see(re.compile("about 2 min left"))
    eventually(lambda: screen.read_plots("retrain_loss", "plot => plot.data[0].x.length") == [8])
    screen.widget("retrain_cancel").get_by_role("button").click()
    screen.see(f"Training run {run_id} is being cancelled")
    eventually(lambda: studio.store.run(lambda session: training_runs.get(session, run_id).cancel_requested))
    go_on(90)
    screen.see(re.compile("90 / 120"))  # it has not heard of it yet
    screen.see(f"Training run {run_id} is being cancelled")
    expect(screen.main.get_by_text("min left")).to_have_count(0)
    screen.page.reload()
    screen.see(f"Training run {run_id} is being cancelled")
    studio.store.run(lambda session: training_runs.cancelled(session, run_id))
    screen.see(f"Training run {run_id} was cancelled")
    expect(screen.main.get_by_text("is being cancelled")).to_have_count(0)
