"""How long a training will take yet, and its curve, from what it wrote down."""

import json
import os
import time
from dataclasses import fields
from types import SimpleNamespace

import pytest

from app.retrain import progress
from app.retrain.progress import Logged
from db.models.training_runs import Run


def run_at(phase: str, done: int, total: int, minutes: float = 30.0) -> Run:
    values = dict.fromkeys((field.name for field in fields(Run)), None)
    return Run(**values | {"phase": phase, "done": done, "total": total, "options": {"minutes": minutes}})


def steps(seconds: float, last: int) -> list[Logged]:
    return [Logged(step, 1.0, seconds * step) for step in range(20, last + 1, 20)]


def test_the_time_left_of_a_training_is_its_steps_at_the_present_speed(tmp_path):
    assert progress.seconds_left(run_at("training", 40, 100), steps(3.0, 40), tmp_path) == pytest.approx(180)
    slower = [*steps(1.0, 200), *(Logged(200 + n, 1.0, 200.0 + 5 * n) for n in range(20, 221, 20))]
    assert progress.seconds_left(run_at("training", 420, 430), slower, tmp_path) == pytest.approx(50)


def test_the_minutes_that_were_asked_for_end_it_earlier(tmp_path):
    assert progress.seconds_left(run_at("training", 100, 10_000, minutes=10), steps(3.0, 100), tmp_path) == 300
    went_on = progress.seconds_left(run_at("training", 400, 500, minutes=10), steps(3.0, 400), tmp_path)
    assert went_on == pytest.approx(300)  # more than its minutes are over: it was started again


@pytest.mark.parametrize("lines", [[], steps(3.0, 20), [Logged(20, 1.0), Logged(40, 1.0)]])
def test_nothing_is_said_before_the_speed_is_known(tmp_path, lines):
    assert progress.seconds_left(run_at("training", 20, 100), lines, tmp_path) is None
    assert progress.seconds_left(run_at("training", 0, 0), steps(1.0, 60), tmp_path) is None
    assert progress.seconds_left(run_at("snapshot", 0, 0), steps(1.0, 60), tmp_path) is None


def test_the_comparison_takes_as_long_for_each_question_as_so_far(tmp_path):
    begun = time.time() - 30
    os.utime(tmp_path, (begun, begun))
    assert progress.seconds_left(run_at("gate", 10, 40), [], tmp_path) == pytest.approx(90, rel=0.2)
    assert progress.seconds_left(run_at("gate", 0, 40), [], tmp_path) is None
    assert progress.seconds_left(run_at("gate", 10, 40), [], tmp_path / "gone") is None


def test_a_curve_is_read_as_far_as_it_is_written_and_thinned_out(tmp_path):
    assert progress.read_log(tmp_path) == []
    (tmp_path / "training").mkdir()
    lines = [json.dumps({"step": step, "loss": 1 / step, "seconds": step}) for step in range(1, 1001)]
    lines.insert(5, json.dumps({"epoch": 1, "dev_f1": 0.5}))
    (tmp_path / "training" / "log.jsonl").write_text("\n".join(lines) + '\n{"step": 1001, "lo')
    found = progress.read_log(tmp_path)
    assert (len(found), found[0]) == (1000, Logged(1, 1.0, 1))
    assert len(progress.loss_curve(found)) <= progress.MOST_POINTS
    assert progress.progress(SimpleNamespace(done=3, total=2)) == 1.0
