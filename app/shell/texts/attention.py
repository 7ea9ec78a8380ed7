"""Words of the attention page, and of choosing a question, which the beams page shares."""

TEXTS: dict[str, dict[str, str]] = {
    "pick.from": {"zh": "问题来自", "en": "Question from"},
    "pick.store": {"zh": "题库", "en": "Store"},
    "pick.sample": {"zh": "示例", "en": "Sample"},
    "pick.typed": {"zh": "自己输入", "en": "Typed"},
    "pick.search": {"zh": "查找问题", "en": "Find a question"},
    "pick.search_hint": {"zh": "编号或其中的词", "en": "its number, or words in it"},
    "pick.question": {"zh": "问题", "en": "Question"},
    "pick.none": {"zh": "没有找到", "en": "nothing found"},
    "pick.title": {"zh": "标题", "en": "Title"},
    "pick.description": {"zh": "描述（可不填）", "en": "Description (optional)"},
    "pick.first": {"zh": "请先选一个问题，或输入标题。", "en": "Choose a question, or type a title."},
    "pick.characters": {
        "zh": "问题很长：模型只读了前 {read} 个字符，共 {total} 个。",
        "en": "The question is long: the model read the first {read} of its {total} characters.",
    },
    "pick.words": {
        "zh": "问题很长：模型只读了前 {read} 个词，共 {total} 个。",
        "en": "The question is long: the model read the first {read} of its {total} words.",
    },
    "attention.tags_from": {"zh": "标签", "en": "Tags"},
    "attention.model": {"zh": "模型给出", "en": "Model's"},
    "attention.decisions": {"zh": "人工决定", "en": "Decided"},
    "attention.typed": {"zh": "手写", "en": "By hand"},
    "attention.tags": {"zh": "标签，用逗号或顿号分开", "en": "Tags, with commas between them"},
    "attention.tags_kept": {"zh": "模型留下的标签", "en": "Tags the model kept"},
    "attention.tags_decided": {"zh": "人工决定的标签", "en": "Tags people decided on"},
    "attention.tags_own": {"zh": "你自己决定的标签", "en": "Tags you decided on"},
    "attention.no_tags": {"zh": "请写下至少一个标签。", "en": "Write at least one tag."},
    "attention.no_decision": {
        "zh": "这个问题还没有人决定，也没有自带标签。",
        "en": "Nobody has decided about this question yet, and it came without tags.",
    },
    "attention.no_own_decision": {
        "zh": "你还没有决定这个问题，它也没有自带标签。",
        "en": "You have not decided about this question, and it came without tags.",
    },
    "attention.only_stored": {
        "zh": "只有题库里的问题才有人工决定。",
        "en": "Only questions of the store have decisions.",
    },
    "attention.prior": {
        "zh": "还没有人决定：这里用的是问题自带的标签。",
        "en": "Nobody has decided yet: these are the tags the question came with.",
    },
    "attention.prior_own": {
        "zh": "你还没有决定：这里用的是问题自带的标签。",
        "en": "You have not decided: these are the tags the question came with.",
    },
    "attention.not_kept": {
        "zh": "没有标签过门槛：这里用的是最佳候选。",
        "en": "No tag passed the threshold: these are the best hypothesis's.",
    },
    "attention.no_model_tags": {"zh": "模型没有写出标签。", "en": "The model wrote no tag."},
    "attention.cannot": {
        "zh": "模型 {version} 写不出，已略去：{tags}",
        "en": "Left out, because model {version} cannot write them: {tags}",
    },
    "attention.version": {"zh": "模型", "en": "Model"},
    "attention.beside": {"zh": "并排比较", "en": "Beside it"},
    "attention.nothing": {"zh": "不比较", "en": "nothing"},
    "attention.live": {"zh": "{version}（使用中）", "en": "{version} (live)"},
    "attention.kind": {"zh": "哪种注意力", "en": "Attention"},
    "attention.cross": {"zh": "对问题", "en": "To the question"},
    "attention.self": {"zh": "解码器自身", "en": "Decoder self"},
    "attention.how": {"zh": "汇总", "en": "Summary"},
    "attention.mean": {"zh": "平均", "en": "mean"},
    "attention.max": {"zh": "最大", "en": "max"},
    "attention.rollout": {"zh": "展开", "en": "rollout"},
    "attention.head": {"zh": "单个头", "en": "one head"},
    "attention.layer": {"zh": "层", "en": "Layer"},
    "attention.head_number": {"zh": "头", "en": "Head"},
    "attention.working": {"zh": "正在计算……", "en": "Working…"},
    "attention.cross_heading": {
        "zh": "写每个词时对问题各词的注意力",
        "en": "Where the decoder looked in the question as it wrote each word",
    },
    "attention.self_heading": {
        "zh": "写每个词时对已写各词的注意力",
        "en": "Where the decoder looked among the words written so far",
    },
    "attention.darker": {
        "zh": "颜色越深越高，最深为 {top}。",
        "en": "Darker is higher; the darkest is {top}.",
    },
    "attention.brighter": {
        "zh": "深色界面里越亮越高，最亮为 {top}；下载的图越深越高。",
        "en": "Brighter is higher on the dark page; the brightest is {top}. Downloads are darker for higher.",
    },
    "attention.states": {
        "zh": "这里的注意力落在 BiLSTM 的状态上：每个词下的状态已读过全句，"
        "权重只说明解码器看向哪里，不说明少了这个词会怎样；后者看遮挡检验。",
        "en": "Attention here is over BiLSTM states: the state under a word has read the whole question, so a weight "
        "says where the decoder looked, not what it would have missed. The occlusion check says that.",
    },
    "attention.rollout_means": {
        "zh": "“展开”：沿解码器各层，每个子层一半来自残差、一半来自所注意之处（各头平均）；"
        "编码器状态当作终点，BiLSTM 内部的混合不计。对问题与对已写词的两部分合计为 1。",
        "en": "Rollout: through the decoder's layers each sub-layer passes on half of its input (the residual) and "
        "half of what it attended to, heads averaged. Encoder states are the leaves: mixing inside the BiLSTM is not "
        "counted. The shares of the question and of the written words add up to 1.",
    },
    "attention.hints": {
        "zh": "最后 {count} 个词不是问题里的，而是提示：文中出现的已知标签，以及相似问题的标签。"
        "它们得到对原文注意力的 {share}。",
        "en": "The last {count} words are not of the question: they are hints, known tags that stand in it and tags "
        "of similar questions. They get {share} of the attention to the source.",
    },
    "attention.hints_hidden": {
        "zh": "没有画出 {count} 个提示词（不是问题里的词），它们得到对原文注意力的 {share}。上面的开关可以显示它们。",
        "en": "Not shown: {count} words of hints, which are not of the question. They get {share} of the attention to "
        "the source; the switch above shows them.",
    },
    "attention.hints_label": {"zh": "提示词", "en": "Hints"},
    "attention.show_hints": {"zh": "显示", "en": "show"},
    "attention.hatched": {"zh": "斜线：那时还没有写出的词。", "en": "Hatched: words that were not written yet."},
    "attention.hatched_words": {
        "zh": "斜线：这个模型切词不同，没有这个词。",
        "en": "Hatched: this model cuts the text in another way and has no such word.",
    },
    "attention.continues": {
        "zh": "图比页面宽，共 {count} 列：向右滚动看其余部分",
        "en": "The map goes on to the right ({count} columns): scroll it",
    },
    "attention.numbers": {"zh": "数据", "en": "Numbers"},
    "hint.named": {"zh": "〔文中〕", "en": "[in text]"},
    "hint.listed": {"zh": "〔文中·未用过〕", "en": "[in text, unused]"},
    "hint.near": {"zh": "〔相似〕", "en": "[similar]"},
    "order.order1": {"zh": "先少见", "en": "rare first"},
    "order.order2": {"zh": "先常见", "en": "frequent first"},
    "order.random": {"zh": "随机", "en": "random"},
    "attention.row": {"zh": "写", "en": "writes"},
    "attention.column": {"zh": "看", "en": "looks at"},
    "attention.weight": {"zh": "权重", "en": "weight"},
    "attention.check": {"zh": "遮挡检验", "en": "Occlusion check"},
    "attention.check_tag": {"zh": "检验哪个标签", "en": "Tag to check"},
    "attention.check_means": {
        "zh": "逐个去掉下面的词，看标签的对数概率下降多少（原为 {score}）。与注意力的等级相关：{correlation}",
        "en": "Each of these words is taken away in turn: how far does the tag's log-probability fall from {score}? "
        "Rank correlation with attention: {correlation}",
    },
    "attention.undefined": {"zh": "无法计算", "en": "not defined"},
    "attention.fall": {"zh": "对数概率下降", "en": "fall of log-probability"},
    "attention.looked": {"zh": "注意力", "en": "attention"},
    "attention.link": {"zh": "重现这一视图的链接", "en": "A link to this view"},
    "attention.no_link": {
        "zh": "文字太长，放不进链接。请先把问题导入题库。",
        "en": "The text is too long for a link. Import the question into the store first.",
    },
}
