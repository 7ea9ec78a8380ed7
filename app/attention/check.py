"""Whether attention and what words are worth agree: the check as it is looked at."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.attention.weights import View, cross_weights, source_words

if TYPE_CHECKING:
    from l2a.explain import Explanation, Occlusion


def compare_with(occlusion: "Occlusion", explanation: "Explanation", tag: int, view: View) -> "Occlusion":
    """The check as it is looked at: of the words that are shown, and against one head's attention if it is one's."""
    shown = len(source_words(explanation, view))
    attention = occlusion.attention
    if view.how == "head":
        steps = [step for step, of in enumerate(explanation.tag_of_step) if of == tag]
        attention = cross_weights(explanation, view)[steps].mean(axis=0)
    elif shown == len(attention):
        return occlusion
    drops, attention = occlusion.drops[:shown], attention[:shown]
    return replace(occlusion, drops=drops, attention=attention, rank_correlation=rank_correlation(drops, attention))


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float | None:
    """Spearman's; None where it is not defined."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)
