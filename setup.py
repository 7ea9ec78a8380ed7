"""What pyproject.toml cannot say: what lies beside the packages is installed inside them (app/places.py)."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
# Files of the project, and the folder of the wheel that they go into.
BESIDE = {
    "streamlit_app.py": "app/bundle",
    ".streamlit/config.toml": "app/bundle/.streamlit",
    "pages/*.py": "app/bundle/pages",
    "samples/*": "app/bundle/samples",
    "models/LICENSE.md": "l2a/models",
    "models/starter/*": "l2a/models/starter",
}


class BuildWithWhatLiesBeside(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the project's folder stays where it is, and everything is found there
            return
        for pattern, folder in BESIDE.items():
            target = Path(self.build_lib, folder)
            target.mkdir(parents=True, exist_ok=True)
            files = sorted(ROOT.glob(pattern))
            if not files:
                raise SystemExit(f"{pattern}: nothing to install. Build from the whole project.")
            for file in files:
                shutil.copyfile(file, target / file.name)


setup(cmdclass={"build_py": BuildWithWhatLiesBeside})
