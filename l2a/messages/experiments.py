"""The paper's experiments: what they cannot begin with."""

TEXTS = {
    "experiments.no_data": {
        "en": "--data DIR is missing: the folder with the question files.",
        "zh": "缺少 --data DIR：问题文件所在的文件夹。",
    },
    "experiments.no_minutes": {
        "en": "--max-minutes is {minutes:g}; it must be more than 0.",
        "zh": "--max-minutes 的值是 {minutes:g}；必须大于 0。",
    },
    "experiments.expected": {
        "en": "Give a folder with zhihu/ (and weibo/), a folder with train, dev and test files "
        "({suffixes}), or one file of questions, which is then split.",
        "zh": "请给出含 zhihu/（和 weibo/）的文件夹、含 train、dev 和 test 文件（{suffixes}）的文件夹，"
        "或一个问题文件，程序会把它分开。",
    },
    "experiments.missing": {
        "en": "{path}: no such file or folder. {expected}",
        "zh": "{path}：没有这个文件或文件夹。{expected}",
    },
    "experiments.no_part": {
        "en": "{folder}: there is no file {missing}. {expected}",
        "zh": "{folder}：缺少文件 {missing}。{expected}",
    },
    "experiments.two_parts": {"en": "{first} and no file {second}", "zh": "{first} 和 {second}"},
    "experiments.no_tags": {
        "en": "{path}: no question has tags, so there is nothing to learn or to compare with.",
        "zh": "{path}：没有一个问题带标签，所以没有可以学习或比较的。",
    },
    "experiments.too_few": {
        "en": "{path}: {count} questions with tags cannot be split into train, dev, test and open test. "
        "Give more questions, or a folder with the parts.",
        "zh": "{path}：{count} 个带标签的问题不够分成 train、dev、test 和 open test。"
        "请给出更多问题，或给出已经分好的文件夹。",
    },
    "experiments.training_ended": {
        "en": "{name}: a training process ended before its time, as when memory runs out. The same command goes "
        "on from here; give fewer --jobs if it happens again.",
        "zh": "{name}：一个训练进程提前结束了，例如内存用完时。"
        "再次运行同样的命令会接着进行；如果又发生，请减小 --jobs。",
    },
    "experiments.no_result": {
        "en": "{folder}: there is no result yet. Run an experiment first.",
        "zh": "{folder}：还没有结果。请先运行一个实验。",
    },
    "experiments.other_setup": {
        "en": "{folder} holds results of another setup ({values}). Give the same one, or another --out.",
        "zh": "{folder} 里是另一种设置的结果（{values}）。请用相同的设置，或换一个 --out。",
    },
    "experiments.no_json": {
        "en": "{path}: not valid JSON ({reason}). Delete the file; it will be made again.",
        "zh": "{path}：不是有效的 JSON（{reason}）。请删除这个文件，它会重新生成。",
    },
    "experiments.no_sklearn": {
        "en": "Topical Attention needs scikit-learn. Install it: pip install -r requirements-dev.txt",
        "zh": "Topical Attention 需要 scikit-learn。请安装：pip install -r requirements-dev.txt",
    },
    "experiments.no_words": {
        "en": "The training questions have no words to learn topics from. Give questions with text.",
        "zh": "训练问题里没有可以学习主题的词。请给出有文字的问题。",
    },
}
