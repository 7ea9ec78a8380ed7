"""What a training needs before it can start."""

import os
from collections.abc import Sequence
from pathlib import Path

from app.shell.settings import ROOT

DEFAULT_MINUTES, MOST_MINUTES = 30, 24 * 60


def can_be_written(folder: Path) -> bool:
    """Whether a folder is there and can be written, or could be made."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def missing_files(paths: Sequence[str]) -> list[str]:
    """Those that are no files; a relative one is inside the project, as for the training process."""
    return [path for path in paths if not (ROOT / Path(path).expanduser()).is_file()]
