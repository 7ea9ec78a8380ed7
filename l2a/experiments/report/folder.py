"""The output folder: finished parts are kept as JSON, so that a stopped run goes on where it was.

setup.json          what the results are of: data, preset, minutes, threads; another setup is refused
data/               the parts of a single file of questions
models/             trained L2A models, one folder each
parts/              finished parts: answers of a trained method, counts, decoded beams
NAME/               result.json, result.md and picture.png of an experiment
report.md           all of them
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from l2a.errors import InputError


@dataclass(frozen=True)
class Result:
    """What an experiment found; `draw` writes the picture to a path."""

    data: Mapping[str, Any]
    markdown: str
    draw: Callable[[Path], None]


class Folder:
    """Parts and results below one path."""

    def __init__(self, path: Path):
        self.path = path

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Remember what the results are of; raises InputError if those in the folder are of something else."""
        path = self.path / "setup.json"
        before = read_json(path) if path.exists() else None
        if before is None:
            write_json(path, setup)
            return
        changed = [name for name in setup if before.get(name) != setup[name]]
        if changed:
            values = ", ".join(f"{name}: {before.get(name)!r}" for name in changed)
            raise InputError("experiments.other_setup", folder=self.path, values=values)

    def part(self, name: str, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """A finished part as it was kept, or made and kept now."""
        path = self.part_path(name)
        if not path.exists():
            write_json(path, make())
        return read_json(path)  # also when just made: a resumed run must not see other types than a first one

    def part_path(self, name: str) -> Path:
        return self.path / "parts" / f"{name}.json"

    def write_result(self, name: str, title: str, result: Result) -> None:
        folder = self.path / name
        folder.mkdir(parents=True, exist_ok=True)
        result.draw(folder / "picture.png")
        text = f"## {title}\n\n{result.markdown.strip()}\n\n![{title}](picture.png)\n"
        (folder / "result.md").write_text(text, encoding="utf-8")
        write_json(folder / "result.json", {"experiment": name, "title": title, **result.data})

    def result(self, name: str) -> dict[str, Any] | None:
        path = self.path / name / "result.json"
        return read_json(path) if path.exists() else None


def read_json(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError("experiments.no_json", path=path, reason=str(error)) from error


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Atomic: a part that is there is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writing = path.with_name(f".{path.name}.writing-{os.getpid()}")
    writing.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    writing.replace(path)
