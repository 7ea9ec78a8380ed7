"""How far a training is: its log, its loss curve, about how long it will take yet. Read from the run's own folder."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from db.models.training_runs import Run

MOST_POINTS = 400  # of a loss curve: more cannot be told apart on a screen
TAIL_BYTES, TAIL_LINES = 8192, 12
RECENT = 10  # logged steps that say how fast it goes now: the machine may have become busy


@dataclass(frozen=True)
class Logged:
    """A line that the training wrote down about a step."""

    step: int
    loss: float
    seconds: float | None = None  # of training so far


def progress(run: Run) -> float:
    """How far the present phase is, from 0 to 1."""
    return min(1.0, run.done / run.total) if run.total else 0.0


def read_log(folder: Path) -> list[Logged]:
    """What a run's training wrote down so far; empty before the first line."""
    lines = []
    try:
        with open(folder / "training" / "log.jsonl", encoding="utf-8") as log:
            for line in log:
                if '"loss"' in line and line.endswith("}\n"):  # the last line may be half written
                    entry = json.loads(line)
                    lines.append(Logged(entry["step"], entry["loss"], entry.get("seconds")))
    except OSError:
        return []
    return lines


def log_tail(path: Path) -> str:
    """The last lines of a log; empty where there is none."""
    try:
        with open(path, "rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - TAIL_BYTES))
            return "\n".join(log.read().decode("utf-8", "replace").splitlines()[-TAIL_LINES:])
    except OSError:
        return ""


def loss_curve(lines: list[Logged]) -> list[tuple[int, float]]:
    """(step, loss), thinned out."""
    every = -(-len(lines) // MOST_POINTS) or 1
    return [(line.step, line.loss) for line in lines[::every]]


def seconds_left(run: Run, lines: list[Logged], folder: Path) -> float | None:
    """About how long the present phase will take yet; None while nobody can tell."""
    if not run.total:
        return None
    if run.phase == "training":
        return _training_left(run, lines)
    return _gate_left(run, folder) if run.phase == "gate" else None


def _training_left(run: Run, lines: list[Logged]) -> float | None:
    timed = [(line.step, line.seconds) for line in lines if line.seconds is not None][-RECENT:]
    if len(timed) < 2 or timed[-1][0] <= timed[0][0]:
        return None
    (first_step, first_seconds), (last_step, last_seconds) = timed[0], timed[-1]
    left = max(0, run.total - run.done) * (last_seconds - first_seconds) / (last_step - first_step)
    allowed = 60 * run.options.get("minutes", 0) - last_seconds  # a run that goes on has its minutes anew
    return min(left, allowed) if allowed > 0 else left


def _gate_left(run: Run, folder: Path) -> float | None:
    """The run's folder was last touched when the comparison began."""
    try:
        spent = time.time() - folder.stat().st_mtime
    except OSError:
        return None
    return max(0, run.total - run.done) * spent / run.done if run.done and spent > 0 else None
