"""What a person is told of the evidence for a tag: a few words that go on from the tag's name."""

TEXTS = {
    "finding.precedents": {
        "en": "{count} of {of} similar questions have it",
        "zh": "{of} 个相似问题中 {count} 个有它",
    },
    "finding.refused": {
        "en": "rejected for an almost identical question",
        "zh": "几乎相同的问题拒绝过它",
    },
    "finding.words": {
        "en": "often goes with these words",
        "zh": "常和这些词一起出现",
    },
    "finding.in_title": {"en": "stands in the title", "zh": "出现在标题里"},
    "finding.in_description": {"en": "stands in the description", "zh": "出现在描述里"},
    "finding.lately": {"en": "given {count} times lately", "zh": "最近用过 {count} 次"},
    "finding.above": {"en": "the parent of a tag in the title", "zh": "标题里某个标签的上级"},
    "finding.near": {
        "en": "similar training questions have it",
        "zh": "相似的训练问题有它",
    },
    "finding.linear": {
        "en": "in training it went with these words",
        "zh": "训练时常和这些词一起出现",
    },
    "finding.named": {"en": "stands in the text", "zh": "出现在题中"},
    "finding.listed": {"en": "from the tag list, stands in the text", "zh": "在标签表里，也出现在题中"},
    "finding.aliased": {
        "en": "from the tag list, stands in the text in another spelling",
        "zh": "在标签表里，以另一种写法出现在题中",
    },
    "finding.name": {"en": "a name in the title that no list has", "zh": "标题里的名称，标签表里没有"},
    "finding.meaning": {
        "en": "decided questions of similar meaning have it",
        "zh": "意思相近的问题有它",
    },
}
