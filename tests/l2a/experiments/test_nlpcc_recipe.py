"""The recipe of docs/experiments.md on a file of the form of NLPCC-2018 task 6: raw CSV to a registered model."""

import csv
import json
import re
from pathlib import Path

import pytest

from app.cli import main as app_main
from l2a.cli import main as l2a_main
from l2a.experiments.cli import main as experiments_main

DOCS = Path(__file__).parents[3] / "docs" / "experiments.md"


@pytest.fixture
def nlpcc(samples, tmp_path):
    """The samples as id, title, description and tags joined by bars, cut into the task's three files."""
    folder = tmp_path / "nlpcc"
    folder.mkdir()
    for part, rows in (("train", samples[:40]), ("dev", samples[40:46]), ("test", samples[46:52])):
        with open(folder / f"{part}.csv", "w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(("id", "title", "description", "tags"))
            writer.writerows((q.id, q.title, q.description, "|".join(q.tags)) for q in rows)
    return folder


def test_from_raw_files_to_a_registered_model(nlpcc, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{tmp_path / 'store.db'}")
    monkeypatch.setattr("getpass.getuser", lambda: "chen")
    run = tmp_path / "run"

    def say(command, *arguments):
        capsys.readouterr()
        assert command([*map(str, arguments)]) == 0
        return capsys.readouterr().out

    assert json.loads(say(l2a_main, "stats", "--json", nlpcc / "train.csv"))["rows"] == 40
    trained = say(
        l2a_main, "train", "--preset", "tiny", "--train", nlpcc / "train.csv", "--dev", nlpcc / "dev.csv",
        "--epochs", 1, "--tune-threshold", "--out", run, "--quiet",
    )  # fmt: skip
    assert json.loads(trained)["finished"]
    scored = json.loads(say(l2a_main, "evaluate", "--model", run / "best", nlpcc / "test.csv", "--quiet"))
    assert scored["questions"] == 6
    registered = say(app_main, "models", "register", run / "best", "--quiet")
    version = json.loads((run / "best" / "config.json").read_text(encoding="utf-8"))["version"]
    assert registered.startswith(f"{version} is registered (candidate).")
    say(app_main, "models", "promote", version, "--quiet")
    assert say(app_main, "models", "list").startswith(f"{version}\tlive\t")
    # The same files are what the experiments read.
    say(experiments_main, "dataset", "--data", nlpcc, "--preset", "tiny", "--out", tmp_path / "out", "--quiet")
    assert "| nlpcc | 40 | 6 | 6 |" in (tmp_path / "out" / "dataset" / "result.md").read_text(encoding="utf-8")


def test_the_recipe_in_the_documentation_has_these_commands():
    text = DOCS.read_text(encoding="utf-8")
    for command in (
        "l2a stats",
        "l2a train --preset paper",
        "l2a evaluate",
        "app models register",
        "app models promote",
    ):
        assert re.search(rf"^python -m {command}", text, flags=re.MULTILINE), command
