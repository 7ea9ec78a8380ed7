"""The order in which a question's tags are generated (paper section 3.3).

Order 1: rare to frequent. Order 2: frequent to rare. Random: one shuffle, the same in every epoch, unless a
fresh one is asked for; the order in files is not random (it often follows frequency), so it is never used.

Both: one network with two members, which differ in the order they write and in the first symbol they read. A
question is learned in one order in one epoch and in the other in the next; when tags are suggested, each member
gives half of the hypotheses.
"""

import random
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from l2a.text.vocabulary import END, START

ORDERS = ("order1", "order2", "random")
BOTH = "both"  # a setting of models: not an order itself
# What the members of a model read first; nothing else ever follows an end symbol, so it can serve the second one.
FIRST_SYMBOLS = (START, END)


def members(order: str) -> tuple[str, ...]:
    """The orders a model with this setting can write in."""
    return ("order1", "order2") if order == BOTH else (order,)


def member_of(order: str, key: str, epoch: int) -> int:
    """Which member learns a question in an epoch: each in turn, half of the questions begin with the second."""
    return (zlib.crc32(key.encode("utf-8", "surrogatepass")) + epoch) % len(members(order))


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
