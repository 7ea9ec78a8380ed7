"""Peers on the same decisions: from the first one on, chosen on nothing but them."""

import builtins
import math
from dataclasses import replace

import numpy as np
import pytest

from l2a.errors import SettingsError
from l2a.evidence.source import FoldedWords
from l2a.simulation import peers
from l2a.simulation.peers import Peers, _tfidf, rank_by_ridge, rank_by_trees
from l2a.simulation.simulate import OURS, Plan, simulate

pytest.importorskip("omikuji")
sklearn = pytest.importorskip("sklearn")

NAMES = [OURS, "Omikuji", "ridge"]


def words(text: str) -> FoldedWords:
    return FoldedWords(text.split(), [])


LEARN = [words(text) for text in ("苹果 手机 好", "苹果 电脑 好", "跑步 鞋 好", "跑步 路 好", "苹果 屏幕", "跑步 早上")]
TAGS = [("数码",), ("数码",), ("运动",), ("运动",), ("数码",), ("运动",)]
TEST = [words("苹果 手机"), words("跑步 鞋"), words("没 见 过")]


def test_both_learn_what_there_is_to_learn():
    found = Peers(LEARN, TAGS, TEST).answer(range(6))
    assert list(found) == NAMES[1:]
    for answer in found.values():
        assert [tags[:1] for tags in answer.tags[:2]] == [["数码"], ["运动"]]
        assert answer.seconds > 0
        assert answer.chosen.removeprefix("Bonsai, ").startswith("at most 1")


@pytest.mark.parametrize("decisions", [1, 2, 3])
def test_few_decisions_are_enough_to_run(decisions):
    for answer in Peers(LEARN, TAGS, TEST).answer(range(decisions)).values():
        assert len(answer.tags) == 3
        assert {tag for tags in answer.tags for tag in tags} <= {"数码", "运动"}


def test_questions_without_words_are_no_trouble():
    empty = FoldedWords([], [])
    for learn, test in (([empty, empty], [empty]), ([empty, words("苹果")], TEST)):
        for answer in Peers(learn, TAGS[:2], test).answer([0, 1]).values():
            assert len(answer.tags) == len(test)


def test_decisions_that_are_not_there_yet_change_nothing():
    some = Peers(LEARN, TAGS, TEST).answer([0, 2])
    other = Peers(LEARN[:4] + [words("手机 鞋")] * 2, TAGS[:4] + [("别的",)] * 2, TEST).answer([0, 2])
    assert some["ridge"].tags == other["ridge"].tags


def test_features_are_those_of_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer=FoldedWords.weighted, sublinear_tf=True)
    wanted = vectorizer.fit_transform(LEARN[:3]), vectorizer.transform(TEST)
    counts = peers._count([*LEARN, *TEST])
    found = _tfidf(counts[:3], counts[6:])
    assert [matrix.shape for matrix in found] == [matrix.shape for matrix in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert (one @ found[0].T).toarray() == pytest.approx((other @ wanted[0].T).toarray())


def test_the_ridge_is_that_of_scikit_learn():
    from sklearn.linear_model import Ridge

    counts = peers._count([*LEARN, *TEST])
    learn, answer = _tfidf(counts[:6], counts[6:])
    names = ["数码", "运动"]
    wanted = np.array([[name in tags for name in names] for tags in TAGS], dtype=float)
    scores = Ridge(alpha=peers.RIDGE, fit_intercept=False).fit(learn.toarray(), wanted).predict(answer.toarray())
    ranking = rank_by_ridge(learn, answer, [frozenset(tags) for tags in TAGS])
    for row, pairs in zip(scores, ranking, strict=True):
        assert dict(pairs) == pytest.approx(dict(zip(names, row, strict=True)))
        assert [score for _, score in pairs] == sorted((score for _, score in pairs), reverse=True)


def test_the_setting_and_the_cut_are_those_that_suit_folds_best(monkeypatch):
    """A setting that repeats what it learned cannot win: a fold is ranked by what the others taught."""
    learned = []

    def wrong(learn, answer, gold):
        return [[("别的", 1.0)] for _ in range(answer.shape[0])]

    def right(learn, answer, gold):
        learned.append(len(gold))
        return [[("数码", 0.9), ("别的", 0.2)] for _ in range(answer.shape[0])]

    monkeypatch.setattr(peers, "peers", lambda: {"both": {"wrong": wrong, "right": right}})
    tags = [("数码",)] * 6
    answer = Peers(LEARN, tags, TEST).answer(range(6))["both"]
    assert answer.chosen == "right, at most 1"
    assert answer.tags == [["数码"]] * 3
    assert learned == [4, 5, 5, 5, 5, 6]  # five folds of six, then all


def test_omikuji_says_nothing_on_the_way(capfd):
    counts = peers._count([*LEARN, *TEST])
    ranking = rank_by_trees(*_tfidf(counts[:6], counts[6:]), [frozenset(tags) for tags in TAGS], settings={})
    assert [pairs[0][0] for pairs in ranking[:2]] == ["数码", "运动"]
    assert all(math.isfinite(score) for pairs in ranking for _, score in pairs)
    assert capfd.readouterr() == ("", "")


def test_a_simulation_has_points_of_the_peers_from_the_first_decision_on(learner, learn, test_questions, tmp_path):
    plan = Plan((0, 2), (1,), 4, with_peers=True)
    points = simulate(learner, learn, test_questions, tmp_path, plan, quiet=True)
    assert [(point.method, point.decisions) for point in points] == [(OURS, 0), *((name, 2) for name in NAMES)]
    assert all(point.more["chosen"] for point in points[2:])
    # They learn from the tags of the decisions and from those of no other question.
    shuffled = [replace(question, tags=("别的",)) for question in test_questions]
    other = simulate(learner, learn, shuffled, tmp_path, plan, quiet=True)
    assert [point.more["chosen"] for point in other if point.method == "ridge"] == [
        point.more["chosen"] for point in points if point.method == "ridge"
    ]


def test_without_the_packages_it_is_said_before_anything_is_decoded(
    learner, learn, test_questions, tmp_path, monkeypatch
):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "omikuji":
            raise ModuleNotFoundError("No module named 'omikuji'", name="omikuji")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SettingsError, match="--peers needs Omikuji and scikit-learn, and omikuji is not installed"):
        simulate(learner, learn, test_questions, tmp_path / "out", Plan((2,), beam=4, with_peers=True), quiet=True)
    assert not (tmp_path / "out").exists()
