"""What stands behind the page Retrain, without Streamlit: values to show, and old models out of the way."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from app.learning import gate
from app.serving.model_folder import folder_of
from app.shell.settings import ROOT, Settings
from db.models import decided, registry, training_runs
from db.models.training_runs import CAN_START_AGAIN, Run
from db.store.engine import Store
from db.store.tables import ModelVersion

PHASES = ("snapshot", "training", "gate")
TAIL_BYTES, TAIL_LINES = 8192, 12
DEFAULT_MINUTES, MOST_MINUTES = 30, 24 * 60


@dataclass(frozen=True)
class Standing:
    """How the models stand."""

    live: ModelVersion | None
    since: int  # decisions that the live model has not seen
    live_was_trained_here: bool
    versions: tuple[ModelVersion, ...]
    runs: tuple[Run, ...]  # newest first
    earlier: ModelVersion | None  # the version that a roll-back goes to

    @property
    def results(self) -> list[Run]:
        """Finished runs with a candidate, newest first."""
        return [run for run in self.runs if run.state == "finished" and run.gate is not None]

    @property
    def stopped(self) -> Run | None:
        """The newest run, where it did not come to its end."""
        newest = self.runs[0] if self.runs else None
        return newest if newest is not None and newest.state in CAN_START_AGAIN else None

    def version(self, name: str) -> ModelVersion | None:
        return next((model for model in self.versions if model.version == name), None)


def standing(session: Session) -> Standing:
    live = registry.live(session)
    run = training_runs.made(session, live.version) if live is not None else None
    seen = run.snapshot.get("last_entry", 0) if run is not None else 0
    return Standing(
        live,
        decided.decisions_since(session, seen),
        run is not None,
        tuple(registry.everything(session)),
        tuple(training_runs.recent(session, 50)),
        registry.earlier(session),
    )


def can_be_written(folder: Path) -> bool:
    """Whether a folder is there and can be written, or could be made."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def missing_files(paths: Sequence[str]) -> list[str]:
    """Those that are no files; a relative one is inside the project, as for the training process."""
    return [path for path in paths if not (ROOT / Path(path).expanduser()).is_file()]


# --- a run ------------------------------------------------------------------------------------------------------------


def log_tail(path: Path) -> str:
    """The last lines of a log; empty where there is none."""
    try:
        with open(path, "rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - TAIL_BYTES))
            return "\n".join(log.read().decode("utf-8", "replace").splitlines()[-TAIL_LINES:])
    except OSError:
        return ""


# --- what came of it --------------------------------------------------------------------------------------------------


def measures(found: dict) -> list[tuple[str, str, str]]:
    """(name of the measure, live, candidate): the name is the end of a text's key, the values are ready to show."""
    live, candidate = found["live"], found["candidate"]
    readers = {
        "precision": lambda side: _percent(side["precision"]),
        "recall": lambda side: _percent(side["recall"]),
        "f1": lambda side: _percent(side["f1"]),
        "accepted": lambda side: _part(side["accepted_suggested"], side["accepted"]),
        "avoided": lambda side: _part(side["rejected_avoided"], side["rejected"]),
        "new": lambda side: _part(side["new_tags"]["correct"], side["new_tags"]["predicted"]),
        "seconds": lambda side: f"{side['seconds_per_question']:.2f}",
    }
    return [(name, read(live), read(candidate)) for name, read in readers.items()]


def changed_tags(found: dict) -> tuple[list[dict], list[dict]]:
    """Tags that the candidate suggests worse, the worst first, and better, the best first."""
    tags = found["tags"]
    worse = [tag for tag in tags if tag["change"] < 0]
    better = [tag for tag in tags if tag["change"] > 0]
    return worse, better[::-1]


def is_sure(found: dict) -> bool:
    """Whether the gate itself speaks for the candidate: it may go live without a second question."""
    return found["verdict"] == gate.VERDICTS[0]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"


def _part(some: int, whole: int) -> str:
    return f"{some:,} / {whole:,} ({_percent(some / whole)})" if whole else f"{some:,} / {whole:,}"


# --- old models -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pruned:
    """What became of a pruned version's folder."""

    version: str
    path: str
    deleted: bool  # no: it is not among the runs' own, or could not be deleted


def prunable(found: Standing) -> list[str]:
    """Versions that may be pruned as far as can be seen; the registry has the last word."""
    return [model.version for model in found.versions if model.state in ("candidate", "retired")]


def prune(settings: Settings, store: Store, version: str, person_id: int | None) -> Pruned:
    """Give a version up for good and delete its folder, if it came of a run here: no other folder is ours to delete.

    Raises Refused for the live version and the one a roll-back goes to.
    """
    model = store.run(lambda session: registry.prune(session, version, person_id))
    folder = folder_of(model.path)
    if not _is_inside(folder, settings.runs):
        return Pruned(version, model.path, False)
    shutil.rmtree(folder, ignore_errors=True)
    return Pruned(version, model.path, not folder.exists())


def _is_inside(folder: Path, runs: Path) -> bool:
    """Really inside, whatever links say."""
    return not folder.is_symlink() and runs.resolve() in folder.resolve().parents
