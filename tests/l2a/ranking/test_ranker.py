"""The ranker: fitted like an independent solver fits, convex, and sure of its order."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from l2a.errors import SettingsError
from l2a.evidence.source import Finding
from l2a.ranking import ranker as ranking
from l2a.ranking.candidates import Candidate
from l2a.ranking.ranker import CUTS, EARLY, PULL, Prior, Ranker, Served, fit, sources_of
from l2a.search.voting import TagVote
from tests.l2a.ranking.priors import prior_of


def problem(seed: int, rows: int = 60, figures: int = 4):
    """Rows with a constant at the end, verdicts, weights to begin with, and how they are held."""
    draw = np.random.default_rng(seed)
    described = np.concatenate([draw.normal(size=(rows, figures)) * 2, np.ones((rows, 1))], axis=1)
    verdicts = (draw.random(rows) < 0.4).astype(float)
    return described, verdicts, draw.normal(size=figures + 1), draw.uniform(0.1, 40, figures + 1)


def cost_of(described, verdicts, begin, pull):
    """The sum of -log of the chance of each verdict, and the penalty."""

    def cost(weights):
        said = np.log1p(np.exp(-(2 * verdicts - 1) * (described @ weights))).sum()
        return said + 0.5 * (pull * (weights - begin) ** 2).sum()

    return cost


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_those_of_an_independent_solver(seed):
    parts = problem(seed)
    found = fit(*parts)
    other = minimize(cost_of(*parts), parts[2], method="Powell", options={"xtol": 1e-10, "ftol": 1e-14})
    np.testing.assert_allclose(found, other.x, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_cost_has_one_minimum_and_it_is_found_from_wherever(seed):
    """Flat there, and curved upwards in every direction: nothing else can be as good."""
    parts = problem(seed)
    described, verdicts, begin, pull = parts
    found, cost, draw = fit(*parts), cost_of(*parts), np.random.default_rng(seed)
    chances = 1 / (1 + np.exp(-(described @ found)))
    np.testing.assert_allclose(described.T @ (chances - verdicts) + pull * (found - begin), 0, atol=1e-7)
    for _ in range(20):
        one, two = draw.normal(size=(2, len(begin))) * 3
        assert cost(found) <= cost(one)
        assert cost((one + two) / 2) < (cost(one) + cost(two)) / 2
    order = draw.permutation(len(verdicts))
    np.testing.assert_allclose(fit(described[order], verdicts[order], begin, pull), found, atol=1e-9)


@pytest.mark.parametrize("verdict", [0.0, 1.0])
@pytest.mark.parametrize("rows", [1, 40])
def test_verdicts_of_one_kind_move_the_weights_and_no_further(verdict, rows):
    """A plain logistic regression runs off to infinity there."""
    described = np.ones((rows, 2))
    found = fit(described, np.full(rows, verdict), np.zeros(2), np.full(2, 1.0))
    assert np.isfinite(found).all()
    assert (found > 0).all() == (verdict == 1.0)
    # Where it stands still: rows x (chance - verdict) + weight = 0, both weights alike.
    weight = found[0]
    assert rows * (1 / (1 + math.exp(-2 * weight)) - verdict) + weight == pytest.approx(0, abs=1e-8)


def test_without_verdicts_everything_stays_where_it_began():
    begin = np.array([1.0, -2.0])
    assert fit(np.zeros((0, 2)), np.zeros(0), begin, np.full(2, 30.0)).tolist() == begin.tolist()


def test_figures_of_great_size_do_not_overflow():
    described = np.array([[800.0, 1], [-900.0, 1], [700.0, 1]])
    assert np.isfinite(fit(described, np.array([0.0, 1.0, 1.0]), np.array([5.0, 0.0]), np.full(2, 30.0))).all()


# --- served rows


FIGURES = {
    "Python": {"votes.share": 0.5, "model.standing": 0.8},
    "编程": {"votes.share": 0.25, "model.standing": 0.4, "words.score": 0.2},
    "机器 学习": {"model.standing": 0.1},
}


def test_accepted_and_added_tags_are_right_and_rejected_ones_wrong():
    served = Served.judged(FIGURES, ["python", "别的"], ["编程"])
    assert served.verdicts == [1.0, 0.0, None]
    assert served.right == 2  # with the one that was no candidate
    assert Served.judged(FIGURES, ["机器  学习"], [], is_complete=True).verdicts == [0.0, 0.0, 1.0]
    assert Served.judged({}, ["甲"]).verdicts == []


def test_what_nobody_judged_teaches_nothing():
    ranker = Ranker.shipped(prior_of({"votes.share": 1.0, "words.score": 0.5}))
    with_it = ranker.fitted([Served.judged(FIGURES, ["Python"], ["编程"])])
    without = {tag: figures for tag, figures in FIGURES.items() if tag != "机器 学习"}
    assert with_it.weights == pytest.approx(ranker.fitted([Served.judged(without, ["Python"], ["编程"])]).weights)


def random_served(seed: int, questions: int = 30) -> list[Served]:
    chance = random.Random(seed)
    names = ["votes.share", "words.score", "mentions.title", "habits.ever"]

    def one() -> Served:
        tags = {f"标签{n}": {name: chance.random() for name in chance.sample(names, 3)} for n in range(6)}
        right = chance.sample([*tags], chance.randrange(3))
        return Served.judged(tags, right, [tag for tag in tags if tag not in right][:3])

    return [one() for _ in range(questions)]


def test_a_fitted_ranker_is_the_independent_solution_on_scaled_figures():
    scales = {"votes.share": 0.25, "words.score": 2.0}
    prior = prior_of({"votes.share": 1.5, "words.score": 0.5}, scales=scales, constant=-1.0)
    served = random_served(1)
    fitted = Ranker.shipped(prior).fitted(served)
    names = ["habits.ever", "mentions.title", "votes.share", "words.score"]
    rows, verdicts = [], []
    for one in served:
        for figures, verdict in zip(one.figures, one.verdicts, strict=True):
            if verdict is not None:
                rows.append([*(figures.get(name, 0.0) / scales.get(name, 1.0) for name in names), 1.0])
                verdicts.append(verdict)
    begin = np.array([0.0, 0.0, 1.5, 0.5, -1.0])
    pull = np.full(5, PULL * (1 + EARLY / len(served)))
    other = minimize(cost_of(np.array(rows), np.array(verdicts), begin, pull), begin, method="Powell",
                     options={"xtol": 1e-10, "ftol": 1e-14})  # fmt: skip
    assert [fitted.weights[name] for name in names] == pytest.approx(other.x[:-1].tolist(), abs=1e-5)
    assert fitted.constant == pytest.approx(other.x[-1], abs=1e-5)
    assert fitted.decisions == len(served)
    score = fitted.constant + sum(
        fitted.weights[name] * value / scales.get(name, 1.0) for name, value in served[0].figures[0].items()
    )
    assert fitted.chance(served[0].figures[0]) == pytest.approx(1 / (1 + math.exp(-score)))


def test_a_few_verdicts_move_little_and_many_move_much():
    prior = prior_of({"words.score": 0.0})
    away = [
        abs(Ranker.shipped(prior).fitted(random_served(2, count)).constant - prior.constant) for count in (1, 10, 300)
    ]
    assert away[0] < away[1] < away[2]
    assert away[0] < 0.05


def test_a_fit_begins_at_what_was_shipped_and_never_at_an_earlier_fit():
    shipped = Ranker.shipped(prior_of({"votes.share": 1.0}))
    served = random_served(3)
    assert shipped.fitted(served[:5]).fitted(served) == shipped.fitted(served)


def test_only_the_newest_are_fitted_on(monkeypatch):
    monkeypatch.setattr(ranking, "WINDOW", 10)
    shipped, served = Ranker.shipped(prior_of({"votes.share": 1.0})), random_served(4)
    assert shipped.fitted(served) == shipped.fitted(served[-10:])
    assert shipped.fitted(served).decisions == 10


def test_a_ranker_without_a_source_has_no_weight_of_its_figures():
    prior = prior_of({"votes.share": 1.0, "words.score": 2.0, "mentions.title*habits.ever": 1.0, "words.score.root": 1})
    fitted = Ranker.shipped(prior).fitted(random_served(5), without=frozenset({"words", "habits"}))
    assert set(fitted.weights) == {"votes.share", "mentions.title"}
    assert fitted.chance({"words.score": 1.0}) == fitted.chance({})
    assert Ranker.shipped(prior).fitted([], without=frozenset({"votes"})).weights.keys() == {
        "words.score", "words.score.root", "mentions.title*habits.ever",
    }  # fmt: skip


def test_a_figure_tells_whose_it_is():
    assert sources_of("words.score.root") == {"words"}
    assert sources_of("mentions.title*habits.ever") == {"mentions", "habits"}


# --- order


def candidate(tag: str, votes: int = 0, probability: float = 0.0, **figures: float) -> Candidate:
    vote = TagVote(tag, votes, votes / 8, 1, False, 0, probability) if votes else None
    return Candidate(tag, vote, figures={name.replace("_", "."): value for name, value in figures.items()})


@given(st.permutations(range(6)))
def test_the_order_depends_on_nothing_but_what_is_known(order):
    ranker = Ranker.shipped(prior_of({"words.score": 1.0}))
    candidates = [
        candidate("丁", words_score=0.9),
        candidate("甲", 3, 0.5),
        candidate("乙", 3, 0.25),
        candidate("丙", 2, 0.75),
        candidate("A"),
        candidate("B"),
    ]
    ranked = ranker.rank([candidates[place] for place in order])
    assert [one.tag for one, _ in ranked] == ["丁", "甲", "乙", "丙", "A", "B"]
    assert ranked[0][1] > ranked[1][1] == ranked[5][1]


def test_findings_that_move_the_chance_most_come_first_against_it_too():
    ranker = Ranker.shipped(prior_of({"words.score": 1.0, "precedents.refused": -2.0, "habits.often": 0.1},
                                     scales={"habits.often": 0.01}))  # fmt: skip
    findings = [
        Finding("甲", "near", {"probability": 0.9}),
        Finding("甲", "words", {"score": 0.8}),
        Finding("甲", "precedents", {"refused": 0.5, "share": 0.9}),
        Finding("甲", "habits", {"often": 0.15}),
    ]
    assert [one.source for one in ranker.strongest(findings)] == ["habits", "precedents", "words", "near"]
    assert [one.source for one in ranker.strongest(reversed(findings))] == ["habits", "precedents", "words", "near"]


# --- what is shipped


def test_a_prior_comes_back_from_what_is_stored():
    prior = prior_of({"votes.share": 1.0}, scales={"votes.share": 0.1}, constant=-0.5)
    assert Prior.from_dict(prior.to_dict()) == prior


@pytest.mark.parametrize(
    "damage",
    [
        {"weights": None},
        {"weights": [1, 2]},
        {"scales": {"votes.share": 0.0}},
        {"scales": {"votes.share": -1.0}},
        {"curve": [[0.0] * 4] * (len(CUTS) - 1)},
        {"curve": [[0.0] * 3] * len(CUTS)},
        {"curve": 7},
        {"constant": "viel"},
        {"constant": math.nan},
        {"weights": {"votes.share": math.inf}},
        {"scales": {"votes.share": math.nan}},
    ],
)
def test_what_is_no_ranker_is_refused(damage):
    values = {**prior_of({"votes.share": 1.0}).to_dict(), **damage}
    with pytest.raises(SettingsError, match=r"ranker\.json is no ranker of this program"):
        Prior.from_dict(values)
    with pytest.raises(SettingsError):
        Prior.from_dict({name: value for name, value in values.items() if name not in damage})
