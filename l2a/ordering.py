"""The order in which a question's tags are generated (paper section 3.3).

Order 1: rare to frequent. Order 2: frequent to rare. Random: one shuffle, the same in every epoch, unless a
fresh one is asked for; the order in files is not random (it often follows frequency), so it is never used.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

ORDERS = ("order1", "order2", "random")


def count_tags(tag_lists: Iterable[Sequence[str]]) -> Counter[str]:
    """How many questions carry each tag: the frequencies that travel with a model."""
    return Counter(tag for tags in tag_lists for tag in dict.fromkeys(tags))


def order_tags(
    tags: Sequence[str], order: str, frequencies: Mapping[str, int], *, seed: int = 0, key: str = "", epoch: int = 0
) -> tuple[str, ...]:
    """The tags, each once, in the order a model is to generate them.

    Equal frequencies fall back to spelling, so the result never depends on the order in the file.
    key: what the shuffle of `random` depends on beside the seed (the question's id); epoch: change it for a
    new shuffle.
    """
    distinct = sorted(dict.fromkeys(tags))
    if order == "order1":
        return tuple(sorted(distinct, key=lambda tag: (frequencies.get(tag, 0), tag)))
    if order == "order2":
        return tuple(sorted(distinct, key=lambda tag: (-frequencies.get(tag, 0), tag)))
    if order == "random":
        random.Random(f"{seed}/{epoch}/{key}").shuffle(distinct)
        return tuple(distinct)
    raise ValueError(f"unknown order {order!r}; valid: {', '.join(ORDERS)}")
