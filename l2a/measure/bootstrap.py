"""How sure a difference of two NLPCC scores is: a paired bootstrap over the questions.

The questions are drawn again with replacement, both sides on the same draw, so the interval says how much the
difference would move with other questions of the same kind.
"""

import numpy as np

from l2a.measure.metrics import WEIGHTS, TagLists, judge_predictions, match_keys

RESAMPLES = 2000
_AT_ONCE = 10_000_000  # numbers in memory


def difference_interval(
    gold: TagLists, before: TagLists, after: TagLists, seed: int = 1, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95% of the differences of F1, `after` minus `before`; zeros where there is no question."""
    if not gold:
        return (0.0, 0.0)
    return counts_interval(question_counts(after, gold), question_counts(before, gold), seed, resamples)


def counts_interval(
    first: np.ndarray, second: np.ndarray, seed: int = 1, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95% of the differences of F1, `first` minus `second`, of counts (Q, 4) as `question_counts` gives them."""
    questions = len(first)
    generator, shares = np.random.default_rng(seed), np.full(questions, 1 / questions)
    differences: list[float] = []
    while len(differences) < resamples:
        some = min(resamples - len(differences), max(1, _AT_ONCE // questions))
        drawn = generator.multinomial(questions, shares, size=some)  # (some, Q) how often each question was drawn
        differences += (f1_of_sums(drawn @ first) - f1_of_sums(drawn @ second)).tolist()
    low, high = np.quantile(differences, (0.025, 0.975))
    return float(low), float(high)


def question_counts(predictions: TagLists, gold: TagLists) -> np.ndarray:
    """(Q, 4): weighted correct, weighted predicted, correct, true tags. Their sums give the NLPCC score."""
    rows = []
    for verdicts, tags in zip(judge_predictions(predictions, gold), gold, strict=True):
        weights = [weight for weight, (_, is_correct) in zip(WEIGHTS, verdicts, strict=False) if is_correct]
        rows.append((sum(weights), sum(WEIGHTS[: len(verdicts)]), len(weights), len(match_keys(tags))))
    return np.array(rows, dtype=float).reshape(-1, 4)


def f1_of_sums(sums: np.ndarray) -> np.ndarray:
    """(R, 4) -> (R,)"""
    weighted, predicted, correct, gold = sums.T
    precision = np.divide(weighted, predicted, out=np.zeros_like(weighted), where=predicted > 0)
    recall = np.divide(correct, gold, out=np.zeros_like(correct), where=gold > 0)
    both = precision + recall
    return np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
