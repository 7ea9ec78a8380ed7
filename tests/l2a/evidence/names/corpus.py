"""A small made-up language of titles in which names stand, and a finder that learned from it."""

import random
from collections.abc import Sequence
from functools import cache

from l2a.data.questions import Question
from l2a.evidence.names import learning
from l2a.evidence.names.finder import NameFinder
from l2a.text.segmenter import Segmenter

FIRST = "江河湖海山岭川原东南西北青白金银"
SECOND = "城州阳门关塘湾丘岛溪"
KINDS = ("大学", "银行", "乐队", "果汁")
FRAMES = (
    "如何评价{}最近的做法？",
    "在{}工作是什么体验？",
    "为什么大家都在说{}？",
    "{}和别的比起来怎么样？",
    "想去{}看看，有什么要注意的？",
)
PLAIN = ("晚上睡不着怎么办？", "第一次做饭要买什么？", "孩子不爱说话要紧吗？", "电脑很慢怎么办？")


_ALL = [first + second + kind for first in FIRST for second in SECOND for kind in KINDS]
random.Random(3).shuffle(_ALL)
NAMES, UNKNOWN = _ALL[:120], _ALL[120:200]  # of the same characters


def titles(count: int = 1_500, names: Sequence[str] = NAMES, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    return [
        chance.choice(PLAIN) if chance.random() < 0.3 else chance.choice(FRAMES).format(chance.choice(names))
        for _ in range(count)
    ]


@cache
def finder() -> NameFinder:
    """Learned once for all tests; who changes it must change it back."""
    chance = random.Random(2)
    gold = [
        Question(title=chance.choice(FRAMES).format(name), tags=(name, "生活") if number % 2 else ("生活",))
        for number, name in enumerate(UNKNOWN)
    ]
    return learning.learn(titles(), [*NAMES, "生活"], gold, Segmenter())
