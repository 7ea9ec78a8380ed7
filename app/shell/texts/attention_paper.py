"""Words of the figure that the attention page makes for a paper, and of its caption."""

TEXTS: dict[str, dict[str, str]] = {
    "paper.heading": {"zh": "论文用图", "en": "Figure for a paper"},
    "paper.language": {"zh": "图中文字", "en": "Its language"},
    "paper.preview": {"zh": "预览", "en": "Show it"},
    "paper.caption": {"zh": "图注，可复制", "en": "Its caption, to copy"},
    "paper.font": {
        "zh": "服务器上没有中文字体，PNG 和 PDF 里的汉字会是方框，所以不提供。"
        "请在服务器上装 Noto Sans CJK（fonts-noto-cjk）"
        "并重启，或下载 SVG：它用您电脑上的字体。",
        "en": "The server has no font with hanzi: they would be boxes in a PNG or a PDF, so neither is offered. "
        "Install Noto Sans CJK there (fonts-noto-cjk) and start it again, or take the SVG, which uses the fonts of "
        "your computer.",
    },
    "paper.panel": {"zh": "模型 {version}（{order}）", "en": "Model {version} ({order})"},
    "paper.rows": {"zh": "写出的词", "en": "word written"},
    "paper.columns_cross": {"zh": "问题中的词", "en": "word of the question"},
    "paper.columns_self": {"zh": "已写出的词", "en": "word written before"},
    "paper.weight": {"zh": "注意力权重", "en": "attention weight"},
    "paper.about_cross": {
        "zh": "写标签“{tags}”时，解码器对问题“{title}”{number}各词的注意力。",
        "en": "Attention of the decoder to the words of the question “{title}”{number} as it writes the tags “{tags}”.",
    },
    "paper.about_self": {
        "zh": "为问题“{title}”{number}写标签“{tags}”时，解码器对已写出各词的注意力。",
        "en": "Attention of the decoder to the words written before, as it writes the tags “{tags}” of the question "
        "“{title}”{number}.",
    },
    "paper.number": {"zh": "（编号 {number}）", "en": " (no. {number})"},
    "paper.description": {
        "zh": "标题之后是描述里的词。",
        "en": "The words of its description follow those of its title.",
    },
    "paper.model": {
        "zh": "模型 {version}（标签顺序：{order}；{where}）",
        "en": "model {version} (order of tags: {order}; {where})",
    },
    "paper.own_tags": {"zh": "，标签“{tags}”", "en": ", tags “{tags}”"},
    "paper.above": {"zh": "上：{model}", "en": "above: {model}"},
    "paper.below": {"zh": "下：{model}", "en": "below: {model}"},
    "paper.layers": {"zh": "{layers} 层，每层 {heads} 头", "en": "{layers} layers of {heads} heads"},
    "paper.one_head": {"zh": "第 {layer} 层第 {head} 头", "en": "layer {layer}, head {head}"},
    "paper.how_mean": {"zh": "各层各头的平均。", "en": "Mean over all layers and heads."},
    "paper.how_max": {"zh": "各层各头的最大值。", "en": "Greatest of all layers and heads."},
    "paper.how_rollout": {"zh": "沿各层展开（rollout）。", "en": "Attention rollout through all layers."},
    "paper.scale": {
        "zh": "颜色从 0（最浅）到 {top}（最深）。",
        "en": "Colours go from 0 (lightest) to {top} (darkest).",
    },
    "paper.hatched": {"zh": "斜线：尚未写出。", "en": "Hatched: not written yet."},
    "paper.hatched_words": {"zh": "斜线：该模型没有这个词。", "en": "Hatched: no word of this model."},
    "paper.hints": {
        "zh": "最后几列是检索给出的提示，得到注意力的 {share}。",
        "en": "The last columns are hints of the retriever, which get {share} of the attention.",
    },
    "paper.hints_hidden": {
        "zh": "检索给出的提示得到注意力的 {share}，未画出。",
        "en": "Hints of the retriever, which get {share} of the attention, are not shown.",
    },
    "paper.between": {"zh": "、", "en": ", "},
    "paper.models": {"zh": "{models}。", "en": "{models}."},
    "paper.and": {"zh": "；", "en": "; "},
}
