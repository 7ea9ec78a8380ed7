"""Ridge regression by conjugate gradients, against the closed form."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from l2a.evidence import ridge
from l2a.evidence.ridge import weigh_words


@pytest.mark.parametrize("at_once", [2, 256])
def test_weights_are_those_of_the_closed_form_with_questions_that_count_less(at_once, monkeypatch):
    monkeypatch.setattr(ridge, "_TAGS_AT_ONCE", at_once)
    draw = np.random.default_rng(1)
    x = draw.random((40, 12)) * (draw.random((40, 12)) < 0.4)
    y = (draw.random((40, 5)) < 0.3).astype(float)
    worth = np.where(np.arange(40) < 25, 1.0, 0.3)
    expected = np.linalg.solve(x.T @ (worth[:, None] * x) + 2.0 * np.eye(12), x.T @ (worth[:, None] * y))
    expected[np.abs(expected) < 0.02] = 0
    found = weigh_words(csr_matrix(x), csr_matrix(y), worth, strength=2.0, smallest=0.02)
    np.testing.assert_allclose(found.toarray(), expected, atol=2e-3)


def test_no_tags_no_weights():
    found = weigh_words(csr_matrix(np.eye(3)), csr_matrix((3, 0)), np.ones(3), strength=1.0, smallest=0.0)
    assert found.shape == (3, 0)
