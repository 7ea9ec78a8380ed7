"""N-best voting: a tag's votes are the hypotheses that contain it (paper section 4.5). Pure and deterministic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from l2a.text import match_key

# (7 / 55) * 55 is a little under 7 in floating point: a tag with just the threshold's votes would be kept.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class TagVote:
    """How the N-best list stands behind a tag."""

    tag: str
    votes: int  # hypotheses that contain it
    share: float  # votes / N, N being the beam asked for
    rank: int  # from 1
    kept: bool  # votes > threshold * N
    best_hypothesis: int  # place in the N-best list of the most probable hypothesis with it, from 0
    probability: float  # sum of its hypotheses' probabilities, as the model gives them


def count_votes(
    tag_lists: Sequence[Sequence[str]], log_probabilities: Sequence[float], *, beam: int, threshold: float = 0.25
) -> list[TagVote]:
    """All tags of the N-best list, best first.

    tag_lists, log_probabilities: the hypotheses, best first. `beam` is N even where fewer hypotheses came back.
    Spellings with one matching key are one tag, shown as in its most probable hypothesis; a hypothesis votes
    once for a tag. Ties in votes go to the greater probability, then to the better best hypothesis, then to the
    tag that comes first in that hypothesis.
    """
    found: dict[str, dict] = {}
    for place, (tags, log_probability) in enumerate(zip(tag_lists, log_probabilities, strict=True)):
        first_spelling: dict[str, tuple[int, str]] = {}
        for position, tag in enumerate(tags):
            first_spelling.setdefault(match_key(tag), (position, tag))
        for key, (position, tag) in first_spelling.items():
            entry = found.setdefault(key, {"tag": tag, "votes": 0, "mass": 0.0, "place": place, "position": position})
            entry["votes"] += 1
            entry["mass"] += math.exp(log_probability)
    ranked = sorted(found.values(), key=lambda e: (-e["votes"], -e["mass"], e["place"], e["position"]))
    return [
        TagVote(
            tag=entry["tag"],
            votes=entry["votes"],
            share=entry["votes"] / beam,
            rank=rank,
            kept=entry["votes"] > threshold * beam + _ROUNDING,
            best_hypothesis=entry["place"],
            probability=min(1.0, entry["mass"]),
        )
        for rank, entry in enumerate(ranked, start=1)
    ]
