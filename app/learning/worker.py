"""The training process: `python -m app.learning.worker RUN`. Started by app.learning.process, by nobody else.

Snapshot, training, registration, gate; each leaves a whole result or none in the run's folder, so a run that was
killed anywhere goes on from the last one that is there:

    RUN/snapshot.json    and the rows beside it
    RUN/training/        the training run, with its own state to resume from
    RUN/model/           the finished model, moved here in one step
"""

import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.learning import comparison, gate, process, snapshot
from app.learning.recipe import Options, spec_for
from app.serving.model_folder import folder_of, is_there
from app.shell.messages import message
from app.shell.settings import ROOT, Settings
from app.shell.store import open_store
from db.errors import Refused, SaidInLanguages, StoreError
from db.ledger import redaction
from db.models import registry, training_runs
from db.store.engine import Store
from l2a.errors import L2AError

if TYPE_CHECKING:
    from l2a.ranking.knowledge import Knowledge
    from l2a.tagger import Tagger

BEAT_SECONDS = 1.0
SAVE_SECONDS = 30.0  # so much work is lost at most when the process is killed
NICENESS = 15  # moderators come first

log = logging.getLogger("worker")


class Cancelled(Exception):
    """Somebody asked the run to stop."""


class Work:
    """One run, from wherever it stands."""

    def __init__(self, settings: Settings, store: Store, run_id: int):
        self.settings, self.store, self.run_id = settings, store, run_id
        with store.read() as session:
            run = training_runs.get(session, run_id)
        self.options = Options.from_dict(run.options)
        self.folder = process.folder_of(settings, run_id)
        self._beaten, self._stop = 0.0, False

    def stop(self, *_) -> None:
        self._stop = True

    def beat(self, *, now: bool = False, **values) -> None:
        """Say how far the work is, at most once a second; raises Cancelled when asked to stop."""
        if now or self._stop or time.monotonic() - self._beaten > BEAT_SECONDS:
            self._beaten = time.monotonic()
            if self.store.run(lambda session: training_runs.beat(session, self.run_id, **values)) or self._stop:
                raise Cancelled

    def do(self) -> None:
        """Everything that is left to do."""
        about = self._take_snapshot()
        with self.store.read() as session:
            live = registry.live(session)
        if live is None:
            raise Refused(message("training.no_live_model"))
        live_folder = folder_of(live.path)
        if not is_there(live.version, live.path):
            raise Refused(message("training.live_files_gone", version=live.version, folder=live_folder))
        version = self._train(live_folder, about.train)
        if version == live.version:  # a comparison that began before somebody made it live
            raise Refused(message("training.is_live", version=version))
        path = self.folder / "model"
        shown = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        self.store.run(
            lambda session: registry.register(session, version, shown, parent=live.version, training_data=about.hash)
        )
        found = self._compare(live_folder, path, about.last_entry)
        self.store.run(lambda session: training_runs.finish(session, self.run_id, version, found.to_dict()))
        log.info("finished: candidate %s is %s (F1 %+.4f)", version, found.verdict, found.difference)
        if self.settings.promote == "better" and found.verdict == "better":
            try:
                self.store.run(lambda session: registry.promote(session, version, None, over=live.version))
                log.info("promoted, as the setting asks")
            except Refused as error:  # somebody made another one live while this one was trained
                log.warning("not promoted: %s", error)

    def _take_snapshot(self) -> snapshot.About:
        self.beat(now=True, phase="snapshot", done=0, total=0)
        about = snapshot.read_about(self.folder)
        if about is not None and not (self.folder / "model").is_dir() and not snapshot.is_whole(self.folder):
            log.info("questions of the snapshot were redacted since: it is taken again")
            shutil.rmtree(self.folder / "training", ignore_errors=True)
            about = None
        if about is None:
            with self.store.read() as session:
                taken = snapshot.take(session)
            snapshot.write(taken, self.folder)
            about = taken.about
            with self.store.read() as session:  # a redaction in between could not see the files yet
                gone = redaction.redacted_questions(session)
            snapshot.forget(self.folder, gone)
        self.store.run(lambda session: training_runs.set_snapshot(session, self.run_id, vars(about)))
        log.info("snapshot %s: %s", about.hash[:12], vars(about))
        if not about.train:
            raise Refused(message("training.no_decision"))
        return about

    def _train(self, live: Path, questions: int) -> str:
        """Train on so many questions, or go on training; returns the candidate's version."""
        from l2a.checkpoint import read_config
        from l2a.training.run import train_run

        model, training = self.folder / "model", self.folder / "training"
        if not model.is_dir():
            train = self.folder / snapshot.TRAIN
            self.beat(now=True, phase="training", done=0, total=0)
            train_run(
                spec_for(self.options, live, train, questions),
                training,
                resume=(training / "state.pt").is_file(),
                max_minutes=self.options.minutes,
                save_every_seconds=SAVE_SECONDS,
                quiet=True,
                say=log.info,
                on_step=lambda done, total: self.beat(phase="training", done=done, total=total),
            )
            os.replace(training / "best", model)
            for leftover in (training / "state.pt", *training.glob("epoch-*")):
                shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        return read_config(model)["version"]

    def _compare(self, live: Path, candidate: Path, snapshot_at: int) -> gate.Comparison:
        from l2a.tagger import Tagger

        self.beat(now=True, phase="gate", done=0, total=0)
        before, after = (Tagger.load(folder, decoder=self.settings.decoder) for folder in (live, candidate))
        with self.store.read() as session:
            trial = comparison.choose(session, before.version, after.version, snapshot_at=snapshot_at)
        knowledge = self._remember(before, trial)
        other = knowledge if comparison.knows_alike(before, after) else self._remember(after, trial)
        total, answers = 2 * len(trial.questions), []
        os.utime(self.folder)  # since when it compares: the page works out the time left from that
        for place, (tagger, known) in enumerate(((before, knowledge), (after, other))):
            begun = place * len(trial.questions)

            def beat(done: int, begun: int = begun) -> None:
                self.beat(phase="gate", done=begun + done, total=total)

            answers.append(comparison.answer(self.store, tagger, trial, known, self.settings.beam, beat))
        return gate.compare(trial.cases, *answers, seed=self.options.seed, since=trial.since)

    def _remember(self, tagger: "Tagger", trial: comparison.Trial) -> "Knowledge | None":
        def beat(done: int, total: int) -> None:
            self.beat(phase="gate")

        return comparison.remember(self.store, tagger, trial, beat, encoder=self.settings.encoder)


