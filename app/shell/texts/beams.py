"""Words of the beams page."""

TEXTS: dict[str, dict[str, str]] = {
    "beams.beam": {"zh": "候选数 N（束宽）", "en": "Hypotheses N (beam)"},
    "beams.votes": {"zh": "须多于多少票", "en": "More votes than"},
    "beams.ban": {"zh": "禁用标签", "en": "Ban tags"},
    "beams.ban_hint": {"zh": "选择，或写一个", "en": "choose, or write one"},
    "beams.force": {"zh": "以此标签开头", "en": "Begin with"},
    "beams.force_hint": {"zh": "不指定", "en": "any tag"},
    "beams.closed": {"zh": "只用库内标签", "en": "Known tags only"},
    "beams.working": {"zh": "正在搜索……", "en": "Searching…"},
    "beams.kept": {
        "zh": "留下的标签：得票多于 {votes} / {beam}（{threshold}），至多 5 个",
        "en": "Kept: more than {votes} of {beam} votes ({threshold}), at most 5",
    },
    "beams.none": {"zh": "没有标签过门槛。", "en": "No tag passes the threshold."},
    "beams.without": {"zh": "不加限制时：{tags}", "en": "Without the wishes above: {tags}"},
    "beams.nothing": {"zh": "（无）", "en": "(none)"},
    "beams.list": {"zh": "候选列表（{count} 个）", "en": "N-best list ({count})"},
    "beams.colours": {
        "zh": "标签的颜色越深，得票越多。模型 {version}。",
        "en": "The deeper a tag's colour, the more votes it has. Model {version}.",
    },
    "beams.export": {"zh": "下载 JSONL", "en": "Download JSONL"},
    "beams.chart": {"zh": "得票", "en": "Votes"},
    "beams.voters": {
        "zh": "实心：候选列表的票；带纹：其余的票（题中出现的标签表标签、相似问题的标签、线性模型）。"
        "“29 = 16 + 13”：候选 16 票，其余 13 票。✓ 留下。",
        "en": "Solid: votes of the N-best list. Patterned: the rest (tags of a list that stand in the text, tags of "
        "similar questions, the linear model). “29 = 16 + 13”: 16 of hypotheses, 13 of the rest. ✓ kept.",
    },
    "beams.thresholds": {"zh": "各门槛下留下的标签", "en": "What each threshold leaves"},
    "beams.threshold": {"zh": "门槛", "en": "threshold"},
    "beams.tags": {"zh": "标签", "en": "tags"},
    "beams.count": {"zh": "个数", "en": "count"},
    "beams.over": {"zh": "票数 >", "en": "votes >"},
    "beams.sizes": {"zh": "束宽的影响", "en": "What the beam size does"},
    "beams.try": {"zh": "逐个试 1 到 48", "en": "Try 1 to 48"},
    "beams.trying": {"zh": "束宽 {beam}……", "en": "Beam {beam}…"},
    "beams.try_hint": {
        "zh": "用 {sizes} 各搜索一次，限制和门槛（{threshold}）同上。",
        "en": "Searches once with each of {sizes}, with the wishes and the threshold ({threshold}) above.",
    },
    "beams.size": {"zh": "束宽", "en": "beam"},
    "beams.size_kept": {"zh": "留下", "en": "kept"},
    "beams.voted": {"zh": "得票标签数", "en": "tags with votes"},
    "beams.best": {"zh": "最佳对数概率", "en": "best log-probability"},
    "beams.seconds": {"zh": "秒", "en": "seconds"},
    "nbest.rank": {"zh": "名次", "en": "Rank"},
    "nbest.tags": {"zh": "标签（按书写顺序）", "en": "Tags, in the order written"},
    "nbest.order": {"zh": "书写顺序", "en": "Order"},
    "nbest.log_probability": {"zh": "对数概率", "en": "Log-probability"},
    "nbest.empty": {"zh": "（没有标签）", "en": "(no tag)"},
}
