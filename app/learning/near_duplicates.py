"""Questions that are nearly the same: a model must not be tested on what it was all but trained on.

Two texts are near-duplicates when the sets of their three-character pieces overlap by at least `LIKENESS` (Jaccard).
Found exactly and without comparing all pairs: of two sets that overlap so much, the rarest few pieces of the one
must hold a piece of the rarest few of the other (prefix filtering).
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

LIKENESS = 0.7
PIECE = 3  # characters


def pieces(text: str) -> frozenset[str]:
    """Three-character pieces of a text's letters and digits; case, width and punctuation do not count."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
    if len(plain) <= PIECE:
        return frozenset((plain,)) if plain else frozenset()
    return frozenset(plain[i : i + PIECE] for i in range(len(plain) - PIECE + 1))


def near_duplicates(texts: Sequence[str], others: Sequence[str], likeness: float = LIKENESS) -> set[int]:
    """Places in `texts` of those that are a near-duplicate of any of `others`."""
    mine, theirs = [pieces(text) for text in texts], [pieces(text) for text in others]
    counts = Counter(piece for some in (*mine, *theirs) for piece in some)

    def rarest(some: frozenset[str]) -> list[str]:
        ordered = sorted(some, key=lambda piece: (counts[piece], piece))
        return ordered[: len(some) - math.ceil(likeness * len(some)) + 1]

    holding: dict[str, list[int]] = defaultdict(list)
    for place, some in enumerate(theirs):
        for piece in rarest(some):
            holding[piece].append(place)
    found = set()
    for place, some in enumerate(mine):
        candidates = {other for piece in rarest(some) for other in holding.get(piece, ())}
        if any(len(some & theirs[other]) >= likeness * len(some | theirs[other]) for other in candidates):
            found.add(place)
    return found