def main(arguments: list[str]) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    os.nice(NICENESS)
    run_id = int(arguments[0])
    settings = Settings.from_environment()
    store = open_store(settings)
    work = Work(settings, store, run_id)
    signal.signal(signal.SIGTERM, work.stop)
    log.info("run %d: process %d", run_id, os.getpid())
    return _do(work, store, run_id)


def _do(work: Work, store: Store, run_id: int) -> int:
    """Do the work and leave the run in a state that says how it ended."""
    import torch

    torch.set_num_threads(1)
    end: Callable | None = None
    why: str | SaidInLanguages
    try:
        work.do()
    except Cancelled:
        log.info("cancelled")
        end = lambda session: training_runs.cancelled(session, run_id)  # noqa: E731
    except (StoreError, L2AError, OSError) as error:
        log.error("failed: %s", error)
        why = error.message if isinstance(error, StoreError | L2AError) else str(error)
        end = lambda session: training_runs.fail(session, run_id, why)  # noqa: E731
    except Exception as error:
        log.exception("failed")
        why = message("training.failed", kind=type(error).__name__, error=str(error))
        end = lambda session: training_runs.fail(session, run_id, why)  # noqa: E731
    if end is None:
        return 0
    try:
        store.run(end)
    except Refused as error:  # it was given up meanwhile
        log.info("%s", error)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
