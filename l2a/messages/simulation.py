"""A learning curve that cannot be simulated."""

TEXTS = {
    "simulate.no_ranker": {
        "en": "The model has no ranker, so it learns nothing from decisions. Give it one with: python -m l2a ranker",
        "zh": "这个模型没有排序器，所以不会从决定中学习。请先用 python -m l2a ranker 生成一个。",
    },
    "simulate.too_few": {
        "en": "{wanted} decisions are asked for, but only {found} questions to learn from have tags. "
        "Give a larger file or smaller counts.",
        "zh": "要求做 {wanted} 个决定，但可学习的问题中只有 {found} 个带标签。请换更大的文件，或用更小的数。",
    },
    "simulate.no_peers": {
        "en": "--peers needs Omikuji and scikit-learn, and {module} is not installed. "
        "Install both with: pip install -r requirements-dev.txt",
        "zh": "--peers 需要 Omikuji 和 scikit-learn，而 {module} 没有安装。"
        "请这样安装两者：pip install -r requirements-dev.txt",
    },
    "simulation.no_new_thing": {
        "en": "{path}, line {line} is no question about a new thing: {reason}. A row needs title and name.",
        "zh": "{path} 第 {line} 行不是关于新事物的问题：{reason}。每行要有 title 和 name。",
    },
}
