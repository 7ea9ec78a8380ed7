"""Errors in Chinese: retraining, from the wish to the training process (errors.py says how they are written)."""

TEXTS: dict[str, str] = {
    # asking for a run
    "mode is {0}; valid: {1}.": "起点不能是 {0}；可选：{1}。",
    "minutes is {0}; it must be more than 0 and at most a day.": "分钟数不能是 {0}；必须大于 0，且不超过一天。",
    "Training run {0} is running already: {1} asked for it on {2} UTC. Wait until it has ended, or cancel it.": (
        "训练 {0} 正在进行：“{1}”于 {2}（UTC）开始。请等它结束，或取消它。"
    ),
    "Training run {0} is running already: the program itself asked for it on {1} UTC. "
    "Wait until it has ended, or cancel it.": ("训练 {0} 正在进行：由程序于 {1}（UTC）开始。请等它结束，或取消它。"),
    "Training run {0} is {1}, so there is nothing to cancel.": "训练 {0} 的状态是“{1:said}”，没有可取消的。",
    "Training run {0} is {1}; only one that failed, was cancelled or was lost can start again. Begin a new one.": (
        "训练 {0} 的状态是“{1:said}”；只有失败、取消或中断的训练才能接着进行。请开始新的训练。"
    ),
    "Training run {0} is {1} and no longer running, so nothing more is stored for it. "
    "Start it again, or begin a new one.": (
        "训练 {0} 的状态是“{1:said}”，已不在进行，所以不再为它保存内容。请接着训练，或开始新的训练。"
    ),
    "There is no training run {0}. {1}": "没有训练 {0}。{1:said}",
    "The newest is {0}.": "最新的是 {0}。",
    "There is none yet.": "还没有任何训练。",
    "running": "进行中",
    "finished": "完成",
    "failed": "失败",
    "cancelled": "已取消",
    "lost": "中断",
    # the process
    "The training process could not be started ({0}). Check that {1} can be written.": (
        "训练进程无法启动（{0}）。请检查 {1} 是否可写。"
    ),
    "The training process ({0} on {1}) is gone: it was killed, or the machine was restarted. It was at: {2}. "
    "Nothing is lost; start it again to go on.": (
        "训练进程（{0:said}，机器 {1:said}）已经不在了：它被终止了，或者机器重启过。当时进行到：{2:said}。"
        "没有丢失任何内容；可以接着训练。"
    ),
    "not started": "未启动",
    "no machine": "未知",
    "the start": "启动",
    "snapshot": "整理决定",
    "training": "训练",
    "gate": "与当前模型比较",
    "The training stopped with an error of its own ({0}: {1}). See its log.": (
        "训练因自身的错误停止了（{0}：{1}）。详情见运行日志。"
    ),
    "No model is live, so there is nothing to train from. Open the app once, or promote a version.": (
        "没有正在使用的模型，训练没有起点。请打开一次本程序的“标注”页，或启用一个版本。"
    ),
    "The files of {0}, which is live, are gone: {1} is not there, or holds another model by now. "
    "Promote a version whose files are there, then start again.": (
        "启用的版本 {0} 的文件已经不在了：{1} 不存在，或里面现在是别的模型。请启用一个文件还在的版本，再重新开始。"
    ),
    "There is no decision to train on yet. Decide some questions first, then start again.": (
        "还没有可用于训练的决定。请先标一些问题，再开始。"
    ),
    "The decisions up to {0} are no longer those of snapshot {1}: questions were redacted since. "
    "Take a new snapshot by starting a new run.": (
        "截至 {0} 的决定已不是快照 {1} 里的那些：之后有问题被抹去。请开始新的训练，重新取数。"
    ),
    # the training itself
    "The training file has no question with tags. Give a file with a `tags` list in each row.": (
        "训练文件里没有带标签的问题。每一行都要有 `tags` 列表。"
    ),
    "One of the processes ended before its work was done, most likely for lack of memory. "
    "Free some and try again; `suggest` can also do with one process: --jobs 1. "
    "A script of your own must begin its work below `if __name__ == '__main__':`.": (
        "有一个进程没有做完就结束了，多半是内存不够。请腾出内存再试；`suggest` 也可以只用一个进程：--jobs 1。"
        "自己写的脚本要在 `if __name__ == '__main__':` 之下开始工作。"
    ),
    "{0}: no training run to resume ({1}). Start one with --train and --out.": (
        "{0}：没有可以接着进行的训练（{1}）。请用 --train 和 --out 开始新的训练。"
    ),
    "{0} holds a run already. Pass --resume {0} to go on, or choose another folder.": (
        "{0} 里已有一次训练。请用 --resume {0} 接着进行，或换一个文件夹。"
    ),
    "{0}: the model writes tags in {1}, not {2}. Train with --order {1}.": (
        "{0}：这个模型写标签的顺序是 {1}，不是 {2}。请用 --order {1} 训练。"
    ),
    "{0}: the word list cannot be read ({1}). Give a UTF-8 file, one word a line.": (
        "{0}：词表读不出来（{1}）。请给出 UTF-8 文件，每行一个词。"
    ),
    "{0}: the saved state is damaged ({1}). Train into a new folder.": (
        "{0}：保存的训练状态已损坏（{1}）。请在新的文件夹里训练。"
    ),
    "{0}: the run was started with other data or settings ({1}). Resume with the same ones, "
    "or train into a new folder.": (
        "{0}：这次训练开始时的数据或设置不同（{1}）。请用相同的继续，或在新的文件夹里训练。"
    ),
    "{0}: not a word vector file ({1}). Expected .npz with `words` and `vectors`.": (
        "{0}：不是词向量文件（{1}）。应当是含有 `words` 和 `vectors` 的 .npz。"
    ),
    "{0}: {1} words but vectors of shape {2}.": "{0}：有 {1} 个词，而向量的形状是 {2}。",
}
