"""Gold questions of three subjects that share no word."""

from l2a.data.questions import Question

# The filler tells a question from the others of its subject.
SUBJECTS = {
    "猫": ("宠物", "猫咪", "我家的小猫{}不肯吃猫粮怎么办"),
    "车": ("汽车", "驾驶", "新手司机{}倒车入库有什么技巧"),
    "编": ("编程", "Python", "程序员{}写 python 代码用哪个编辑器"),
}
FILLERS = ("今天", "昨天", "早上", "晚上", "最近", "冬天", "夏天", "周末", "平时", "经常")


def make_gold() -> list[Question]:
    return [
        Question(title=text.format(filler), tags=(first, second), id=f"{name}-{filler}")
        for filler in FILLERS
        for name, (first, second, text) in SUBJECTS.items()
    ]
