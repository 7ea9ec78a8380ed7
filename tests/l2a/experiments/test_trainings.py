"""Several trainings side by side, and what is left when one of them, or all, are killed."""

import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import pytest

from l2a.errors import InputError, L2AError
from l2a.experiments.corpora import Corpora, Corpus, split
from l2a.experiments.report.folder import Folder
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import BILSTM, CNN, WORD
from l2a.experiments.training.scales import SCALES
from l2a.experiments.training.trainings import Trainings

ROOT = Path(__file__).parents[3]


@pytest.fixture
def study(samples_path, tmp_path) -> Study:
    corpus = Corpus("samples", split(samples_path, tmp_path / "data"))
    return Study(Corpora(corpus), Folder(tmp_path / "out"), SCALES["tiny"], minutes=0.01, seeds=1)


def test_a_model_that_several_experiments_need_is_trained_once(study):
    need, done = Need(CNN, study.corpora.main, 1), []
    with Trainings(study, [need, need], on_done=lambda: done.append(1)) as trainings:
        assert list(trainings.missing) == ["runs/samples/cnn-seed-1"]
        for _ in range(2):
            trainings.finish(need)
    assert (study.is_done(need), len(done)) == (True, 1)
    assert Trainings(study, [need]).missing == {}


def test_two_processes_share_the_trainings(study):
    needs, done = [Need(method, study.corpora.main, 1) for method in (CNN, BILSTM)], []
    with Trainings(study, needs, jobs=2, on_done=lambda: done.append(1)) as trainings:
        for need in needs:
            trainings.finish(need)
    assert [study.run(need)["method"] for need in needs] == ["CNN", "BiLSTM"]
    assert len(done) == 2


def test_what_a_process_complains_of_is_heard(study):
    study.corpora.main.files["train"].write_text("{\n", encoding="utf-8")
    needs = [Need(method, study.corpora.main, 1) for method in (CNN, WORD["order1"])]
    with Trainings(study, needs, jobs=2) as trainings, pytest.raises(InputError, match=r"train\.jsonl, line 1: "):
        trainings.finish(needs[0])


def test_a_process_that_dies_is_explained(study):
    needs = [Need(method, study.corpora.main, 1) for method in (CNN, BILSTM)]
    with Trainings(study, needs, jobs=2) as trainings:
        for process in multiprocessing.active_children():
            process.kill()
        with pytest.raises(L2AError, match=r"runs/samples/cnn-seed-1: a training process ended .* fewer --jobs"):
            trainings.finish(needs[0])


def test_a_killed_study_leaves_no_process_behind_and_goes_on(samples_path, tmp_path, call):
    arguments = [
        "positions",
        "--data",
        samples_path.parent,
        "--preset",
        "tiny",
        "--seeds",
        1,
        "--out",
        tmp_path / "out",
    ]
    command = [sys.executable, "-m", "l2a.experiments", *map(str, arguments), "--jobs", "2", "--threads", "1"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + 120
    while not list((tmp_path / "out" / "models").glob("*/*/log.jsonl")):  # somebody trains
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=30)  # ends once nobody has the pipe open any more, the trainings included
    trained = list((tmp_path / "out" / "parts" / "runs").glob("*/*.json"))
    assert len(trained) < 3
    before = [path.stat().st_mtime_ns for path in trained]
    assert call(*arguments)[0] == 0
    assert [path.stat().st_mtime_ns for path in trained] == before
    assert (tmp_path / "out" / "positions" / "picture.png").exists()
