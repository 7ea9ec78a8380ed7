"""What decisions teach: memory alone, a network retrained on the same decisions, and both."""

import json
from dataclasses import replace

import pytest

from bench import learning
from l2a.checkpoint import save_tagger
from l2a.data.questions import read_questions
from l2a.simulation.simulate import Plan, prepare
from l2a.tagger import Tagger
from tests.l2a.ranking.priors import prior_of

METHODS = [learning.MEMORY, learning.RETRAINED, learning.BOTH]


@pytest.fixture(scope="module")
def model(tiny_tagger, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learner") / "model"
    save_tagger(replace(tiny_tagger, prior=prior_of({"model.standing": 3.0, "precedents.share": 3.0})), folder)
    return folder


@pytest.fixture
def files(samples_path, tmp_path):
    lines = samples_path.read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("learn", lines[:12]), ("test", lines[12:16])):
        (tmp_path / f"{name}.jsonl").write_text("".join(part), encoding="utf-8")
    return tmp_path


@pytest.fixture
def gently(monkeypatch):
    """One epoch a training: what it learns does not matter here. How many began."""
    begun, spec_for = [], learning.spec_for

    def short(options, *args):
        begun.append(options)
        return spec_for(replace(options, epochs=1), *args)

    monkeypatch.setattr(learning, "spec_for", short)
    return begun


def arguments(files, model, action, *more):
    shared = ("--model", model, "--out", files / "out", "--beam", 4, "--decoder", "float32")
    return list(map(str, (action, *shared, *more)))


def points_in(folder):
    return [json.loads(line) for line in (folder / "points.jsonl").read_text().splitlines()]


def test_a_curve_with_and_without_retraining_that_goes_on(files, model, gently, monkeypatch, capsys):
    replayed = files / "learn.jsonl"
    curve = arguments(
        files, model, "curve", "--learn", files / "learn.jsonl", "--test", files / "test.jsonl",
        "--replay", replayed, "--at", 0, 2, 4, "--jobs", 1,
    )  # fmt: skip
    assert learning.main(curve) == 0
    out = files / "out"
    points = points_in(out)
    assert [(point["method"], point["decisions"]) for point in points] == [
        (learning.MEMORY, 0), *((method, count) for count in (2, 4) for method in METHODS),
    ]  # fmt: skip
    assert all(point["training_seconds"] > 0 for point in points if point["method"] != learning.MEMORY)
    assert "| decisions | memory | retrained network | memory and retrained network |" in capsys.readouterr().out
    assert (out / "curve.png").is_file()

    decisions = [json.loads(line) for line in (out / "decisions-4.jsonl").read_text(encoding="utf-8").splitlines()]
    by_title = {question.title: question for question in read_questions(files / "learn.jsonl")}
    assert [tuple(row["tags"]) for row in decisions] == [by_title[row["title"]].tags for row in decisions]
    assert any(row["rejected"] for row in decisions)
    assert [options.replay for options in gently] == [(str(replayed),)] * 2
    start = json.loads((out / "model-4" / "run.json").read_text())["start"]
    assert start == str(out / "model-2" / "best")  # it goes on from the one before

    # Memory and network are told apart: each of them changes what is answered.
    answers = [(out / method.replace(" ", "-") / "at-4.jsonl").read_text(encoding="utf-8") for method in METHODS]
    assert len(set(answers)) == 3

    monkeypatch.setattr(learning, "train_run", lambda *_, **__: pytest.fail("it was trained already"))
    assert learning.main(curve) == 0
    figures = ("method", "decisions", "f1", "precision", "recall", "keys")
    assert [[one[name] for name in figures] for one in points_in(out)] == [
        [one[name] for name in figures] for one in points
    ]


def test_another_model_is_told_the_same_decisions_as_they_were_served(model, files):
    tagger = Tagger.load(model)
    learn, test = (learning.read_labelled(files / f"{name}.jsonl") for name in ("learn", "test"))
    simulation = prepare(tagger, learn, test, files / "out", Plan((3,), beam=4), quiet=True)
    (moment,) = simulation.moments(1)
    other = learning.known_to(tagger, moment)
    assert len(other.memory) == 3
    assert other.served == moment.knowledge.served != []
    assert other.ranker == moment.knowledge.ranker
    for asked in simulation.test:
        assert asked.ranked(tagger, other) == asked.ranked(tagger, moment.knowledge)


def test_variants_are_trained_once_and_compared(files, model, gently, monkeypatch, capsys):
    rows = [{"title": q.title, "tags": q.tags, "rejected": ["错"]} for q in read_questions(files / "learn.jsonl")]
    decisions = files / "decisions.jsonl"
    decisions.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr(learning, "VARIANTS", {"replay": {}, "replay, labels shuffled": {}})
    told = arguments(
        files, model, "variants", "--decisions", decisions, "--dev", files / "test.jsonl",
        "--replay", files / "learn.jsonl",
    )  # fmt: skip
    assert learning.main(told) == 0
    said = capsys.readouterr().out
    assert f"\n{files / 'test.jsonl'}: 4 questions, beam 4\n" in said
    assert [line.split("  ")[1] for line in said.splitlines() if " F1 " in line] == [
        "before", "replay", "replay, labels shuffled",
    ]  # fmt: skip
    tags = [row["tags"] for row in map(json.loads, (files / "out/variant-1/train.jsonl").open(encoding="utf-8"))]
    assert tags != [list(row["tags"]) for row in rows]
    assert sorted(tags) == sorted(list(row["tags"]) for row in rows)
    monkeypatch.setattr(learning, "train_run", lambda *_, **__: pytest.fail("it was trained already"))
    assert learning.main(told) == 0
