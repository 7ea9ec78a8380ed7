"""The words of the interface, in Chinese and English: every text a page shows has one key here."""

LANGUAGES = {"zh": "中文", "en": "English"}  # in the order of the switch; each named in its own language

TEXTS: dict[str, dict[str, str]] = {
    "app.language": {"zh": "界面语言", "en": "Language"},
    "suggest.page": {"zh": "建议标签", "en": "Suggest tags"},
    "suggest.intro": {
        "zh": "写下一个问题，模型逐词写出标签，再由多个候选投票决定留下哪些。",
        "en": "Write a question. The model writes tags word by word, and many hypotheses vote on which to keep.",
    },
    "suggest.sample": {"zh": "示例问题", "en": "Sample questions"},
    "suggest.sample_hint": {"zh": "挑一个示例问题试试……", "en": "Try a sample question…"},
    "suggest.title": {"zh": "标题", "en": "Title"},
    "suggest.title_hint": {"zh": "例如：零基础怎么学 Python？", "en": "For example: 零基础怎么学 Python？"},
    "suggest.description": {"zh": "描述（可不填）", "en": "Description (optional)"},
    "suggest.description_hint": {"zh": "背景、细节……", "en": "Background, details…"},
    "suggest.button": {"zh": "建议标签", "en": "Suggest tags"},
    "suggest.shortcut": {"zh": "或按 Ctrl / ⌘ + Enter", "en": "or press Ctrl / ⌘ + Enter"},
    "suggest.working": {"zh": "正在写标签……", "en": "Writing tags…"},
    "suggest.loading": {"zh": "正在载入模型……", "en": "Loading the model…"},
    "error.no_title": {"zh": "请先填写标题。", "en": "Write a title first."},
    "error.no_words": {
        "zh": "去掉网址和控制字符以后什么也没有剩下，请用文字写下问题。",
        "en": "Nothing is left once web addresses and control characters are removed. Write the question in words.",
    },
    "error.refused": {"zh": "没有得到建议：{message}", "en": "No suggestions: {message}"},
    "error.model": {
        "zh": "模型无法载入：{message}",
        "en": "The model could not be loaded: {message}",
    },
    "error.no_model": {
        "zh": "没有找到模型文件夹 `{path}`。请把训练好的模型放到那里，或用环境变量 `L2A_MODEL` "
        "指定另一个模型文件夹并重新启动，然后刷新本页。",
        "en": "There is no model folder `{path}`. Put a trained model there, or name another folder with the "
        "environment variable `L2A_MODEL` and start the app again, then reload this page.",
    },
    "error.settings": {"zh": "设置有误：{message}", "en": "A setting is wrong: {message}"},
    "result.heading": {"zh": "建议的标签", "en": "Suggested tags"},
    "result.none": {
        "zh": "没有标签的得票率超过 {threshold}，因此一个也没有留下。各标签的得票见下。",
        "en": "Nothing was kept: no tag got more than {threshold} of the votes. The votes are below.",
    },
    "result.none_at_all": {
        "zh": "没有标签得票，因此一个也没有留下。可以换个说法，或补充一些描述。",
        "en": "Nothing was kept: no tag got a vote. Try other words, or add a description.",
    },
    "note.characters": {
        "zh": "问题太长：模型只读了前 {read:,} 个字符（共 {total:,} 个）。",
        "en": "The question is long: the model read the first {read:,} of its {total:,} characters.",
    },
    "note.words": {
        "zh": "问题较长：模型只读了前 {read:,} 个词（共 {total:,} 个）。",
        "en": "The question is long: the model read the first {read:,} of its {total:,} words.",
    },
    "result.votes": {"zh": "{votes} / {beam} 票", "en": "{votes} of {beam} votes"},
    "result.share": {"zh": "得票率 {share}", "en": "share {share}"},
    "result.probability": {"zh": "概率 {probability}", "en": "probability {probability}"},
    "result.cues": {"zh": "线索", "en": "cues"},
    "result.new": {"zh": "新", "en": "new"},
    "result.new_hint": {
        "zh": "训练数据里没有这个标签，由模型用词拼成",
        "en": "Not among the tags of the training data: composed by the model",
    },
    "result.settings": {
        "zh": "{beam} 个候选投票，留下得票率超过 {threshold} 的标签，至多五个 · 模型 {version}",
        "en": "{beam} hypotheses vote; tags with more than {threshold} of the votes are kept, at most five "
        "· model {version}",
    },
    "votes.heading": {"zh": "全部得票（{count} 个标签）", "en": "All votes ({count} tags)"},
    "votes.axis": {"zh": "票数", "en": "votes"},
    "votes.kept": {"zh": "留下", "en": "kept"},
    "votes.dropped": {"zh": "未留下", "en": "not kept"},
    "votes.threshold": {"zh": "门槛 {threshold}", "en": "threshold {threshold}"},
    "nbest.heading": {"zh": "候选列表（{count} 个）", "en": "N-best list ({count} hypotheses)"},
    "nbest.rank": {"zh": "名次", "en": "rank"},
    "nbest.tags": {"zh": "标签", "en": "tags"},
    "nbest.log_probability": {"zh": "对数概率", "en": "log-probability"},
    "nbest.empty": {"zh": "（没有标签）", "en": "(no tag)"},
}


def choose_language(setting: str, locale: str | None) -> str:
    """`setting` where it names a language; for "auto" Chinese for a Chinese browser, English for any other."""
    if setting in LANGUAGES:
        return setting
    return "zh" if (locale or "").lower().replace("_", "-").split("-")[0] == "zh" else "en"


def translate(language: str, key: str, **values: object) -> str:
    """The text of `key` with `values` filled in; raises KeyError for an unknown key or language."""
    return TEXTS[key][language].format(**values)
