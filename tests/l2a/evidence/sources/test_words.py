"""Ridge regression without training: against the exact solution, and as a source."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.evidence.sources import words as ridge
from l2a.evidence.sources.words import LEAST_SCORE, RIDGE, solve
from tests.l2a.evidence.sources.remembering import ask, figures, memory_of, opened, told


def problem(seed: int, rows: int = 80, words: int = 30):
    draw = np.random.default_rng(seed)
    table = draw.random((rows, words)) * (draw.random((rows, words)) < 0.2) + 1e-3 * np.eye(rows, words)
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    question = draw.random(words) * (draw.random(words) < 0.3)
    return table, table @ (question / max(np.linalg.norm(question), 1e-9))


def exact(table: np.ndarray, likeness: np.ndarray) -> np.ndarray:
    return np.linalg.solve(table @ table.T + RIDGE * np.eye(len(table)), likeness)


@pytest.mark.parametrize("seed", range(5))
def test_with_steps_enough_it_is_the_exact_solution(seed, monkeypatch):
    monkeypatch.setattr(ridge, "STEPS", 200)
    table, likeness = problem(seed)
    np.testing.assert_allclose(solve(csr_matrix(table), likeness), exact(table, likeness), atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_its_few_steps_come_near_to_the_exact_scores(seed):
    table, likeness = problem(seed)
    given_tags = np.random.default_rng(seed + 100).random((80, 6)) < 0.2
    found, wanted = given_tags.T @ solve(csr_matrix(table), likeness), given_tags.T @ exact(table, likeness)
    assert np.abs(found - wanted).max() < 0.05


def test_one_row_by_hand():
    """(1 + ridge) z = s."""
    assert solve(csr_matrix(np.array([[0.6, 0.8]])), np.array([0.5])).tolist() == pytest.approx([0.5 / (1 + RIDGE)])


def test_it_does_not_change_what_it_is_given():
    table, likeness = problem(1)
    before = likeness.copy()
    solve(csr_matrix(table), likeness)
    assert likeness.tolist() == before.tolist()


@given(st.integers(0, 10**6))
def test_the_order_of_the_rows_does_not_matter(seed):
    table, likeness = problem(seed % 50)
    order = np.random.default_rng(seed).permutation(len(table))
    found = np.zeros(len(table))
    found[order] = solve(csr_matrix(table[order]), likeness[order])
    np.testing.assert_allclose(found, solve(csr_matrix(table), likeness), atol=1e-10)


# --- as a source


DECIDED = (
    DecidedQuestion(1, "吉他 怎样 练", tags=("吉他", "音乐")),
    DecidedQuestion(2, "吉他 弦", tags=("吉他",)),
    DecidedQuestion(3, "food sand", tags=("养猫",)),
)


def test_scores_of_tags_add_up_over_the_decided_questions():
    """One word of two in common with the second question alone: (1 + ridge) z = s."""
    found = figures(opened("words", memory_of(*DECIDED)).find(ask("food bone")))
    assert found == {"养猫": {"score": pytest.approx(0.5 / (1 + RIDGE), abs=1e-6)}}
    found = figures(opened("words", memory_of(*DECIDED)).find(ask("吉他")))
    assert found["吉他"]["score"] > found["音乐"]["score"] > LEAST_SCORE


def test_a_score_is_1_at_most_and_a_faint_one_is_not_told(monkeypatch):
    many = [DecidedQuestion(n, "吉他", tags=("吉他",)) for n in range(30)]
    found = figures(opened("words", memory_of(*many)).find(ask("吉他")))
    assert 0.9 < found["吉他"]["score"] <= 1.0
    monkeypatch.setattr(ridge, "LEAST_SCORE", 1.1)
    assert opened("words", memory_of(*many)).find(ask("吉他")) == []


def test_no_more_than_the_likeliest_are_told(monkeypatch):
    monkeypatch.setattr(ridge, "MOST", 1)
    found = opened("words", memory_of(*DECIDED)).find(ask("吉他"))
    assert told(found) == {"吉他": ("finding.words",)}


def test_nothing_decided_nothing_told():
    assert opened("words", memory_of()).find(ask("吉他")) == []
    assert opened("words", memory_of(*DECIDED)).find(ask("股票")) == []
