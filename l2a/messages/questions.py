"""A question that is to be tagged, and the tags that are to be written or explained."""

TEXTS = {
    "question.no_title": {
        "en": "Question {id}: the title is empty. Give at least a title.",
        "zh": "问题 {id}：标题是空的。请至少写一个标题。",
    },
    "question.no_title_no_id": {
        "en": "Question (no id): the title is empty. Give at least a title.",
        "zh": "标题是空的。请至少写一个标题。",
    },
    "question.nothing_left": {
        "en": "Question {id}: nothing is left once URLs and control characters are removed. Give a title in words.",
        "zh": "问题 {id}：去掉网址和控制字符后什么也不剩。请用文字写标题。",
    },
    "question.nothing_left_no_id": {
        "en": "Question (no id): nothing is left once URLs and control characters are removed. Give a title in words.",
        "zh": "去掉网址和控制字符后什么也不剩。请用文字写标题。",
    },
    # what had to be left out
    "question.long_text": {
        "en": "the model read the first {read:,} of {total:,} characters",
        "zh": "模型只读了前 {read:,} 个字符，共 {total:,} 个",
    },
    "question.many_words": {
        "en": "the model read the first {read:,} of {total:,} words",
        "zh": "模型只读了前 {read:,} 个词，共 {total:,} 个",
    },
    "tag.empty_first": {
        "en": "The tag to begin with is empty. Give one, or leave this constraint out.",
        "zh": "开头的标签是空的。请写一个，或不要这个限制。",
    },
    "tag.unknown_first": {
        "en": "The model cannot write the tag {tag!r}: it does not know all of its words ({words}). "
        "Choose another tag to begin with.",
        "zh": "模型写不出标签 {tag!r}：其中有它不认识的词（{words}）。请换一个开头的标签。",
    },
    "tag.unknown_words": {
        "en": "The model cannot write the tag {tag!r}: it does not know {words}. "
        "Choose a tag made of words it has seen.",
        "zh": "模型写不出标签 {tag!r}：它不认识 {words}。请选由它见过的词组成的标签。",
    },
    "tag.unknown": {
        "en": "The model cannot write the tag {tag!r}: it does not know it. Choose a tag made of words it has seen.",
        "zh": "模型写不出标签 {tag!r}：它不认识这个标签。请选由它见过的词组成的标签。",
    },
    "explain.no_tag": {
        "en": "There is no tag to explain. Give at least one.",
        "zh": "没有要解释的标签。请至少给出一个。",
    },
    "explain.nothing_kept": {
        "en": "The model kept no tag for this question. Name the tags to explain with --tags.",
        "zh": "模型没有给这个问题留下任何标签。请用 --tags 写出要解释的标签。",
    },
    "explain.no_summary": {
        "en": "No summary {how!r}; valid: {valid}.",
        "zh": "没有汇总方式 {how!r}；可用的有：{valid}。",
    },
    "explain.no_self_attention": {
        "en": "This model's decoder is an LSTM: it has no self-attention. Choose an A decoder.",
        "zh": "这个模型的解码器是 LSTM，没有自注意力。请选用 A 解码器的模型。",
    },
    "evaluate.no_tags": {
        "en": "{files}: no question with tags, so there is nothing to compare with.",
        "zh": "{files}：没有带标签的问题，所以没有可以比较的。",
    },
}
