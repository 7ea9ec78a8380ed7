"""A training that cannot begin or go on."""

TEXTS = {
    "training.no_tags": {
        "en": "The training file has no question with tags. Give a file with a `tags` list in each row.",
        "zh": "训练文件里没有带标签的问题。每一行都要有 `tags` 列表。",
    },
    "training.damaged_state": {
        "en": "{path}: the saved state is damaged ({kind}). Train into a new folder.",
        "zh": "{path}：保存的训练状态已损坏（{kind}）。请在新的文件夹里训练。",
    },
    "training.other_settings": {
        "en": "{path}: the run was started with other data or settings ({changed}). Resume with the "
        "same ones, or train into a new folder.",
        "zh": "{path}：这次训练开始时的数据或设置不同（{changed}）。请用相同的继续，或在新的文件夹里训练。",
    },
    "training.nothing_to_resume": {
        "en": "{folder}: no training run to resume ({reason}). Start one with --train and --out.",
        "zh": "{folder}：没有可以接着进行的训练（{reason}）。请用 --train 和 --out 开始新的训练。",
    },
    "training.folder_taken": {
        "en": "{folder} holds a run already. Pass --resume {folder} to go on, or choose another folder.",
        "zh": "{folder} 里已有一次训练。请用 --resume {folder} 接着进行，或换一个文件夹。",
    },
    "training.other_order": {
        "en": "{model}: the model writes tags in {order}, not {wanted}. Train with --order {order}.",
        "zh": "{model}：这个模型写标签的顺序是 {order}，不是 {wanted}。请用 --order {order} 训练。",
    },
    "training.met_gold": {
        "en": "{model}: in its pre-training it met every labelled question {copies} times, so its votes for them say "
        "nothing. Pre-train with --set training.train_copies=0.",
        "zh": "{model}：它在预训练时已经把每个带标签的问题看了 {copies} 遍，它给这些问题的票说明不了什么。"
        "请用 --set training.train_copies=0 预训练。",
    },
    "training.no_word_list": {
        "en": "{path}: the word list cannot be read ({reason}). Give a UTF-8 file, one word a line.",
        "zh": "{path}：词表读不出来（{reason}）。请给出 UTF-8 文件，每行一个词。",
    },
    "silver.not_installed": {
        "en": "Silver labels need Omikuji and scikit-learn, and {module} is not installed. "
        "Install both with: pip install -r requirements-dev.txt",
        "zh": "银标签需要 Omikuji 和 scikit-learn，而 {module} 没有安装。"
        "请这样安装两者：pip install -r requirements-dev.txt",
    },
    "silver.too_few": {
        "en": "{count} gold questions with tags are too few; give at least {needed}.",
        "zh": "只有 {count} 个带标签的金标问题，太少；请至少给出 {needed} 个。",
    },
    "silver.too_unlike": {
        "en": "The gold questions are too few, or too unlike each other, to learn silver labels from.",
        "zh": "金标问题太少，或彼此差别太大，学不出银标签。",
    },
    "processes.ended": {
        "en": "One of the processes ended before its work was done, most likely for lack of memory. "
        "Free some and try again; `suggest` can also do with one process: --jobs 1. "
        "A script of your own must begin its work below `if __name__ == '__main__':`.",
        "zh": "有一个进程没有做完就结束了，多半是内存不够。请腾出内存再试；`suggest` 也可以只用一个进程：--jobs 1。"
        "自己写的脚本要在 `if __name__ == '__main__':` 之下开始工作。",
    },
}
