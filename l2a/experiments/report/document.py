"""`report`: one Markdown file of all results that are there."""

from pathlib import Path

from l2a.errors import InputError
from l2a.experiments.catalogue import EXPERIMENTS
from l2a.experiments.report.claims import claims_table
from l2a.experiments.report.folder import Folder, read_json


def write_report(folder: Folder) -> Path:
    """Gather what is there; raises InputError where there is nothing."""
    there = [name for name in EXPERIMENTS if folder.result(name)]
    if not there:
        raise InputError("experiments.no_result", folder=folder.path)
    setup = read_json(folder.path / "setup.json")
    minutes = "no limit" if setup["minutes"] is None else f"{setup['minutes']:g} min"
    data = ", ".join(f"{name} ({', '.join(parts)})" for name, parts in setup["data"].items())
    lines = [
        "# The paper's experiments",
        "",
        f"Data: {data}. Preset `{setup['preset']}`, {minutes} of training for each configuration.",
        *(f"\n{note}" for note in setup["notes"]),
        "",
        *_missing(there),
        "## The paper's claims",
        "",
        claims_table(folder),
    ]
    for name in there:
        text = (folder.path / name / "result.md").read_text(encoding="utf-8")
        lines += ["", text.replace("(picture.png)", f"({name}/picture.png)").strip()]
    path = folder.path / "report.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _missing(there: list[str]) -> list[str]:
    missing = [name for name in EXPERIMENTS if name not in there]
    return [f"Not run yet: {', '.join(missing)}.", ""] if missing else []
