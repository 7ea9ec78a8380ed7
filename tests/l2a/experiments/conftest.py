"""Small data for the experiments, all of it from the project's own samples or written here."""

import json

import pytest

from l2a import checkpoint
from l2a.data.questions import Question, read_questions
from l2a.experiments import cli, study
from l2a.experiments.baselines import fitting
from l2a.text.segmenter import Segmenter
from l2a.training import run


@pytest.fixture(scope="session")
def shared_segmenter() -> Segmenter:
    return Segmenter()


@pytest.fixture(autouse=True, scope="module")
def _one_segmenter(shared_segmenter):
    """Every run builds a segmenter, and each reads the dictionary for a second: let them share one.

    For a module at a time: tests elsewhere want segmenters of their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (checkpoint, run, study, fitting):
            patch.setattr(module, "Segmenter", lambda words=(): shared_segmenter)
        yield


@pytest.fixture(scope="session")
def samples(samples_path) -> list[Question]:
    return list(read_questions(samples_path))


@pytest.fixture
def write_questions(tmp_path):
    """Write questions as JSONL: write_questions("zhihu/train", [...])."""

    def write(name: str, questions):
        path = tmp_path / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            {"id": q.id, "title": q.title, "description": q.description, "tags": list(q.tags)}
            | ({"partial_tags": True} if q.partial_tags else {})
            for q in questions
        ]
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def call(capsys):
    """Run the command; gives back (exit code, standard output, standard error)."""

    def call(*arguments):
        capsys.readouterr()
        code = cli.main([*map(str, arguments), "--quiet"])
        out, err = capsys.readouterr()
        return code, out, err

    return call
