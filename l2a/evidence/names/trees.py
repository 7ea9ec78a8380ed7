"""Boosted decision trees as flat arrays: learned with scikit-learn, asked with numpy alone."""

from collections.abc import Mapping

import numpy as np
from scipy.special import expit

_NAMES = ("tree_figure", "tree_limit", "tree_left", "tree_right", "tree_value", "tree_starts", "tree_base")


class Trees:
    """The sum of what the leaves of all trees say, as a probability."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.arrays = {name: arrays[name] for name in _NAMES}
        self._figure, self._limit, self._left, self._right, self._value, starts, base = self.arrays.values()
        self._roots = starts[:-1].astype(np.int64)
        self._base = float(base[0])
        self._left, self._right = self._left.astype(np.int64), self._right.astype(np.int64)

    @classmethod
    def learn(cls, figures: np.ndarray, is_right: np.ndarray, weights: np.ndarray, *, trees: int, seed: int) -> "Trees":
        """figures: (n, k) without gaps."""
        from sklearn.ensemble import HistGradientBoostingClassifier  # a development requirement: only learning needs it

        learned = HistGradientBoostingClassifier(
            max_iter=trees,
            learning_rate=0.08,
            max_leaf_nodes=15,
            min_samples_leaf=60,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=seed,
        ).fit(figures, is_right, sample_weight=weights)
        nodes = [stage[0].nodes for stage in learned._predictors]
        starts = np.cumsum([0, *map(len, nodes)])
        joined = np.concatenate(nodes)
        shift = np.repeat(starts[:-1], list(map(len, nodes)))
        own = np.arange(len(joined))
        is_leaf = joined["is_leaf"].astype(bool)
        return cls(
            {
                "tree_figure": joined["feature_idx"].astype(np.uint8),
                "tree_limit": joined["num_threshold"].astype(np.float32),
                # A leaf leads to itself, so that all rows can walk on until the deepest has arrived.
                "tree_left": np.where(is_leaf, own, joined["left"] + shift).astype(np.int32),
                "tree_right": np.where(is_leaf, own, joined["right"] + shift).astype(np.int32),
                "tree_value": np.where(is_leaf, joined["value"], 0.0).astype(np.float32),
                "tree_starts": starts.astype(np.int32),
                "tree_base": np.ravel(learned._baseline_prediction).astype(np.float64),
            }
        )

    def probability(self, figures: np.ndarray) -> np.ndarray:
        """(n,) of rows (n, k)."""
        if not len(figures):
            return np.zeros(0)
        rows = np.arange(len(figures))[:, None]
        places = np.repeat(self._roots[None, :], len(figures), axis=0)  # (n, trees)
        while True:
            goes_left = figures[rows, self._figure[places]] <= self._limit[places]
            after = np.where(goes_left, self._left[places], self._right[places])
            if np.array_equal(after, places):
                return expit(self._base + self._value[places].sum(axis=1, dtype=np.float64))
            places = after
