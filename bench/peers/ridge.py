"""Ridge regression of every tag on TF-IDF: on gold, and on weak labels beside it, which count for less.

The equations of `l2a.evidence.ridge`, asked the other way round: what is solved for is how much each question
to answer takes from each labelled one, so it is one equation a question and not one a tag, and nothing is dropped.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bench.peers.material import Material, Variants, tag_keys, tfidf
from l2a.evidence.ridge import solve as solve_equations
from l2a.evidence.source import FoldedWords
from l2a.simulation.peers import best_columns
from l2a.training.teaching.pages import WEIGHT as PAGES_WEIGHT

STRENGTHS = (1.0, 2.0)  # dev chooses; with 0.25 and 0.5 it is a point or more lower there
SILVER_WEIGHT = 0.25  # as beside the four copies of gold that Omikuji learns from
# The first: all 120,000 (at 0.1) took seven minutes for the dev questions alone, and gave 0.2 points more there.
SILVER_SAMPLE = 20_000
_AT_ONCE = 400  # questions answered together: bounds the memory

Keys = list[frozenset[str]]


def gold(material: Material) -> Variants:
    return solve(material.cuts, np.ones(len(material.cuts)), {"": material.keys}, material.question_cuts)


def with_pages(material: Material) -> Variants:
    return _beside_gold(material, silver=0)


def with_silver_and_pages(material: Material) -> Variants:
    return _beside_gold(material, silver=SILVER_SAMPLE)


def _beside_gold(material: Material, silver: int) -> Variants:
    sample = material.read_silver()[:silver] if silver else []
    sizes = (len(material.cuts), len(material.page_cuts), len(sample))
    weights = np.repeat((1.0, PAGES_WEIGHT, SILVER_WEIGHT), sizes)
    labels = {
        name: [*material.keys, *keys, *tag_keys(sample)]
        for name, keys in {"pages": material.page_keys, "leaves of pages": material.page_leaf_keys}.items()
    }
    cuts = [*material.cuts, *material.page_cuts, *(material.silver_cuts[:silver] if silver else [])]
    return solve(cuts, weights, labels, material.question_cuts)


def solve(
    cuts: Sequence[FoldedWords], weights: np.ndarray, labels: Mapping[str, Keys], asked: Sequence[FoldedWords]
) -> Variants:
    """A ranking for every variant of the labels and every strength."""
    return {
        ", ".join(filter(None, (name, f"ridge {strength:g}"))): ranking
        for strength in STRENGTHS
        for name, ranking in solve_one(cuts, weights, labels, asked, strength).items()
    }


def solve_one(
    cuts: Sequence[FoldedWords],
    weights: np.ndarray,
    labels: Mapping[str, Keys],
    asked: Sequence[FoldedWords],
    strength: float,
) -> Variants:
    """A ranking for every variant of the labels: the words, and so the shares, are the same for all."""
    from scipy.sparse import diags

    learn, answer = tfidf(cuts, asked)
    roots = np.sqrt(weights).astype(np.float32)
    learn, answer = (diags(roots) @ learn).tocsr().astype(np.float32), answer.astype(np.float32)
    wanted = {name: _wanted(keys, roots) for name, keys in labels.items()}
    found: Variants = {name: [] for name in labels}
    for start in range(0, answer.shape[0], _AT_ONCE):
        # (labelled questions, asked ones): how much each asked one takes from each labelled one
        shares = solve_equations(learn, (learn @ answer[start : start + _AT_ONCE].T).toarray(), strength)
        for name, (names, columns) in wanted.items():
            found[name] += best_columns(names, (columns @ shares).T)
    return found


def _wanted(keys: Keys, roots: np.ndarray) -> tuple[list[str], Any]:
    """The distinct tags, and (tags, labelled questions) with the root of a question's weight where it has the tag."""
    from scipy.sparse import csr_matrix

    names = sorted(frozenset().union(*keys))
    place = {key: index for index, key in enumerate(names)}
    rows = [place[key] for own in keys for key in own]
    columns = np.repeat(np.arange(len(keys)), list(map(len, keys)))
    return names, csr_matrix((roots[columns], (rows, columns)), shape=(len(names), len(keys)))
