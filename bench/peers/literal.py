"""Literal matching: listed tags that stand verbatim in the question, and the same mixed into another ranking."""

import math

from bench.peers.material import Material, Ranking, Variants
from l2a.evidence.literal import LiteralMatcher
from l2a.text.cleaning import match_key

FIRST = 2  # of the other ranking, before the literal match
LITERAL_SCORES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)  # from which a literal match is taken into the mixture


def match(material: Material) -> Variants:
    """The tag list and the training tags, with precisions learned from gold, in the matcher's own order."""
    listed = [tag for question in material.gold for tag in question.tags] + list(material.lexicon)
    matcher = LiteralMatcher(listed, material.segmenter)
    matcher.learn(material.cuts, material.keys)
    matches = [matcher.rank(words) for words in material.question_cuts]
    return {"": [[(one.tag, one.score * math.sqrt(one.words)) for one in found] for found in matches]}


def mix(others: Variants, literal: Ranking) -> Variants:
    """The other's first two, the best literal match that is not one of them, the other's rest.

    The literal match is kept by a cut-off of its own, so the other's cut-off must not drop it: its score is infinite.
    """
    return {
        ", ".join(filter(None, (name, f"literal from {least}"))): [
            _mix_one(pairs, [tag for tag, score in matched if score >= least])
            for pairs, matched in zip(ranking, literal, strict=True)
        ]
        for name, ranking in others.items()
        for least in LITERAL_SCORES
    }


def _mix_one(pairs: list[tuple[str, float]], matched: list[str]) -> list[tuple[str, float]]:
    first = {match_key(tag) for tag, _ in pairs[:FIRST]}
    added = next((tag for tag in matched if match_key(tag) not in first), None)
    if added is None:
        return list(pairs)
    rest = [pair for pair in pairs[FIRST:] if match_key(pair[0]) != match_key(added)]
    return [*pairs[:FIRST], (added, math.inf), *rest]
