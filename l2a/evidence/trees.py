"""Boosted decision trees as flat arrays: learned with scikit-learn, asked with numpy alone."""

from collections.abc import Mapping

import numpy as np
from scipy.special import expit

_NAMES = ("figure", "limit", "left", "right", "value", "starts", "base")


class Trees:
    """The sum of what the leaves of all trees say, as a probability."""

    def __init__(self, arrays: Mapping[str, np.ndarray], name: str):
        """name: what the names of the arrays begin with."""
        self.arrays = {f"{name}_{part}": arrays[f"{name}_{part}"] for part in _NAMES}
        self._figure, self._limit, self._left, self._right, self._value, starts, base = self.arrays.values()
        self._roots = starts[:-1].astype(np.int64)
        self._base = float(base[0])
        self._left, self._right = self._left.astype(np.int64), self._right.astype(np.int64)

    @classmethod
    def nothing(cls, name: str) -> "Trees":
        """Where there was nothing to learn from: nothing is likely."""
        leaf = {"figure": np.uint8, "left": np.int32, "right": np.int32, "limit": np.float32, "value": np.float32}
        arrays = {f"{name}_{part}": np.zeros(1, kind) for part, kind in leaf.items()}
        return cls({**arrays, f"{name}_starts": np.array([0, 1], np.int32), f"{name}_base": np.array([-10.0])}, name)

    @classmethod
    def learn(
        cls,
        name: str,
        figures: np.ndarray,
        is_right: np.ndarray,
        weights: np.ndarray,
        *,
        trees: int,
        rate: float,
        leaves: int,
        least: int,
        seed: int,
    ) -> "Trees":
        """figures: (n, k) without gaps. rate: what each tree counts. leaves: of a tree. least: rows of a leaf."""
        from sklearn.ensemble import HistGradientBoostingClassifier  # a development requirement: only learning needs it

        learned = HistGradientBoostingClassifier(
            max_iter=trees,
            learning_rate=rate,
            max_leaf_nodes=leaves,
            min_samples_leaf=least,
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
                f"{name}_figure": joined["feature_idx"].astype(np.uint8),
                f"{name}_limit": joined["num_threshold"].astype(np.float32),
                # A leaf leads to itself, so that all rows can walk on until the deepest has arrived.
                f"{name}_left": np.where(is_leaf, own, joined["left"] + shift).astype(np.int32),
                f"{name}_right": np.where(is_leaf, own, joined["right"] + shift).astype(np.int32),
                f"{name}_value": np.where(is_leaf, joined["value"], 0.0).astype(np.float32),
                f"{name}_starts": starts.astype(np.int32),
                f"{name}_base": np.ravel(learned._baseline_prediction).astype(np.float64),
            },
            name,
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
