"""`python -m l2a evidence` and `ranker --new`: a model that learns names, weak labels and what findings are worth."""

import json
from dataclasses import replace

import numpy as np
import pytest

from l2a.checkpoint import load_tagger
from l2a.commands.evidence import WORTH
from l2a.data.questions import Question, read_questions
from l2a.evidence import weighing
from l2a.training import held_out
from l2a.training.run import train_run
from tests.conftest import tiny_spec
from tests.l2a.evidence.names.corpus import NAMES, UNKNOWN, finder, titles


def lines(rows: list[dict]) -> list[str]:
    return [json.dumps(row, ensure_ascii=False) for row in rows]


@pytest.fixture
def files(write_file, samples_path, tmp_path):
    gold = [json.loads(line) for line in samples_path.read_text(encoding="utf-8").splitlines()]
    gold += [{"title": f"在{name}工作是什么体验？", "tags": [name, "工作"]} for name in UNKNOWN[:60]]
    text = [{"id": str(1_000 - number), "title": title} for number, title in enumerate(titles(400))]
    page = {"title": "工作很累怎么办？", "tags": ["工作", "生活"], "leaf_tags": ["工作"]}
    return {
        "--gold": write_file(*lines(gold), name="gold.jsonl"),
        "--tags": write_file(*NAMES, "工作", name="tags.txt"),
        "--pages": write_file(*lines([page] * 5), name="pages.jsonl"),
        "--text": write_file(*lines(text), name="text.jsonl"),
    }


def test_a_model_learns_names_and_what_findings_are_worth(call, tiny_model, files, tmp_path, write_file):
    given = [part for pair in files.items() for part in pair]
    code, out, err = call("evidence", "--model", tiny_model, *given, "--quiet", "--out", tmp_path / "new")
    assert (code, err) == (0, "")
    tagger = load_tagger(tmp_path / "new")
    assert out.startswith(f"{tagger.version}: ")
    assert tagger.version != load_tagger(tiny_model).version
    assert {name: weight for name, weight in tagger.votes.weights.items() if weight} == WORTH
    new = UNKNOWN[70]
    assert tagger.names is not None
    assert tagger.names.find(f"在{new}工作是什么体验？")[0].text == new
    read = tagger.read(Question(title=f"在{NAMES[0]}工作是什么体验？"))
    found = [*read.findings, *tagger.evidence.weigh(read.prepared, read.findings, ())]
    assert {"weighed", "linear"} <= {finding.source for finding in found}
    # What it is worth that a name is young is learned from questions about new things.
    gold = files["--gold"]
    things = write_file(*lines([{"title": f"{new}好吗？", "name": new, "half": "tune"}]), name="things.jsonl")
    code, out, err = call(
        "ranker", "--model", tmp_path / "new", "--dev", gold, "--stream", gold, "--new", things, "--quiet",
        "--out", tmp_path / "ranked",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert json.loads(out)["weights"]["model.standing"] > 0
    assert load_tagger(tmp_path / "ranked").prior is not None


def test_without_text_and_pages_it_is_the_evidence_of_a_training(call, tiny_model, files, tmp_path):
    given = ("--gold", files["--gold"], "--tags", files["--tags"])
    assert call("evidence", "--model", tiny_model, *given, "--quiet", "--out", tmp_path / "new")[0] == 0
    tagger = load_tagger(tmp_path / "new")
    assert tagger.names is None
    assert "linear_kept" not in tagger.evidence.arrays


def test_votes_are_weighed_by_networks_that_have_not_met_the_questions(call, files, tmp_path, monkeypatch):
    monkeypatch.setattr(held_out, "EPOCHS", 1)
    gold = str(files["--gold"])
    spec = tiny_spec(epochs=1, pretrain_epochs=1, train_copies=0)
    spec = replace(spec, train=(gold,), dev=(), pretrain=(gold,), retrieve=str(files["--tags"]))
    train_run(spec, tmp_path / "run", quiet=True, say=lambda _: None)
    given = ("--model", tmp_path / "run" / "best", "--gold", gold, "--tags", files["--tags"], "--quiet")
    asked = ("--pretrained", tmp_path / "run" / "pretrained")
    code, out, err = call("evidence", *given, *asked, "--out", tmp_path / "new")
    assert (code, out) == (2, "")
    assert "--pretrained and --work belong together" in err
    code, out, err = call("evidence", *given, *asked, "--work", tmp_path / "work", "--out", tmp_path / "new")
    assert (code, err) == (0, "")
    tagger = load_tagger(tmp_path / "new")
    figures = tagger.evidence.arrays["weighs_figure"]
    assert figures[tagger.evidence.arrays["weighs_left"] != np.arange(len(figures))].max() < weighing.FIGURES
    lines = (tmp_path / "work" / "hypotheses.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == sum(bool(question.tags) for question in read_questions(gold))


def test_statistics_of_names_that_silver_labels_kept_serve_a_model_too(call, tiny_model, files, tmp_path):
    np.savez(tmp_path / "names.npz", **finder().arrays)
    given = ("--gold", files["--gold"], "--tags", files["--tags"], "--names", tmp_path / "names.npz")
    assert call("evidence", "--model", tiny_model, *given, "--quiet", "--out", tmp_path / "new")[0] == 0
    title = f"在{UNKNOWN[70]}工作是什么体验？"
    tagger = load_tagger(tmp_path / "new")
    assert tagger.names.find(title) == finder().find(title)
    assert (tagger.votes.weights["names"], tagger.votes.invented_worth) == (0.0, 0.06)
    # Whose lists are known to lack half of what they should have believes names and what is composed more.
    missing = ("--lists-miss", "0.5", "--quiet", "--out", tmp_path / "open")
    assert call("evidence", "--model", tiny_model, *given, *missing)[0] == 0
    votes = load_tagger(tmp_path / "open").votes
    assert (votes.weights["names"], votes.invented_worth) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--lists-miss", "2"), "invented_worth is 2.0"),
        (("--lists-miss", "-1"), "names_weight is -2.0"),
        (("--names", "none.npz"), "none.npz: no statistics of names"),
        (("--names", "none.npz", "--text", "text.jsonl"), "--names and --text say the same thing"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_learned(
    call, tiny_model, files, tmp_path, monkeypatch, options, said
):
    monkeypatch.setattr(weighing, "learn", lambda *args, **options: pytest.fail("learned"))
    given = ("--model", tiny_model, "--gold", files["--gold"], "--tags", files["--tags"], "--quiet")
    code, out, err = call("evidence", *given, *options, "--out", tmp_path / "new")
    assert (code, out) == (2, "")
    assert said in err
