"""Which weights the attention page shows, of which words: without drawing them."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.figures.heatmap import Heatmap

if TYPE_CHECKING:
    from l2a.explain import Explanation

KINDS = ("cross", "self")
WAYS = ("mean", "max", "rollout", "head")  # head: one head of one layer


@dataclass(frozen=True)
class View:
    """How the weights are looked at; layer and head count from 1 and matter for one head only."""

    kind: str = "cross"
    how: str = "mean"
    layer: int = 1
    head: int = 1
    hints: bool = False  # whether words that a retriever added are shown


def cross_weights(explanation: "Explanation", view: View) -> np.ndarray:
    """(T, S): cross-attention in the way it is looked at."""
    if view.how != "head":
        return explanation.cross_summary(view.how)
    return _one_head(explanation, explanation.cross, view)


def weights_of(explanation: "Explanation", view: View) -> np.ndarray:
    """(T, S) or (T, T): what the heatmap shows; raises InputError where a model has no self-attention."""
    if view.kind == "cross":
        return cross_weights(explanation, view)
    if view.how == "head" and explanation.self is not None:
        return _one_head(explanation, explanation.self, view)
    return explanation.self_summary("mean" if view.how == "head" else view.how)


def make_heatmap(explanation: "Explanation", view: View) -> Heatmap:
    """Tag words down; across the question's words, or what the decoder had read so far from `<s>` on."""
    steps = explanation.tag_of_step
    weights = weights_of(explanation, view)
    is_cross = view.kind == "cross"
    columns = source_words(explanation, view) if is_cross else explanation.input_words
    return Heatmap(
        rows=explanation.output_words,
        columns=columns,
        weights=weights[:, : len(columns)],
        mask=None if is_cross else np.triu(np.ones(weights.shape, dtype=bool), k=1),  # not written yet
        breaks=tuple(step for step in range(1, len(steps)) if steps[step] != steps[step - 1]),
    )


def source_words(explanation: "Explanation", view: View) -> tuple[str, ...]:
    """The source words that are shown: the retriever's hints, which come last, if they are asked for."""
    return explanation.source_words[: len(explanation.source_words) - (0 if view.hints else explanation.hints)]


def hint_share(explanation: "Explanation", view: View) -> float:
    """How much of the attention to the source goes to hints; of maxima, which add up to nothing, that of the mean."""
    weights = cross_weights(explanation, replace(view, how="mean") if view.how == "max" else view)
    return float(weights[:, len(explanation.source_words) - explanation.hints :].sum() / weights.sum())


def one_head_of(explanation: "Explanation", view: View) -> tuple[int, int]:
    """Layer and head, from 1; a link may name one that this model does not have, the last is taken then."""
    layers, heads = explanation.cross.shape[:2]
    return min(view.layer, layers), min(view.head, heads)


def _one_head(explanation: "Explanation", weights: np.ndarray, view: View) -> np.ndarray:
    """(L, H, T, n) -> (T, n)."""
    layer, head = one_head_of(explanation, view)
    return weights[layer - 1, head - 1]
