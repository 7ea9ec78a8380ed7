"""The ablation's rows add up, and its table is what its files say."""

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench import ablation
from l2a.config import VoteSettings
from l2a.data.questions import Question, read_questions
from l2a.evidence.collection import Evidence
from l2a.measure.evaluation import best_threshold


@pytest.fixture
def args(tmp_path) -> Namespace:
    return ablation.parse(["--data", str(tmp_path / "data"), "--silver", "s.gz", "--out", str(tmp_path / "out")])


def test_each_row_has_everything_of_the_row_before(args):
    specs = [ablation.spec_of(row, 1, args) for row in range(len(ablation.ROWS))]
    first, last = specs[0], specs[-1]
    assert (first.pretrain, first.vectors, first.retrieve) == ((), None, None)
    assert not first.model.copy
    assert not first.model.share_embeddings
    assert first.training.order == "order2"
    assert last.model.copy
    assert last.model.share_embeddings
    assert last.training.order == "both"
    assert all((last.pretrain, last.vectors, last.retrieve))
    assert [bool(spec.pretrain) for spec in specs] == [False, True, True, True, True, True]
    assert [bool(spec.retrieve) for spec in specs] == [False, False, False, False, True, True]


def test_all_rows_see_gold_equally_often(args):
    seen = []
    for row in range(len(ablation.ROWS)):
        spec = ablation.spec_of(row, 1, args)
        seen.append(spec.training.epochs + (spec.training.train_copies if spec.pretrain else 0))
    assert set(seen) == {args.epochs + 2}


def test_score_counts_new_tags(args):
    def answer(*votes):
        tags = [SimpleNamespace(tag=tag, share=count / 16, chance=None) for tag, count in votes]
        return SimpleNamespace(suggestions=tags)

    questions = [Question(title="甲", tags=("旧", "新")), Question(title="乙", tags=("旧",))]
    answers = [answer(("旧", 9), ("新", 5), ("别的", 4)), answer(("无关", 8))]
    found = ablation.score(answers, questions, threshold=4 / 16, known=frozenset({"旧"}))
    assert (found["new"], found["new_right"]) == (2, 1)  # 新 and 无关; 别的 has not enough votes
    assert found["recall"] == pytest.approx(2 / 3)


def test_evidence_counts_by_the_standing_that_the_tagger_gives(tiny_tagger, samples_path):
    """With no weight at all the standing is the share of the hypotheses; with one it is that and more."""
    questions = list(read_questions(samples_path))[:20]
    evidence = Evidence.build(questions, (), tiny_tagger.codec.segmenter)
    ranked = replace(tiny_tagger, evidence=evidence, prior=ablation.BY_STANDING)
    voted, plain = replace(ranked, prior=None).suggest(questions), ranked.suggest(questions)
    near = replace(ranked, votes=VoteSettings({"near": 0.5})).suggest(questions)
    for votes in range(8):
        over = [
            [{tag.tag for tag in answer.suggestions if ablation.is_over(tag, votes / 8)} for answer in answers]
            for answers in (voted, plain, near)
        ]
        assert over[0] == over[1]
        assert all(one <= two for one, two in zip(over[1], over[2], strict=True))
    figures = {tag.tag: tag.figures for tag in near[0].suggestions}
    for tag, own in figures.items():
        standing = min(1.0, own.get("votes.share", 0.0) + 0.5 * own.get("near.probability", 0.0))
        (found,) = (one for one in near[0].suggestions if one.tag == tag)
        assert ablation.is_over(found, standing - 0.01)
        assert not ablation.is_over(found, standing)


def test_thresholds_are_chosen_on_dev_for_evidence_too(tiny_tagger, samples_path):
    questions = list(read_questions(samples_path))[:24]
    sets = {part: questions[8 * place : 8 * place + 8] for place, part in enumerate(ablation.FILES)}
    found = ablation._scores(replace(tiny_tagger, prior=ablation.BY_STANDING), sets, 8, frozenset())
    by_votes = ablation._scores(tiny_tagger, sets, 8, frozenset())
    threshold, best = best_threshold(tiny_tagger.suggest(sets["dev"], beam=8), [q.tags for q in sets["dev"]])
    assert by_votes["threshold"] == threshold
    assert by_votes["chosen"]["dev"]["f1"] == best.f1
    assert found["threshold"] == threshold  # without evidence the two orders differ in ties alone


def test_the_table_shows_mean_and_spread_of_seeds_and_gaps(tmp_path):
    def part(f1):
        return {name: {"f1": f1, "new": 4, "new_right": 1} for name in ablation.FILES}

    last = len(ablation.ROWS) - 1
    for seed, f1 in ((1, 0.30), (2, 0.34)):
        folder = tmp_path / f"row-{last}-seed-{seed}"
        folder.mkdir()
        scores = {"paper": part(f1), "chosen": part(f1 + 0.01)}
        votes = {
            name: {"paper": part(f1), "chosen": part(f1 + gain)}
            for name, gain in zip(ablation.EVIDENCE, (0.02, 0.03), strict=True)
        }
        (folder / "scores.json").write_text(json.dumps({**scores, "evidence": votes}))
    lines = ablation.table(tmp_path).splitlines()
    assert len(lines) == 2 + len(ablation.ROWS) + 2
    assert lines[2] == "| the paper's model | 0 | – | – | – | – | – | – | – |"
    assert lines[-3].startswith("| + two orders | 2 | 32.0 (30.0 to 34.0)")
    assert "33.0 (31.0 to 35.0)" in lines[-3]
    assert lines[-2].startswith("| + evidence of the tag list and of similar questions | 2 | 32.0 (30.0 to 34.0)")
    assert "34.0 (32.0 to 36.0)" in lines[-2]
    assert lines[-1].startswith("| + evidence of a linear model | 2 | 32.0 (30.0 to 34.0)")
    assert "35.0 (33.0 to 37.0)" in lines[-1]
    assert lines[-1].endswith("| 1 of 4, 1 of 4 |")


def test_the_first_silver_rows_are_taken_once(tmp_path):
    import gzip

    source = tmp_path / "all.gz"
    with gzip.open(source, "wt") as out:
        out.write("a\nb\nc\n")
    kept = Path(tmp_path / "out" / "silver.gz")
    ablation.take_silver(source, 2, kept)
    ablation.take_silver(source, 1, kept)
    with gzip.open(kept, "rt") as lines:
        assert lines.read() == "a\nb\n"
