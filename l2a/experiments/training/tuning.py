"""Every kind of method is tuned with the same care: the same few settings, the same time for each, and dev chooses.

Kinds are the three classifiers, label models and word models. A setting is judged like a method in the tables: its best
epoch, at the number of tags or the threshold that suits it on dev.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from l2a.experiments.corpora import Corpus
from l2a.experiments.training.methods import TRIED_WITH, Method
from l2a.experiments.training.scales import Setting
from l2a.measure.metrics import nlpcc_score


def trials_of(kind: str, tried: Sequence[Setting]) -> list[Method]:
    return [TRIED_WITH[kind].with_setting(setting) for setting in tried]


def dev_f1(run: Mapping[str, Any], corpus: Corpus) -> float:
    return nlpcc_score(run["answers"]["chosen"]["dev"], corpus.gold("dev")).f1


def best_trial(runs: Mapping[Setting, Mapping[str, Any]], corpus: Corpus) -> Setting:
    """The setting with the best F1 on dev; of equal ones the first that was tried."""
    return max(runs, key=lambda setting: dev_f1(runs[setting], corpus))
