"""Omikuji: linear classifiers along trees of tags, for very many tags.

Its clustering is random and takes no seed: a new run differs by a few tenths, a cached one does not. Silver labels
are a program's (l2a.training.silver): trees that learn from them learn from the same labels as the starter.
"""

from bench.peers.material import SHOWN, Material, Variants, tag_keys, tfidf
from l2a.simulation.peers import BONSAI_TREES, DEFAULT_TREES, quiet_program, rank_by_trees

GOLD_COPIES = 4  # beside silver: gold counts for more, as in the starter's training; fixed, not tuned


def default(material: Material) -> Variants:
    return {"": rank_by_trees(*material.features, material.keys, settings=DEFAULT_TREES)}


def bonsai(material: Material) -> Variants:
    return {"": rank_by_trees(*material.features, material.keys, settings=BONSAI_TREES)}


def with_silver(material: Material) -> Variants:
    """Default trees on gold and silver together.

    Not Bonsai-like ones: on so many questions their clustering did not come to an end in ten minutes.
    """
    learn, answer = tfidf(material.cuts * GOLD_COPIES + material.silver_cuts, material.question_cuts)
    keys = material.keys * GOLD_COPIES + tag_keys(material.read_silver())
    return {f"gold {GOLD_COPIES} times": rank_by_trees(learn, answer, keys, settings=DEFAULT_TREES)}


def with_silver_and_pages(material: Material) -> Variants:
    """The same with topic pages, which count as silver does."""
    cuts = material.cuts * GOLD_COPIES + material.page_cuts + material.silver_cuts
    keys = material.keys * GOLD_COPIES + material.page_keys + tag_keys(material.read_silver())
    learn, answer = tfidf(cuts, material.question_cuts)
    return {f"gold {GOLD_COPIES} times": rank_by_trees(learn, answer, keys, settings=DEFAULT_TREES)}


def teacher(material: Material) -> Variants:
    """The project's own teacher of the silver labels, without further lists and without names."""
    from l2a.training.teaching.teacher import Teacher

    pages = [page.as_question() for page in material.page_rows] if material.pages else []
    with quiet_program():
        ranked = Teacher(material.gold, material.lexicon, material.segmenter, pages=pages).rank(material.questions)
    return {"": [pairs[:SHOWN] for pairs in ranked]}
