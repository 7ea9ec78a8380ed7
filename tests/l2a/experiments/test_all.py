"""`experiments all --preset tiny` on the samples: every table, every picture, and nothing done twice."""

import shutil

import pytest

from l2a.experiments import cli, study
from l2a.experiments.cli import NAMES

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def out(samples_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments") / "out"
    arguments = ["--data", samples_path.parent, "--preset", "tiny", "--seeds", "1", "--out", folder, "--quiet"]
    assert cli.main(["all", *map(str, arguments)]) == 0
    return folder


@pytest.fixture
def again(call, samples_path, out):
    def again(name, *more):
        return call(name, "--data", samples_path.parent, "--preset", "tiny", "--seeds", "1", "--out", out, *more)

    return again


@pytest.fixture
def trained(monkeypatch):
    """The runs that are really trained."""
    made = []
    run_method = study.run_method

    def listen(method, training):
        made.append((method.slug, training.seed))
        return run_method(method, training)

    monkeypatch.setattr(study, "run_method", listen)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_every_table_and_picture_is_there(out, name):
    picture = (out / name / "picture.png").read_bytes()
    assert picture.startswith(PNG)
    assert len(picture) > 5_000
    text = (out / name / "result.md").read_text(encoding="utf-8")
    assert text.startswith("## ")
    assert "|---|" in text
    assert (out / name / "result.json").stat().st_size > 100


def test_the_report_has_everything(out):
    report = (out / "report.md").read_text(encoding="utf-8")
    assert [f"({name}/picture.png)" in report for name in NAMES] == [True] * len(NAMES)
    assert "the Weibo columns and tables are left out" in report
    assert "Not run yet" not in report
    assert "| positions | local is the best positions (as the paper scores) |" in report


def test_a_second_time_nothing_is_trained(again, out, trained):
    before = (out / "report.md").read_text(encoding="utf-8")
    code, printed, _ = again("all")
    assert (code, printed.strip()) == (0, str(out / "report.md"))
    assert trained == []
    assert (out / "report.md").read_text(encoding="utf-8") == before


def test_only_what_is_missing_is_trained(again, out, trained):
    (out / "parts" / "runs" / "samples" / "bilstm-seed-1.json").unlink()
    shutil.rmtree(out / "main")
    assert again("main")[0] == 0
    assert trained == [("bilstm", 1)]
    assert (out / "main" / "picture.png").exists()


def test_more_seeds_are_added_to_those_that_are_there(again, out, trained):
    assert again("positions", "--seeds", "2")[0] == 0
    assert trained == [("word-order1", 2), ("positions-none", 2), ("positions-global", 2)]
    assert " to " in (out / "positions" / "result.md").read_text(encoding="utf-8").partition("|---")[2]


def test_report_gathers_what_is_there(call, out, tmp_path):
    part = tmp_path / "part"
    for name in ("coverage", "dataset"):
        shutil.copytree(out / name, part / name)
    shutil.copy(out / "setup.json", part)
    code, printed, _ = call("report", "--out", part)
    assert (code, printed.strip()) == (0, str(part / "report.md"))
    assert "Not run yet: frequency, main," in (part / "report.md").read_text(encoding="utf-8")


def test_another_preset_in_the_same_folder_is_refused(call, samples_path, out):
    code, _, err = call("main", "--data", samples_path.parent, "--preset", "small", "--out", out)
    assert code == 2
    assert "results of another setup (preset: 'tiny'," in err
    assert "Traceback" not in err
