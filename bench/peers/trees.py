"""Omikuji: linear classifiers along trees of tags, for very many tags.

Its clustering is random and takes no seed: a new run differs by a few tenths, a cached one does not. Silver labels
are a program's (l2a.training.silver): trees that learn from them learn from the same labels as the starter.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.peers.material import SHOWN, Material, Ranking, Variants, tag_keys, tfidf

BONSAI = {"cluster_k": 100, "collapse_every_n_layers": 5, "cluster_balanced": False}  # as in l2a.training.silver.Forest
GOLD_COPIES = 4  # beside silver: gold counts for more, as in the starter's training; fixed, not tuned


def default(material: Material) -> Variants:
    return {"": _train_and_rank(*material.features, material.keys, {})}


def bonsai(material: Material) -> Variants:
    return {"": _train_and_rank(*material.features, material.keys, BONSAI)}


def with_silver(material: Material) -> Variants:
    """Default trees on gold and silver together.

    Not Bonsai-like ones: on so many questions their clustering did not come to an end in ten minutes.
    """
    silver = material.read_silver()
    learn, answer = tfidf(material.cuts * GOLD_COPIES + material.cut(silver), material.question_cuts)
    keys = material.keys * GOLD_COPIES + tag_keys(silver)
    return {f"gold {GOLD_COPIES} times": _train_and_rank(learn, answer, keys, {})}


def teacher(material: Material) -> Variants:
    """The project's own teacher of the silver labels: trees and literal matching, weighed."""
    from l2a.training.silver import Teacher

    with _quiet():
        ranked = Teacher(material.gold, material.lexicon, material.segmenter).rank(material.questions)
    return {"": [pairs[:SHOWN] for pairs in ranked]}


def _train_and_rank(learn, answer, gold: Sequence[frozenset[str]], settings: Mapping[str, Any]) -> Ranking:
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
        with _quiet():
            model = omikuji.Model.train_on_data(str(path), chosen, n_threads=1)
    model.init_prediction_thread_pool(1)
    return [[(names[index], score) for index, score in model.predict(row, 10, SHOWN)] for row in _rows(answer)]


@contextmanager
def _quiet() -> Iterator[None]:
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
