"""Trees as arrays say what the library says that they were learned with."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from l2a.evidence.trees import Trees

SETTINGS = {"rate": 0.1, "leaves": 8, "least": 5, "seed": 1}


def test_arrays_give_the_librarys_probabilities(monkeypatch):
    chance = np.random.default_rng(0)
    figures = chance.normal(size=(800, 5)).round(1)
    is_right = figures[:, 0] * figures[:, 1] + figures[:, 2] > 0
    learned = []
    fit = HistGradientBoostingClassifier.fit
    monkeypatch.setattr(
        HistGradientBoostingClassifier, "fit", lambda own, *a, **k: learned.append(own) or fit(own, *a, **k)
    )
    trees = Trees.learn("of", figures, is_right, np.ones(800), trees=20, **SETTINGS)
    expected = learned[0].predict_proba(figures)[:, 1]
    assert trees.probability(figures) == pytest.approx(expected, abs=1e-6)
    again = Trees({name: array.copy() for name, array in trees.arrays.items()}, "of")
    assert again.probability(figures[:3]).tolist() == trees.probability(figures[:3]).tolist()


def test_nothing_learned_makes_nothing_likely():
    trees = Trees.nothing("of")
    assert trees.probability(np.zeros((2, 4))) == pytest.approx([4.5e-5, 4.5e-5], rel=0.01)
    assert len(trees.probability(np.zeros((0, 4)))) == 0
