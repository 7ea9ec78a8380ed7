"""Model versions and their training runs."""

MESSAGES: dict[str, dict[str, str]] = {
    # versions
    "model.missing": {
        "en": "There is no model version {version}. The newest are: {newest}.",
        "zh": "没有模型版本 {version}。最新的有：{newest}。",
    },
    "model.none_yet": {
        "en": "There is no model version {version}. The newest are: none.",
        "zh": "没有模型版本 {version}。现在还没有登记任何版本。",
    },
    "model.live_already": {"en": "{version} is live already.", "zh": "{version} 已经在使用中。"},
    "shadow.live": {
        "en": "{version} is live, so it needs no shadow: everybody sees what it says.",
        "zh": "{version} 正在使用中，不需要在暗中运行：大家看到的就是它的建议。",
    },
    "shadow.pruned": {
        "en": "{version} was pruned: its files are gone, so it cannot run in the shadow.",
        "zh": "{version} 已经清理，文件不在了，不能在暗中运行。",
    },
    "shadow.no_number": {
        "en": "A model in the shadow is asked about 1 to {most} questions, not about {questions}.",
        "zh": "在暗中运行的模型要回答 1 到 {most} 个问题，不能是 {questions} 个。",
    },
    "model.compared_with_another": {
        "en": "{version} was compared with {over}, but {live} is live by now, so {version} does not go live by itself. "
        "To make it live all the same: python -m app models promote {version}.",
        "zh": "{version} 是与 {over} 比较的，但现在启用的是 {live}，所以 {version} 不会自动启用。"
        "仍要启用它：python -m app models promote {version}。",
    },
    "model.nothing_before": {
        "en": "No other version was live before this one, so there is nothing to roll back to.",
        "zh": "在这个版本之前没有用过别的版本，所以无处可退。",
    },
    "model.another_before": {
        "en": "A roll-back would go to {before} by now, not to {to}. Look at the versions again, then decide.",
        "zh": "现在退回的话会回到 {before}，不再是 {to}。请再看一眼各个版本，然后决定。",
    },
    "model.pruned_already": {
        "en": "{version} was pruned already; there is nothing more to do.",
        "zh": "{version} 已经清理过，没有别的事要做。",
    },
    "model.files_stay_live": {
        "en": "{version} is live, so its files must stay. Promote another version first.",
        "zh": "{version} 正在使用中，它的文件必须保留。请先启用别的版本。",
    },
    "model.files_stay_before": {
        "en": "A roll-back would go to {version}, so its files must stay. Promote another version first, and "
        "roll-backs go to the one that is live now.",
        "zh": "退回时会用到 {version}，它的文件必须保留。请先启用别的版本，那样退回的就是现在使用的版本。",
    },
    "model.pruned": {
        "en": "{version} was pruned: its files are gone, so it cannot go live. Promote a version that is still there: "
        "{there}.",
        "zh": "{version} 已清理，文件不在了，不能启用。请启用还在的版本：{there}。",
    },
    "model.pruned_as_all": {
        "en": "{version} was pruned: its files are gone, so it cannot go live. Promote a version that is still there: "
        "none; register one first.",
        "zh": "{version} 已清理，文件不在了，不能启用。现在没有还在的版本，请先登记一个。",
    },
    # suggestions
    "suggestion.not_found": {
        "en": "There is no suggestion {suggestion}; it may have been pruned.",
        "zh": "没有建议 {suggestion}，可能已经清理掉了。",
    },
    "suggestion.no_age": {"en": "{days} days is not an age.", "zh": "{days} 天不是有效的天数。"},
    # training runs
    "run.missing": {
        "en": "There is no training run {run}. The newest is {newest}.",
        "zh": "没有训练 {run}。最新的是 {newest}。",
    },
    "run.none_yet": {
        "en": "There is no training run {run}. There is none yet.",
        "zh": "没有训练 {run}。还没有任何训练。",
    },
    "run.running_already": {
        "en": "Training run {run} is running already: {person} asked for it on {at} UTC. Wait until it has ended, or "
        "cancel it.",
        "zh": "训练 {run} 正在进行：“{person}”于 {at}（UTC）开始。请等它结束，或取消它。",
    },
    "run.running_by_program": {
        "en": "Training run {run} is running already: the program itself asked for it on {at} UTC. Wait until it has "
        "ended, or cancel it.",
        "zh": "训练 {run} 正在进行：由程序于 {at}（UTC）开始。请等它结束，或取消它。",
    },
    "run.nothing_to_cancel": {
        "en": "Training run {run} is {state}, so there is nothing to cancel.",
        "zh": "训练 {run} 的状态是“{state}”，没有可取消的。",
    },
    "run.no_restart": {
        "en": "Training run {run} is {state}; only one that failed, was cancelled or was lost can start again. Begin a "
        "new one.",
        "zh": "训练 {run} 的状态是“{state}”；只有失败、取消或中断的训练才能接着进行。请开始新的训练。",
    },
    "run.no_comparison": {
        "en": "Training run {run} is {state}; only the candidate of a finished one can be compared again.",
        "zh": "训练 {run} 的状态是“{state}”；只有已完成的训练，其候选模型才能重新比较。",
    },
    "run.not_running": {
        "en": "Training run {run} is {state} and no longer running, so nothing more is stored for it. Start it again, "
        "or begin a new one.",
        "zh": "训练 {run} 的状态是“{state}”，已不在进行，所以不再为它保存内容。请接着训练，或开始新的训练。",
    },
    "run.running": {"en": "running", "zh": "进行中"},
    "run.finished": {"en": "finished", "zh": "完成"},
    "run.failed": {"en": "failed", "zh": "失败"},
    "run.cancelled": {"en": "cancelled", "zh": "已取消"},
    "run.lost": {"en": "lost", "zh": "中断"},
}
