"""Weights of a tag's standing: counted like the tagger counts, and chosen by the rule that is stated."""

import math
import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bench import vote_weights
from bench.vote_weights import SpokenFor, Weights, choose, count, f1, frontier, look_up
from l2a.config import VoteSettings
from l2a.data.questions import Question, read_questions
from l2a.evidence.collection import Evidence
from l2a.evidence.source import Finding
from l2a.measure.metrics import new_tags, nlpcc_score
from l2a.ranking.candidates import FAINT
from l2a.suggestions import Hypothesis
from l2a.text.cleaning import match_key
from tests.l2a.ranking.priors import prior_of

HYPOTHESES = [Hypothesis(("电影", "造的"), -1.0), Hypothesis(("电影", "造的"), -2.0)]
FOUND = [
    Finding("电影", "near", {"probability": 0.5}),
    Finding("显微镜", "listed", {"probability": 0.25}),
    Finding("显微镜", "listed", {"precision": 0.9}),  # only for the network's hints
    Finding("书", "named", {"probability": 0.5}),
    Finding("显微镜", "linear", {"probability": 0.125}),
]


def test_standing_under_other_weights_by_hand():
    spoken = SpokenFor.of(HYPOTHESES, 8, FOUND, lambda tag: tag == "造的")
    weights = Weights(listed=2.0, named=0.0, near=0.5, linear=1.0, invented=0.25)
    standing = dict(zip(spoken.tags, spoken.standing(weights).tolist(), strict=True))
    # 2 / 8 + 0.5 x 0.5; 2 x 0.25 + 1 x 0.125; 2 / 8 x 0.25; a weight of 0 brings nothing.
    assert standing == pytest.approx({"电影": 0.5, "显微镜": 0.625, "造的": 0.0625, "书": 0.0})
    assert max(spoken.standing(Weights(4.0, 4.0, 4.0, 4.0, 1.0))) == 1.0


def test_it_is_the_standing_that_the_tagger_has(tiny_tagger, samples_path):
    questions = list(read_questions(samples_path))[:25]
    evidence = Evidence.build(questions[:15], ["编程", "跑步", "吃饭"], tiny_tagger.codec.segmenter, learn=["linear"])
    weights = Weights(listed=1.5, named=0.2, near=0.4, linear=0.75, invented=0.25)
    votes = VoteSettings(dict(zip(vote_weights.SOURCES, weights, strict=False)), invented_worth=0.25)
    tagger = replace(tiny_tagger, evidence=evidence, votes=votes, prior=prior_of({"model.standing": 1.0}))
    for spoken, answer in zip(look_up(tagger, questions), tagger.suggest(questions), strict=True):
        mapped = np.log1p(spoken.standing(weights) / FAINT) / math.log1p(1 / FAINT)
        own = dict(zip(map(match_key, spoken.tags), mapped.tolist(), strict=True))
        tagged = {match_key(tag.tag): tag.figures.get("model.standing", 0.0) for tag in answer.suggestions}
        assert {key: tagged[key] for key in own} == pytest.approx(own, abs=1e-5)
        assert not any(tagged[key] for key in tagged.keys() - own.keys())  # only the network is told of those


def invented_problem(seed: int = 1, questions: int = 40) -> tuple[list[SpokenFor], list[Question]]:
    chance = random.Random(seed)
    tags = [f"标签{n}" for n in range(8)]
    spoken, asked = [], []
    for number in range(questions):
        hypotheses = [Hypothesis(tuple(chance.sample(tags, 3)), -float(place)) for place in range(4)]
        found = [
            Finding(chance.choice(tags), chance.choice(vote_weights.SOURCES), {"probability": chance.random()})
            for _ in range(5)
        ]
        spoken.append(SpokenFor.of(hypotheses, 4, found, lambda tag: tag == "标签0"))
        asked.append(Question(title=str(number), tags=tuple(chance.sample(tags, 2))))
    return spoken, asked


GRID = [Weights(listed, 0.2, 0.0, linear, invented) for listed in (0, 1.5) for linear in (0, 1) for invented in (0, 1)]
KNOWN = frozenset({"标签1", "标签2"})


