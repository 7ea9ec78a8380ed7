"""A linear model of the labelled questions: against an independent solution, and as a source of evidence."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from l2a.data.questions import Question
from l2a.evidence.collection import Evidence
from l2a.evidence.source import FoldedWords, PreparedQuestion
from l2a.evidence.sources import linear as linear_tags
from l2a.evidence.sources.linear import LinearTags, fit
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.test_retriever import LABELLED

SEGMENTER = Segmenter()
NOTHING = FoldedWords([], [])


def random_problem(seed: int, questions: int = 30, words: int = 12, tags: int = 5):
    draw = np.random.default_rng(seed)
    x = draw.random((questions, words)) * (draw.random((questions, words)) < 0.4)
    x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)
    y = (draw.random((questions, tags)) < 0.3).astype(float)
    return x, y


def dense(arrays, words: int, tags: int) -> np.ndarray:
    """The kept weights as (words, tags)."""
    return csr_matrix(
        (arrays["linear_weights"].astype(float), arrays["linear_tags"], arrays["linear_starts"]), shape=(words, tags)
    ).toarray()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_once", [2, 256])
def test_weights_are_those_of_ridge_regression_by_words(seed, at_once, monkeypatch):
    """The textbook's way, (Xᵀ X + ridge)⁻¹ Xᵀ Y, is another one than the module's."""
    monkeypatch.setattr(linear_tags, "_TAGS_AT_ONCE", at_once)
    x, y = random_problem(seed)
    expected = np.linalg.solve(x.T @ x + linear_tags.RIDGE * np.eye(12), x.T @ y)
    expected[np.abs(expected) < linear_tags.SMALLEST] = 0
    np.testing.assert_allclose(dense(fit(csr_matrix(x, dtype=np.float32), csr_matrix(y)), 12, 5), expected, atol=1e-3)


def test_one_word_by_hand():
    """Two questions with the word, both with the tag: 2 w + ridge w = 2, so w = 2 / 3."""
    x = csr_matrix(np.array([[1.0, 0], [1.0, 0], [0, 1.0]], dtype=np.float32))
    arrays = fit(x, csr_matrix(np.array([[1.0], [1.0], [0]])))
    np.testing.assert_allclose(dense(arrays, 2, 1), [[2 / 3], [0]], atol=1e-3)
    model = LinearTags(arrays, 2, 1)
    ((tag, probability),) = model.likely(np.array([0]), np.array([1.0], dtype=np.float32), NOTHING)
    assert (tag, round(probability, 2)) == (0, 0.67)
    assert model.likely(np.array([1]), np.array([1.0], dtype=np.float32), NOTHING) == []
    assert model.likely(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32), NOTHING) == []


def test_a_tag_of_a_single_question_is_not_learned():
    x = csr_matrix(np.eye(3, dtype=np.float32))
    arrays = fit(x, csr_matrix(np.array([[1.0], [0], [0]])))
    assert len(arrays["linear_weights"]) == 0
    assert LinearTags(arrays, 3, 1).likely(np.array([0]), np.array([1.0], dtype=np.float32), NOTHING) == []


def test_only_the_newest_questions_are_learned_from(monkeypatch):
    monkeypatch.setattr(linear_tags, "MOST_QUESTIONS", 2)
    x = csr_matrix(np.array([[1.0, 0], [1.0, 0], [0, 1.0], [0, 1.0]], dtype=np.float32))
    weights = dense(fit(x, csr_matrix(np.array([[1.0, 0], [1.0, 0], [0, 1.0], [0, 1.0]]))), 2, 2)
    np.testing.assert_allclose(weights, [[0, 0], [0, 2 / 3]], atol=1e-3)


def found(evidence: Evidence, title: str) -> dict[str, float]:
    findings = evidence.find(PreparedQuestion.of(Question(title=title), SEGMENTER))
    return {one.tag: one.probability for one in findings if one.source == "linear"}


def test_it_speaks_only_where_it_was_learned():
    assert found(Evidence.build(LABELLED, (), SEGMENTER), "怎样学好吉他？") == {}
    built = Evidence.build(LABELLED, (), SEGMENTER, learn=["linear"])
    assert set(found(built, "怎样学好吉他？")) == {"吉他", "音乐"}
    assert set(found(built, "养猫")) == {"宠物"}
    assert found(built, "股票") == {}
    kept = Evidence.of({name: array.copy() for name, array in built.arrays.items()})
    assert found(kept, "养猫") == found(built, "养猫")


def test_decisions_are_learned_from_when_they_are_added():
    built = Evidence.build(LABELLED, (), SEGMENTER, learn=["linear"])
    decided = [
        Question(id="5", title="怎样观星才不冷？", tags=("天文",)),
        Question(id="6", title="观星要带什么？", tags=("天文",)),
    ]
    assert "天文" not in found(built, "哪里适合观星？")
    grown = built.extended(decided, SEGMENTER)
    assert next(iter(found(grown, "哪里适合观星？"))) == "天文"
    assert next(iter(found(grown, "吉他"))) in ("吉他", "音乐")
    assert "linear_starts" not in Evidence.build(LABELLED, (), SEGMENTER).extended(decided, SEGMENTER).arrays
