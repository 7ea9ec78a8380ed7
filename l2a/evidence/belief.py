"""How likely a listed tag is right that stands in a text and that nobody has given yet: a logistic regression."""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from l2a.evidence.literal import TextMatch
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import is_word_like

_LONGEST_NAME = 8  # characters: a longer name is no surer than one of these
_RIDGE = 1.0  # keeps the weights finite where few tags were met


def describe(match: TextMatch, words: FoldedWords, matches: int, seen: float) -> list[float]:
    """What tells a right listed tag from a wrong one: (8,), the first for the constant.

    matches: listed tags that stand in the text; seen: labelled questions in which this one stood and was no tag.
    """
    text = "".join(words[match.column])
    in_title = float(match.column == 0)
    return [
        1.0,
        in_title,
        min(len(match.key), _LONGEST_NAME),
        np.log1p(max(0.0, seen)),
        in_title * text.find(match.key) / max(1, len(text)),
        np.log1p(sum(len(word) for word in words.title if is_word_like(word))),
        np.log1p(matches),
        np.log1p("".join((*words.title, *words.description)).count(match.key)),
    ]


def fit(described: np.ndarray, is_right: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression, (8,), for tags (n, 8) of which some are right (n,)."""
    from scipy.optimize import minimize  # a good part of a second, and only training needs it

    def cost(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = described @ weights
        loss = np.logaddexp(0, scores).sum() - scores[is_right].sum() + 0.5 * _RIDGE * (weights[1:] @ weights[1:])
        slope = described.T @ (expit(scores) - is_right)
        slope[1:] += _RIDGE * weights[1:]
        return loss, slope

    return minimize(cost, np.zeros(described.shape[1]), jac=True, method="L-BFGS-B").x


def probability(weights: np.ndarray, described: Sequence[float]) -> float:
    return float(expit(np.asarray(described) @ weights))