@pytest.mark.parametrize("folds", [1, 5])
def test_outcomes_are_the_scores_of_the_tags_that_are_kept(folds):
    spoken, asked = invented_problem()
    found = count(spoken, asked, KNOWN, beam=4, folds=folds, grid=GRID).outcomes()
    assert [(one.weights, one.cut) for one in found] == [(weights, cut) for weights in GRID for cut in (0.0, 0.25)]
    for one in found:
        best = [vote_weights.best(each, one.weights) for each in spoken]
        kept = [[tag for tag, standing in tags if standing > one.cut] for tags in best]
        gold = [question.tags for question in asked]
        assert one.f1 == pytest.approx(nlpcc_score(kept, gold).f1)
        new = new_tags(kept, gold, KNOWN)
        assert (one.new_right, one.new) == (new.correct, new.predicted)


def test_a_cross_fitted_figure_scores_each_part_with_what_the_others_choose():
    spoken, asked = invented_problem()
    counted = count(spoken, asked, KNOWN, beam=4, folds=4, grid=GRID)
    kept = []
    for place in range(len(asked)):
        others = [other for other in range(len(asked)) if other % 4 != place % 4]
        chosen = choose(
            count([spoken[n] for n in others], [asked[n] for n in others], KNOWN, beam=4, grid=GRID).outcomes()
        )
        kept.append([tag for tag, value in vote_weights.best(spoken[place], chosen.weights) if value > chosen.cut])
    gold = [question.tags for question in asked]
    new = new_tags(kept, gold, KNOWN)
    f1_found, *new_found = counted.cross_fitted()
    assert f1_found == pytest.approx(nlpcc_score(kept, gold).f1)
    assert new_found == [new.correct, new.predicted]
    assert f1_found <= choose(counted.outcomes()).f1 + vote_weights.COST


def outcome(f1: float, right: int, listed: float = 1) -> vote_weights.Outcome:
    return vote_weights.Outcome(f1, right, 50, 0.2, Weights(listed, 0, 0, 0, 1))


def test_the_most_new_tags_for_half_a_point_are_chosen():
    found = [outcome(0.38, 5), outcome(0.378, 7), outcome(0.376, 7, 2), outcome(0.36, 9)]
    assert choose(found) == found[1]  # of equally many the better F1
    assert choose(found[:1]) == found[0]


def test_the_frontier_has_no_choice_that_another_beats_twice():
    found = [outcome(0.38, 5), outcome(0.37, 4), outcome(0.36, 9), outcome(0.35, 8)]
    assert frontier(found) == [found[0], found[2]]


def test_nothing_kept_scores_zero():
    assert f1(np.array([0, 0, 0, 7.0, 0, 0])) == 0.0


def test_both_figures_are_printed(tiny_tagger, samples_path, tmp_path, monkeypatch, capsys):
    (tmp_path / "zhihu").mkdir()
    lines = samples_path.read_text(encoding="utf-8").splitlines()
    (tmp_path / "zhihu" / "train.jsonl").write_text("\n".join(lines[:20]), encoding="utf-8")
    (tmp_path / "zhihu" / "dev.jsonl").write_text("\n".join(lines[20:32]), encoding="utf-8")
    train = list(read_questions(tmp_path / "zhihu" / "train.jsonl"))
    tagger = replace(tiny_tagger, evidence=Evidence.build(train, (), tiny_tagger.codec.segmenter))
    monkeypatch.setattr(vote_weights, "Tagger", SimpleNamespace(load=lambda path: tagger))
    for name in ("LISTED", "LINEAR"):
        monkeypatch.setattr(vote_weights, name, (0.0,))
    vote_weights.main(["--data", str(tmp_path), "--folds", "3"])
    said = capsys.readouterr().out
    assert "\nChosen:\n| " in said
    assert "\nChosen on the other parts (3): F1 " in said
    with pytest.raises(SystemExit):
        vote_weights.main(["--data", str(tmp_path), "--folds", "1"])
    monkeypatch.setattr(vote_weights, "Tagger", SimpleNamespace(load=lambda path: tiny_tagger))
    with pytest.raises(SystemExit, match="no retriever"):
        vote_weights.main(["--data", str(tmp_path)])
