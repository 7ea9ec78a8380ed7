"""What others make of the same decisions: trained anew on them, by TF-IDF of the words and nothing else.

Omikuji (linear classifiers along trees of tags) and a ridge regression of every tag. How many tags a peer keeps, from
which score on, and which of its settings is used is chosen on the decisions themselves, by one rule for both: each fold
is ranked by what was learned from the others, and the choice with the best F1 there is taken. Both need the packages of
requirements-dev.txt, imported where they are used: nothing else does.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from l2a.errors import SettingsError
from l2a.evidence.source import FoldedWords
from l2a.measure.cutoff import Cutoff, choose_cutoff
from l2a.text.cleaning import match_key

CANDIDATES = 10  # tags that a peer ranks for a question; the score reads five
FOLDS = 5
RIDGE = 0.5  # of 0.1 to 4 the best on development questions of two domains, by a few tenths
DEFAULT_TREES: Mapping[str, Any] = {}
BONSAI_TREES: Mapping[str, Any] = {  # as in l2a.training.teaching.forest
    "cluster_k": 100,
    "collapse_every_n_layers": 5,
    "cluster_balanced": False,
}

PeerRanking = list[list[tuple[str, float]]]  # for each question its likeliest tags with scores, the best first
Rank = Callable[[Any, Any, Sequence[frozenset[str]]], PeerRanking]  # features to learn from and to answer, tags


@dataclass(frozen=True)
class PeerAnswer:
    """What a peer keeps for each test question."""

    tags: list[list[str]]  # as matching keys
    chosen: str  # setting and cut
    seconds: float  # of learning, choosing and answering


class Peers:
    """Questions as the peers read them; their words are counted once. Raises SettingsError without the packages."""

    def __init__(self, learn: Sequence[FoldedWords], tags: Sequence[Sequence[str]], test: Sequence[FoldedWords]):
        """tags: of the questions to learn from."""
        ensure_installed()
        counts = _count([*learn, *test])
        self._learn, self._test = counts[: len(learn)], counts[len(learn) :]
        self._keys = [frozenset(map(match_key, own)) for own in tags]

    def answer(self, decided: Sequence[int]) -> dict[str, PeerAnswer]:
        """Peer -> its answers. decided: places of the questions that it may learn from, at least one."""
        return {name: self._answer(list(decided), settings) for name, settings in peers().items()}

    def _answer(self, decided: list[int], settings: Mapping[str, Rank]) -> PeerAnswer:
        begun = time.perf_counter()
        name, cutoff = self._choose(decided, settings)
        ranking = self._rank(settings[name], decided, self._test)
        chosen = ", ".join(filter(None, (name, str(cutoff))))
        return PeerAnswer(cutoff.keep(ranking), chosen, time.perf_counter() - begun)

    def _choose(self, decided: list[int], settings: Mapping[str, Rank]) -> tuple[str, Cutoff]:
        """The setting and the cut with the best F1 on folds that were not learned from; the first of equal ones."""
        if len(decided) < 2:
            return next(iter(settings)), Cutoff()
        folds = min(FOLDS, len(decided))
        gold = [sorted(self._keys[place]) for fold in range(folds) for place in decided[fold::folds]]
        best, best_f1 = (next(iter(settings)), Cutoff()), -1.0
        for name, rank in settings.items():
            ranking: PeerRanking = []
            for fold in range(folds):
                others = [place for at, place in enumerate(decided) if at % folds != fold]
                ranking += self._rank(rank, others, self._learn[decided[fold::folds]])
            cutoff, f1 = choose_cutoff(ranking, gold)
            if f1 > best_f1:
                best, best_f1 = (name, cutoff), f1
        return best

    def _rank(self, rank: Rank, learned: list[int], asked: Any) -> PeerRanking:
        learn, answer = _tfidf(self._learn[learned], asked)
        return rank(learn, answer, [self._keys[place] for place in learned])


def peers() -> dict[str, Mapping[str, Rank]]:
    """Peer -> its settings, of which one is chosen."""
    trees = {
        "": partial(rank_by_trees, settings=DEFAULT_TREES),
        "Bonsai": partial(rank_by_trees, settings=BONSAI_TREES),
    }
    return {"Omikuji": trees, "ridge": {"": rank_by_ridge}}


def ensure_installed() -> None:
    """Raises SettingsError with what to install."""
    try:
        import omikuji  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        raise SettingsError("simulate.no_peers", module=error.name) from error


def rank_by_ridge(learn, answer, gold: Sequence[frozenset[str]]) -> PeerRanking:
    """Ridge regression of every tag, by the kernel trick: as many unknowns as questions.

    learn, answer: (questions, words), rows of length one. gold: tags of those to learn from.
    """
    from scipy.linalg import cho_factor, cho_solve

    names, wanted = label_matrix(gold)
    kernel = (learn @ learn.T).toarray()
    kernel[np.diag_indices_from(kernel)] += RIDGE
    weights = cho_solve(cho_factor(kernel), wanted.astype(float))
    return best_columns(names, (answer @ learn.T) @ weights)


def rank_by_trees(learn, answer, gold: Sequence[frozenset[str]], *, settings: Mapping[str, Any]) -> PeerRanking:
    """Omikuji. Its clustering is random and takes no seed: where tags are many, a new run differs by a few tenths."""
    import omikuji

    names = sorted(frozenset().union(*gold))
    number = {key: str(index) for index, key in enumerate(names)}
    with tempfile.TemporaryDirectory() as folder:  # Omikuji learns from a file only
        path = Path(folder) / "train.txt"
        with path.open("w", encoding="ascii") as out:
            print(*learn.shape, len(names), file=out)
            for row, keys in zip(_rows(learn), gold, strict=True):
                print(",".join(number[key] for key in sorted(keys)), *(f"{c}:{v:.5f}" for c, v in row), file=out)
        chosen = omikuji.Model.default_hyper_param()
        for name, value in settings.items():
            setattr(chosen, name, value)
        with quiet_program():
            model = omikuji.Model.train_on_data(str(path), chosen, n_threads=1)
    model.init_prediction_thread_pool(1)
    return [[(names[index], score) for index, score in model.predict(row, 10, CANDIDATES)] for row in _rows(answer)]


def label_matrix(gold: Sequence[frozenset[str]]) -> tuple[list[str], np.ndarray]:
    """The distinct tags, and (questions, tags) with True where a question has the tag."""
    names = sorted(frozenset().union(*gold))
    place = {key: index for index, key in enumerate(names)}
    matrix = np.zeros((len(gold), len(names)), dtype=bool)
    for row, keys in enumerate(gold):
        matrix[row, [place[key] for key in keys]] = True
    return names, matrix


def best_columns(names: Sequence[str], scores: np.ndarray) -> PeerRanking:
    """The best tags of each row of (questions, tags); equal scores in the order of the names."""
    ranking = []
    for row in scores:
        order = np.argsort(-row, kind="stable")[:CANDIDATES]
        ranking.append([(names[column], float(row[column])) for column in order])
    return ranking


def _count(words: Sequence[FoldedWords]):
    """(questions, words): how often each word stands in each question."""
    from scipy.sparse import csr_matrix

    columns: dict[str, int] = {}
    places = [[columns.setdefault(word, len(columns)) for word in one.weighted()] for one in words]
    rows = np.repeat(np.arange(len(words)), list(map(len, places)))
    ones = np.ones(len(rows))
    shape = (len(words), max(1, len(columns)))
    return csr_matrix((ones, (rows, np.concatenate([*places, []]).astype(int))), shape=shape)  # adds up repetitions


def _tfidf(learn, answer):
    """The features that `l2a.training.teaching.forest` has: of words that stand in what is learned from."""
    from sklearn.feature_extraction.text import TfidfTransformer

    known = np.unique(learn.indices)
    if len(known):
        learn, answer = learn[:, known], answer[:, known]
    weigh = TfidfTransformer(sublinear_tf=True).fit(learn)
    return weigh.transform(learn), weigh.transform(answer)


@contextmanager
def quiet_program() -> Iterator[None]:
    """Without Omikuji's log and progress bars, which it writes past Python, over our own lines."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {number: os.dup(number) for number in (1, 2)}
    try:
        with open(os.devnull, "wb") as nowhere:
            for number in kept:
                os.dup2(nowhere.fileno(), number)
        yield
    finally:
        for number, original in kept.items():
            os.dup2(original, number)
            os.close(original)


def _rows(matrix) -> Iterator[list[tuple[int, float]]]:
    """The (column, value) pairs of each row of a sparse matrix."""
    for start, end in zip(matrix.indptr, matrix.indptr[1:], strict=False):
        yield list(zip(matrix.indices[start:end].tolist(), matrix.data[start:end].tolist(), strict=True))
