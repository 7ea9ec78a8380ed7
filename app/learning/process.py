"""Training happens in a process of its own, which outlives the page, the session and the app that asked for it.

It is known by its number and the moment it was started: a number alone is given to other processes again.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil

from app.learning.recipe import Options
from app.places import IMPORTS
from app.serving.model_folder import folder_of as folder_of_model
from app.serving.model_folder import is_there
from app.shell.messages import message
from app.shell.settings import Settings
from db import people
from db.errors import Refused
from db.models import registry, training_runs
from db.models.training_runs import Run
from db.store.clock import read_clock
from db.store.engine import Store

LOG = "log.txt"
PHASES = ("", "snapshot", "training", "gate")  # as the worker calls them; none before it has begun
_OWN = {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
SILENCE = timedelta(minutes=3)  # after so long without a beat a process that cannot be looked at is given up


def start(settings: Settings, store: Store, person_id: int | None, options: Options) -> Run:
    """Begin a run; raises Refused while another is running."""
    look(store)  # a run whose process is gone must not be in the way
    run = store.run(lambda session: training_runs.begin(session, person_id, options.to_dict()))
    return _spawn(settings, store, run)


def start_again(settings: Settings, store: Store, person_id: int | None, run_id: int) -> Run:
    """Go on with a run that was lost, cancelled or failed, from where it stopped."""
    look(store)
    run = store.run(lambda session: training_runs.restart(session, run_id, person_id))
    return _spawn(settings, store, run)


def compare_again(settings: Settings, store: Store, person_id: int | None, run_id: int) -> Run:
    """Compare the candidate of a finished run with the version that is live now, on the decisions there are by now."""
    look(store)
    with store.read() as session:
        run, live = training_runs.get(session, run_id), registry.live(session)
        candidate = registry.find(session, run.candidate) if run.candidate is not None else None
    if candidate is not None and live is not None and candidate.id == live.id:
        raise Refused(message("training.is_live", version=candidate.version))
    if candidate is not None and not is_there(candidate.version, candidate.path):
        raise Refused(
            message("training.candidate_gone", version=candidate.version, folder=folder_of_model(candidate.path))
        )
    run = store.run(lambda session: training_runs.compare_again(session, run_id, person_id))
    return _spawn(settings, store, run)


def look(store: Store) -> Run | None:
    """The run that is running; one whose process is gone is given up first, and then there is none."""
    with store.read() as session:
        run, now = training_runs.current(session), read_clock(session)
    if run is None or _lives(run, now):
        return run
    gone = message(
        "training.gone",
        process=run.pid or message("training.no_process"),
        machine=run.host or message("training.no_machine"),
        phase=message(f"training.phase_{run.phase or 'start'}") if run.phase in PHASES else run.phase,
    )
    store.run(lambda session: training_runs.lose(session, run.id, gone))
    return None


def stop(store: Store, run: Run, person_id: int | None) -> None:
    """Ask a run to stop. Its process hears of it at its next sign of life; asked twice, it is killed.

    Raises Refused for somebody who may not, whatever was asked before.
    """
    if person_id is not None:
        with store.read() as session:
            people.require(session, person_id, "change models")
    if run.cancel_requested and run.pid is not None and run.host == socket.gethostname() and _is_process(run):
        os.killpg(run.pid, signal.SIGKILL)
        look(store)
        return
    store.run(lambda session: training_runs.ask_to_cancel(session, run.id, person_id))


def folder_of(settings: Settings, run_id: int) -> Path:
    return settings.runs / f"run-{run_id:04d}"


def started_at(pid: int) -> float:
    return psutil.Process(pid).create_time()


def _import_path() -> str:
    """The project first: the process starts where the app did, so that relative paths mean the same."""
    return os.pathsep.join(filter(None, (str(IMPORTS), os.environ.get("PYTHONPATH"))))


def _spawn(settings: Settings, store: Store, run: Run) -> Run:
    folder = folder_of(settings, run.id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / LOG, "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "app.learning.worker", str(run.id)],
                env={**os.environ, **settings.to_environment(), **_OWN, "PYTHONPATH": _import_path()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own: what ends the app does not end it
            )
    except OSError as error:
        why = message("training.not_started", error=str(error), folder=folder)
        store.run(lambda session: training_runs.fail(session, run.id, why))
        with store.read() as session:
            return training_runs.get(session, run.id)
    # Somebody has to ask how it ended, or it stays in the process table.
    threading.Thread(target=process.wait, name="training-process", daemon=True).start()
    host, pid, since = socket.gethostname(), process.pid, started_at(process.pid)
    store.run(
        lambda session: training_runs.attach(session, run.id, folder=str(folder), host=host, pid=pid, pid_started=since)
    )
    with store.read() as session:
        return training_runs.get(session, run.id)


def _lives(run: Run, now: datetime) -> bool:
    if run.pid is not None and run.host == socket.gethostname():
        return _is_process(run)
    beat = run.beat_at if run.beat_at.tzinfo else run.beat_at.replace(tzinfo=UTC)
    return (now if now.tzinfo else now.replace(tzinfo=UTC)) - beat < SILENCE


def _is_process(run: Run) -> bool:
    try:
        process = psutil.Process(run.pid)
        return abs(process.create_time() - run.pid_started) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
