"""The paper's claims, each judged on what was measured here: holds, does not hold, or cannot tell here.

That a method is better than another holds only if 95% of a paired bootstrap over the questions say so (answers of
several seeds count with their mean) and every seed of the one is better than every seed of the other.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from l2a.experiments.report.folder import Folder
from l2a.experiments.report.tables import table
from l2a.experiments.training.runs import RULES
from l2a.measure.bootstrap import counts_interval, f1_of_sums, question_counts
from l2a.measure.metrics import TagLists

HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "cannot tell here"
RULE_NAMES = {"paper": "as the paper scores", "chosen": "number of tags chosen on dev"}


def claim(text: str, verdict: str, figures: str) -> dict[str, str]:
    return {"claim": text, "verdict": verdict, "figures": figures}


def better_claims(
    text: str,
    runs: Mapping[str, Sequence[Mapping[str, Any]]],
    pairs: Sequence[tuple[str, str]],
    gold: TagLists,
    part: str,
) -> list[dict[str, str]]:
    """The first of every pair is better than the second, once by each rule. runs: name -> the runs of every seed."""
    claims = []
    for rule in RULES:
        verdicts, figures = [], []
        for better, worse in pairs:
            first, second = ([run["answers"][rule][part] for run in runs[name]] for name in (better, worse))
            found = compare(first, second, gold)
            verdicts.append(found["verdict"])
            low, high = (f"{100 * bound:+.1f}" for bound in found["interval"])
            figures.append(f"{better} against {worse} {100 * found['difference']:+.1f} [{low}, {high}]")
        claims.append(claim(f"{text} ({RULE_NAMES[rule]})", all_of(verdicts), "; ".join(figures)))
    return claims


def compare(better: Sequence[TagLists], worse: Sequence[TagLists], gold: TagLists, seed: int = 1) -> dict[str, Any]:
    """Answers of each seed of two methods: difference of the mean F1, its interval, and the verdict."""
    counts = [[question_counts(answers, gold) for answers in side] for side in (better, worse)]  # each (Q, 4)
    singles = [[float(f1_of_sums(one.sum(axis=0)[None])[0]) for one in side] for side in counts]
    difference = float(np.mean(singles[0]) - np.mean(singles[1]))
    if not gold:
        return {"difference": 0.0, "interval": (0.0, 0.0), "verdict": UNKNOWN}
    first, second = (np.mean(side, axis=0) for side in counts)
    low, high = counts_interval(first, second, seed)
    verdict = UNKNOWN
    if low > 0 and min(singles[0]) > max(singles[1]):
        verdict = HOLDS
    elif high < 0 and max(singles[0]) < min(singles[1]):
        verdict = FAILS
    return {"difference": difference, "interval": (low, high), "verdict": verdict}


def more_counted(more: Sequence[int], fewer: Sequence[int]) -> str:
    """Verdict on counts of rare things: further apart than two such counts usually are, and so for every seed."""
    gap = float(np.mean(more) - np.mean(fewer))
    usual = 1.96 * math.sqrt(np.mean(more) + np.mean(fewer))
    if gap > usual and min(more) > max(fewer):
        return HOLDS
    return FAILS if -gap > usual and max(more) < min(fewer) else UNKNOWN


def higher_in_every_seed(higher: Sequence[float], lower: Sequence[float]) -> str:
    """Verdict on figures of several seeds; one seed cannot tell."""
    if min(len(higher), len(lower)) < 2:
        return UNKNOWN
    if min(higher) > max(lower):
        return HOLDS
    return FAILS if max(higher) < min(lower) else UNKNOWN


def all_of(verdicts: Sequence[str]) -> str:
    """Of a claim with several parts: one that fails is enough to fail, and all must hold."""
    if FAILS in verdicts:
        return FAILS
    return HOLDS if verdicts and set(verdicts) == {HOLDS} else UNKNOWN


def yes_no(is_so: bool) -> str:
    """Where everything was counted, nothing is left to chance."""
    return HOLDS if is_so else FAILS


def claims_table(folder: Folder) -> str:
    """All claims of the results that are there."""
    from l2a.experiments.catalogue import EXPERIMENTS  # which imports the experiments, and they this

    results = [(name, folder.result(name)) for name in EXPERIMENTS]
    rows = [
        (name, one["claim"], one["verdict"], one["figures"])
        for name, result in results
        if result
        for one in result.get("claims", ())
    ]
    return table(("experiment", "claim of the paper", "here", "figures (F1 differences in points [95%])"), rows)
