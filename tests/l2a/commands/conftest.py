"""Calls the command line in this process: result, complaints and exit code."""

import gzip
import json
from pathlib import Path

import pytest

from l2a import checkpoint
from l2a.cli import main
from l2a.data.questions import read_questions
from l2a.text import segmenter as text
from l2a.text.segmenter import Segmenter
from l2a.training import run

ROOT = Path(__file__).parents[3]
COMMANDS = ("train", "evaluate", "suggest", "explain", "stats", "silver", "evidence", "ranker", "simulate")
KEYS = ["tag", "votes", "chance", "evidence", "share", "probability", "is_new", "cues"]


@pytest.fixture(autouse=True, scope="module")
def _one_segmenter():
    """Every command builds a segmenter, and each reads the dictionary for a second: let them share one."""
    shared = Segmenter()
    with pytest.MonkeyPatch.context() as patch:
        for module in (checkpoint, run, text):
            patch.setattr(module, "Segmenter", lambda words=(): shared)
        yield


@pytest.fixture(scope="module")
def ten(samples_path):
    return list(read_questions(samples_path))[:10]


@pytest.fixture
def write_file(tmp_path):
    def write(*lines, name="questions.jsonl", encoding="utf-8"):
        path = tmp_path / name
        rows = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        content = "".join(f"{row}\n" for row in rows).encode(encoding)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


@pytest.fixture
def ten_path(write_file, samples_path):
    return write_file(*samples_path.read_text(encoding="utf-8").splitlines()[:10])


@pytest.fixture
def call(capsys):
    """Run a command; gives back (exit code, standard output, standard error)."""

    def call(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def suggest(call, tiny_model):
    def suggest(*arguments):
        code, out, err = call("suggest", "--model", tiny_model, "--quiet", *arguments)
        assert code == 0, err
        return [json.loads(line) for line in out.splitlines()], err

    return suggest


@pytest.fixture
def refusal(call):
    """The one line a refused command complains with."""

    def refusal(*arguments):
        code, out, err = call(*arguments)
        assert code == 2
        assert out == ""
        assert err.startswith("l2a: ")
        assert err.count("\n") == 1
        return err.removeprefix("l2a: ").strip()

    return refusal
