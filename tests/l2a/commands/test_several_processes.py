"""Several processes, on this machine or by Ray, give what one process gives, to the last character."""

import os
import subprocess
import sys

import pytest

from l2a.bulk.scale_out import suggest_in_processes, suggest_on_ray
from l2a.errors import SettingsError
from tests.l2a.commands.conftest import ROOT


def suggest(model, path, *options):
    """In a process of its own: Ray leaves threads and signal handlers behind."""
    command = [
        sys.executable,
        "-m",
        "l2a",
        "suggest",
        "--model",
        str(model),
        "--batch",
        "2",
        "--quiet",
        "--threads",
        "1",
    ]
    environment = {**os.environ, "RAY_TMPDIR": "/tmp"}  # its sockets' paths must be short
    return subprocess.run(
        [*command, *options, str(path)], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240
    )


@pytest.fixture(scope="module")
def alone(tiny_model, samples_path, tmp_path_factory):
    """A file of questions, and what one process makes of it."""
    lines = samples_path.read_text(encoding="utf-8").splitlines()[:70]  # five windows of 16, the last one short
    lines[3] = '{"title": "没有编号", "description": null, "tags": null}'  # null must not become NaN
    lines[5] = '{"title": ""}'
    path = tmp_path_factory.mktemp("alone") / "questions.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = suggest(tiny_model, path, "--skip-bad")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 69
    return path, done.stdout


@pytest.mark.timeout(500)
@pytest.mark.parametrize("how", ["--ray", "--jobs"])
def test_two_workers_write_what_one_process_writes(tiny_model, alone, how):
    path, wanted = alone
    together = suggest(tiny_model, path, "--skip-bad", how, "2")
    assert together.returncode == 0, together.stderr
    assert together.stdout == wanted
    assert "line 6: the title is empty" in together.stderr


def test_no_worker_is_refused():
    with pytest.raises(SettingsError, match="ray is 0"):
        next(suggest_on_ray([], None, 0))
    with pytest.raises(SettingsError, match="jobs is 0"):
        next(suggest_in_processes([], None, 0))


def test_a_setting_that_cannot_be_is_said_before_any_process_starts(tiny_model, samples_path):
    for option, value in (("--beam", "999"), ("--jobs", "0")):
        found = suggest(tiny_model, samples_path, option, value, *(() if option == "--jobs" else ("--jobs", "2")))
        assert found.returncode != 0
        assert "Traceback" not in found.stderr
        assert value in found.stderr
