"""Where the starter model lies: in the project's folder, or, once installed, inside this package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# What a short path such as models/starter is short for. A wheel puts models/ into the package (setup.py).
ROOT = _PACKAGE if (_PACKAGE / "models").is_dir() else _PACKAGE.parent
STARTER = ROOT / "models" / "starter"


def shown_starter() -> str:
    """The starter's folder as one would type it here: short in the project's folder."""
    here = Path.cwd()
    return str(STARTER.relative_to(here) if STARTER.is_relative_to(here) else STARTER)
