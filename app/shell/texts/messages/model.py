"""The model: its folder, the line before it, and its training, from the wish to the process."""

TEXTS: dict[str, dict[str, str]] = {
    # a model folder, before it is loaded
    "model.no_folder": {
        "en": (
            "There is no model folder {folder}. Put the model there, or promote another version: "
            "python -m app models list."
        ),
        "zh": "没有模型文件夹 {folder}。请把模型放到那里，或启用别的版本：python -m app models list。",
    },
    "model.no_config": {
        "en": (
            "{folder}: this is no model folder (config.json: {error}). "
            "Give the path of a folder written by `python -m l2a train`."
        ),
        "zh": ("{folder}：这不是模型文件夹（config.json：{error}）。请给出 `python -m l2a train` 写出的文件夹。"),
    },
    "model.config_unreadable": {
        "en": "{folder}: config.json cannot be read ({error}). Copy the folder again.",
        "zh": "{folder}：无法读取 config.json（{error}）。请重新复制文件夹。",
    },
    "model.config_of_another_kind": {
        "en": (
            "{folder}: config.json is not that of an L2A model. "
            "Give the path of a folder written by `python -m l2a train`."
        ),
        "zh": "{folder}：config.json 不是 L2A 模型的。请给出 `python -m l2a train` 写出的文件夹。",
    },
    "model.live_files_gone": {
        "en": (
            "{version} is live, but its files are gone: {folder} holds {found}. An admin can make that one live, "
            "on the page Import and queue or by python -m app models promote {found}."
        ),
        "zh": (
            "启用的版本是 {version}，但它的文件已经不在了：{folder} 里现在是 {found}。"
            "管理员可以在“导入与队列”页启用它，或运行 python -m app models promote {found}。"
        ),
    },
    "model.files_gone": {
        "en": "The files of {version} are gone: {folder} holds another model by now.",
        "zh": "{version} 的文件已经不在了：{folder} 里现在是别的模型。",
    },
    "model.failed": {
        "en": "The model failed with an error of its own ({kind}).",
        "zh": "模型自身出错（{kind}）。",
    },
    # the line before it
    "model.too_many_wait": {
        "en": (
            "{waiting} questions wait for the model already, and it takes no more. "
            "Try again in a few seconds; reloading the page asks again."
        ),
        "zh": "已有 {waiting} 个问题在等待模型，暂时不能再接收。请过几秒再试；刷新页面会重新提问。",
    },
    "model.too_long": {
        "en": (
            "The model has not come to this question for {seconds:g} seconds. "
            "Try again later; if that lasts, an admin restarts the app."
        ),
        "zh": "模型 {seconds:g} 秒内没有轮到这个问题。请稍后再试；如果一直这样，请管理员重启应用。",
    },
    # what suggestions know of the decisions
    "memory.no_live_model": {
        "en": "No model is live, so nothing is remembered. Open the app once, or promote a version.",
        "zh": "没有正在使用的模型，也就没有可记住的。请打开一次本程序的“标注”页，或启用一个版本。",
    },
    "model.no_names": {
        "en": (
            "The live model {version} has no statistics of names, so there is nothing to look for names with. Make a "
            "model live that has them: the newest starter does."
        ),
        "zh": "正在使用的模型 {version} 没有名称统计，无法寻找新名称。请启用带有名称统计的模型，例如最新的初始模型。",
    },
    "memory.no_ranker": {
        "en": "{version} has no ranker: it orders tags by votes, and remembers no decisions.",
        "zh": "{version} 没有排序器：它按票数给标签排序，不记住任何决定。",
    },
    "memory.not_kept": {
        "en": "{file} could not be written; the log says why. Without it, the app reads all decisions when it starts.",
        "zh": "{file} 无法写入，原因见日志。没有它，本程序每次启动都要重新读取所有决定。",
    },
    # asking for a training
    "training.mode": {
        "en": "mode is {mode!r}; valid: {modes}.",
        "zh": "起点不能是 {mode!r}；可选：{modes}。",
    },
    "training.minutes": {
        "en": "minutes is {minutes}; it must be more than 0 and at most a day.",
        "zh": "分钟数不能是 {minutes}；必须大于 0，且不超过一天。",
    },
    # its process
    "training.not_started": {
        "en": "The training process could not be started ({error}). Check that {folder} can be written.",
        "zh": "训练进程无法启动（{error}）。请检查 {folder} 是否可写。",
    },
    "training.gone": {
        "en": (
            "The training process ({process} on {machine}) is gone: it was killed, or the machine was restarted. "
            "It was at: {phase}. Nothing is lost; start it again to go on."
        ),
        "zh": (
            "训练进程（{process}，机器 {machine}）已经不在了：它被终止了，或者机器重启过。"
            "当时进行到：{phase}。没有丢失任何内容；可以接着训练。"
        ),
    },
    "training.no_process": {"en": "not started", "zh": "未启动"},
    "training.no_machine": {"en": "no machine", "zh": "未知"},
    "training.phase_start": {"en": "the start", "zh": "启动"},
    "training.phase_snapshot": {"en": "snapshot", "zh": "整理决定"},
    "training.phase_training": {"en": "training", "zh": "训练"},
    "training.phase_gate": {"en": "gate", "zh": "与当前模型比较"},
    "training.failed": {
        "en": "The training stopped with an error of its own ({kind}: {error}). See its log.",
        "zh": "训练因自身的错误停止了（{kind}：{error}）。详情见运行日志。",
    },
    "training.no_live_model": {
        "en": "No model is live, so there is nothing to train from. Open the app once, or promote a version.",
        "zh": "没有正在使用的模型，训练没有起点。请打开一次本程序的“标注”页，或启用一个版本。",
    },
    "training.live_files_gone": {
        "en": (
            "The files of {version}, which is live, are gone: {folder} is not there, or holds another model by now. "
            "Promote a version whose files are there, then start again."
        ),
        "zh": (
            "启用的版本 {version} 的文件已经不在了：{folder} 不存在，或里面现在是别的模型。"
            "请启用一个文件还在的版本，再重新开始。"
        ),
    },
    "training.is_live": {
        "en": "{version} is live by now, so there is nothing to compare it with.",
        "zh": "{version} 已经启用，没有可比较的了。",
    },
    "training.candidate_gone": {
        "en": "The files of {version} are gone: {folder} is not there, or holds another model by now.",
        "zh": "找不到 {version} 的文件：{folder} 不在了，或者里面已是别的模型。",
    },
    "training.no_decision": {
        "en": "There is no decision to train on yet. Decide some questions first, then start again.",
        "zh": "还没有可用于训练的决定。请先标一些问题，再开始。",
    },
    "training.other_snapshot": {
        "en": (
            "The decisions up to {as_of} are no longer those of snapshot {hash}: questions were redacted since. "
            "Take a new snapshot by starting a new run."
        ),
        "zh": "截至 {as_of} 的决定已不是快照 {hash} 里的那些：之后有问题被抹去。请开始新的训练，重新取数。",
    },
}
