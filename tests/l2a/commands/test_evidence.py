"""`python -m l2a evidence` and `ranker --new`: a model that learns names, weak labels and what findings are worth."""

import json

import pytest

from l2a.checkpoint import load_tagger
from l2a.commands.evidence import WORTH
from l2a.data.questions import Question
from tests.l2a.evidence.names.corpus import NAMES, UNKNOWN, titles


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
