"""Giving old versions up for good."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.serving.model_folder import folder_of
from app.shell.settings import Settings
from db.models import registry
from db.store.engine import Store
from db.store.tables import ModelVersion


@dataclass(frozen=True)
class Pruned:
    """What became of a pruned version's folder."""

    version: str
    path: str
    deleted: bool  # no: it is not among the runs' own, or could not be deleted


def prunable(versions: Iterable[ModelVersion]) -> list[str]:
    """Versions that may be pruned as far as can be seen; the registry has the last word."""
    return [model.version for model in versions if model.state in ("candidate", "retired")]


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
