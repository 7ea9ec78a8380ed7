"""`python -m l2a simulate`: files, folders and what it refuses."""

import json
import sys
from dataclasses import replace

import pytest

from l2a.checkpoint import save_tagger
from l2a.simulation import decodings
from tests.l2a.commands.conftest import KEYS
from tests.l2a.ranking.priors import prior_of


@pytest.fixture(scope="module")
def model(tiny_tagger, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learner") / "model"
    save_tagger(replace(tiny_tagger, prior=prior_of({"model.standing": 3.0, "precedents.share": 3.0})), folder)
    return folder


@pytest.fixture
def arguments(model, ten_path, write_file, samples_path, tmp_path):
    lines = samples_path.read_text(encoding="utf-8").splitlines()[10:14]
    test = write_file(*lines, name="test.jsonl")
    files = ("--learn", ten_path, "--test", test, "--out", tmp_path / "out")
    return ("simulate", "--model", model, "--beam", 4, "--quiet", *files)


def test_a_curve_with_everything_it_writes(call, arguments, tmp_path):
    code, out, err = call(*arguments, "--at", 0, 3, "--seed", 1, 2, "--jobs", 1)
    assert (code, err) == (0, "")
    folder = tmp_path / "out"
    assert (folder / "table.md").read_text(encoding="utf-8") == out
    assert out.startswith("Position-weighted F1 (precision / recall) on the test questions in percent. Model ")
    assert "beam 4, test questions 4, seeds 1 2.\n" in out
    assert "\n| L2A | mean | " in out
    assert sorted(path.name for path in folder.iterdir()) == [
        "curve.png", "curve.svg", "hypotheses.jsonl", "points.jsonl", "seed-1", "seed-2", "table.md",
    ]  # fmt: skip
    lines = [json.loads(line) for line in (folder / "seed-2" / "at-3.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [list(line)[:2] for line in lines] == [["id", "suggestions"]] * 4
    assert all(list(suggestion) == KEYS for line in lines for suggestion in line["suggestions"])
    assert len((folder / "points.jsonl").read_text().splitlines()) == 4


def test_several_processes_decode(call, arguments, tmp_path, monkeypatch):
    monkeypatch.setattr(decodings, "MANY", 2)
    assert call(*arguments, "--at", 2, "--jobs", 2, "--decoder", "float32")[0] == 0
    assert len((tmp_path / "out" / "hypotheses.jsonl").read_text().splitlines()) == 4 + 2


def test_a_list_of_tags_is_known_to_the_search(call, arguments, write_file, tmp_path):
    def keys_without(*more):
        assert call(*arguments, "--at", 0, *more)[0] == 0
        return json.loads((tmp_path / "out" / "points.jsonl").read_text())["keys_without"]

    test = [json.loads(line) for line in (tmp_path / "test.jsonl").read_text(encoding="utf-8").splitlines()]
    listed = write_file(*dict.fromkeys(tag for row in test for tag in row["tags"]), name="tags.txt")
    assert keys_without("--lexicon", listed) <= keys_without()


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--at", 0, 11), "11 decisions are asked for, but only 10 questions to learn from have tags. "
         "Give a larger file or smaller counts."),
        (("--at", -1), "at is -1; it must be a whole number from 0 to 10."),
        (("--at", 1, "--jobs", 0), "jobs is 0; at least 1 is needed."),
        (("--at", 1, "--beam", 65), "beam is 65; it must be a whole number from 1 to 64."),
        (("--at", 1, "--threads", 0), "threads is 0; it must be at least 1."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(refusal, arguments, more, complaint):
    assert refusal(*arguments, *more) == complaint


@pytest.mark.parametrize("which", ["--learn", "--test"])
def test_a_file_without_tags_is_refused(refusal, arguments, write_file, which):
    path = write_file({"title": "怎么学编程？"}, name="untagged.jsonl")
    expected = f"{path}: no question with tags, so there is nothing to compare with."
    assert refusal(*arguments, "--at", 0, which, path) == expected


def test_a_model_without_a_ranker_is_refused(refusal, arguments, tiny_model):
    said = refusal(*arguments, "--at", 0, "--model", tiny_model)
    assert said.startswith("The model has no ranker, so it learns nothing from decisions.")


def test_peers_that_are_not_installed_are_named(refusal, arguments, monkeypatch):
    monkeypatch.setitem(sys.modules, "omikuji", None)
    said = refusal(*arguments, "--at", 1, "--peers")
    assert said.startswith("--peers needs Omikuji and scikit-learn, and omikuji is not installed.")


def test_bad_lines_are_counted_when_they_are_to_be_skipped(call, arguments, write_file, ten_path):
    path = write_file(*ten_path.read_text(encoding="utf-8").splitlines(), "{broken", name="broken.jsonl")
    code, _, err = call(*arguments, "--at", 0, "--learn", path, "--skip-bad")
    assert code == 0
    assert err.startswith("1 bad lines left out:\n")
