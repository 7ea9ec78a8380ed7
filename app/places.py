"""Where things are: what came with the program, and what people keep.

In the project's folder everything lies side by side. A wheel puts what is not inside a package there (setup.py):
launcher, pages and samples into app/bundle, the starter into l2a/models. Nothing is ever written beside them.
"""

import os
from pathlib import Path

from l2a.places import ROOT, STARTER

__all__ = ["APP", "DATA", "IMPORTS", "IS_INSTALLED", "LAUNCHER", "PAGES", "ROOT", "SAMPLES", "STARTER"]

APP = Path(__file__).resolve().parent
IMPORTS = APP.parent  # what must be on the import path of a process of our own
IS_INSTALLED = (APP / "bundle").is_dir()
_BESIDE = APP / "bundle" if IS_INSTALLED else IMPORTS
LAUNCHER = _BESIDE / "streamlit_app.py"
PAGES = _BESIDE / "pages"
SAMPLES = _BESIDE / "samples" / "questions.jsonl"


def _kept_by_people() -> Path:
    """The folder of a person's programs for what they keep, as the XDG base directories have it."""
    return Path(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")) / "l2a-studio"


DATA = _kept_by_people() if IS_INSTALLED else ROOT / "data"  # the store, training runs, backups
