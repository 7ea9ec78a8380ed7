"""Words of the page Retrain."""

TEXTS: dict[str, dict[str, str]] = {
    "retrain.live": {"zh": "正在使用 {version}", "en": "Live: {version}"},
    "retrain.live_hint": {
        "zh": "已打开的页面从下一题起用它。",
        "en": "Sessions that are open take it at their next question.",
    },
    "retrain.no_live": {"zh": "还没有正在使用的模型", "en": "No model is live yet"},
    "retrain.no_live_message": {
        "zh": "再训练要以一个模型为起点和对照。",
        "en": "A retraining begins with a model and is compared with it.",
    },
    "retrain.no_live_hint": {
        "zh": "请打开一次“标注”页，它会启用自带的模型；也可以用命令行登记并启用："
        "`python -m app models register`，`python -m app models promote`。",
        "en": "Open the page Annotate once: it makes the model that comes with the program live. From a terminal: "
        "`python -m app models register`, then `python -m app models promote`.",
    },
    "retrain.only_admins": {
        "zh": "只有管理员可以开始、取消、启用和退回；这里可以查看。",
        "en": "Only admins start, cancel, promote and roll back; everything can be looked at.",
    },
    "retrain.counting": {"zh": "正在清点决定……", "en": "Counting the decisions…"},
    "retrain.decisions": {"zh": "可用于训练的问题", "en": "Questions to train on"},
    "retrain.rejected": {"zh": "其中被拒绝的标签", "en": "Rejected tags among them"},
    "retrain.held_out": {"zh": "留作检验的问题", "en": "Held out for the test"},
    "retrain.since": {"zh": "当前模型没见过的决定", "en": "Decisions the live model has not seen"},
    "retrain.decisions_hint": {
        "zh": "已定下标签的问题；意见冲突而没有复核的不算。与检验题几乎相同的题在训练开始时去掉。",
        "en": "Questions with settled labels; conflicts that nobody reviewed are left out. Those that are nearly the "
        "same as a held-out one are left out when a training begins.",
    },
    "retrain.held_out_hint": {
        "zh": "随机抽取和盲标的问题中固定的一半，永远不用于训练。它们和训练取数之后的决定一起用来比较新旧模型，"
        "共满 {enough} 题才能下结论。另有 {reserved} 题属于这一半，但被人点名标注过，不用于训练。",
        "en": "A fixed half of the questions served at random or blind, never trained on. Models are compared on these "
        "and on what is decided after a training's snapshot; it takes {enough} in all for a verdict. {reserved} more "
        "belong to that half but were asked for by somebody: they are not trained on.",
    },
    "retrain.since_hint": {
        "zh": "自当前模型的训练取数之后。",
        "en": "Since the snapshot that the live model was trained on.",
    },
    "retrain.since_all_hint": {
        "zh": "当前模型不是在这里训练的，所以是全部决定。",
        "en": "The live model was not trained here, so these are all decisions.",
    },
    "retrain.nothing": {
        "zh": "还没有可用于训练的决定。请先在“标注”页标一些问题。",
        "en": "There is no decision to train on yet. Decide some questions on the page Annotate first.",
    },
    "retrain.few_held_out": {
        "zh": "训练一结束，只有 {held_out} 题可供比较，不到 {enough} 题。之后的决定新旧模型都没学过："
        "再标一些，就可以重新比较。",
        "en": "Right after the training there will be {held_out} questions to compare on, fewer than {enough}. Neither "
        "model will have learned from what is decided after it begins: decide some more, then compare again.",
    },
    # start
    "retrain.start_heading": {"zh": "开始一次训练", "en": "Start a training"},
    "retrain.mode": {"zh": "起点", "en": "Begin with"},
    "retrain.fine_tune": {"zh": "当前模型", "en": "the live model"},
    "retrain.scratch": {"zh": "从零开始", "en": "nothing learned"},
    "retrain.mode_hint": {
        "zh": "以当前模型为起点：在它学会的基础上继续，通常更快也更好。从零开始：只沿用它的结构，需要很多决定。",
        "en": "The live model: go on from what it has learned; usually quicker and better. Nothing learned: only its "
        "shape is kept, which takes many decisions.",
    },
    "retrain.minutes": {"zh": "最多训练几分钟", "en": "Minutes at most"},
    "retrain.replay": {"zh": "混入旧训练数据（{files} 个文件）", "en": "Mix in older training files ({files})"},
    "retrain.replay_hint": {
        "zh": "设置 L2A_REPLAY 里的文件：当前模型当初的训练数据，混进来可以防止遗忘。",
        "en": "The files of the setting L2A_REPLAY: what the live model was first trained on, so that it does not "
        "forget.",
    },
    "retrain.replay_missing": {
        "zh": "找不到 L2A_REPLAY 里的文件：{files}。请改正设置，或不混入旧数据。",
        "en": "L2A_REPLAY names files that are not there: {files}. Correct the setting, or train without them.",
    },
    "retrain.no_replay": {
        "zh": "没有设置 L2A_REPLAY，只用这里的决定训练；决定不多时，模型可能忘掉以前学过的。",
        "en": "L2A_REPLAY is not set: only decisions made here are trained on. With few of them the model may forget "
        "what it knew.",
    },
    "retrain.start": {"zh": "开始训练", "en": "Start training"},
    "retrain.started": {"zh": "训练 {run} 已开始。", "en": "Training run {run} has started."},
    "retrain.not_writable": {
        "zh": "不能写入训练文件夹 {folder}。请更改它的权限，或用 L2A_RUNS 指定别的文件夹。",
        "en": "The folder for training runs, {folder}, cannot be written. Change its permissions, or set L2A_RUNS to "
        "another folder.",
    },
    # a run
    "retrain.running": {"zh": "训练 {run} 正在进行", "en": "Training run {run} is running"},
    "retrain.asked": {"zh": "{person} 于 {when} 开始", "en": "asked for by {person} on {when}"},
    "retrain.program": {"zh": "程序", "en": "the program"},
    "retrain.phase_begin": {"zh": "正在启动", "en": "Starting"},
    "retrain.phase_snapshot": {"zh": "第 1 步，共 3 步：整理决定", "en": "1 of 3: gathering the decisions"},
    "retrain.phase_training": {"zh": "第 2 步，共 3 步：训练", "en": "2 of 3: training"},
    "retrain.phase_gate": {
        "zh": "第 3 步，共 3 步：与当前模型比较",
        "en": "3 of 3: comparing with the live model",
    },
    "retrain.of": {"zh": "{phase}（{done} / {total}）", "en": "{phase} ({done} / {total})"},
    "retrain.left_unknown": {"zh": "正在估计剩余时间", "en": "working out the time left"},
    "retrain.left_moment": {"zh": "剩不到 1 分钟", "en": "less than a minute left"},
    "retrain.left_minutes": {"zh": "大约还要 {minutes} 分钟", "en": "about {minutes} min left"},
    "retrain.left_hours": {"zh": "大约还要 {hours} 小时 {minutes} 分钟", "en": "about {hours} h {minutes} min left"},
    "retrain.no_curve": {
        "zh": "损失曲线在最初几十步之后出现。",
        "en": "The loss curve appears after the first few dozen steps.",
    },
    "retrain.cancelling": {"zh": "训练 {run} 正在取消", "en": "Training run {run} is being cancelled"},
    "retrain.cancel": {"zh": "取消", "en": "Cancel"},
    "retrain.kill": {"zh": "立即终止", "en": "End it at once"},
    "retrain.cancel_asked": {
        "zh": "已请求取消，几秒内会停下，已完成的部分保留。如果一直停不下来，再按一次会强行终止进程。",
        "en": "It was asked to stop and will within seconds; what is done is kept. If it does not, a second press "
        "kills the process.",
    },
    "retrain.step": {"zh": "步", "en": "step"},
    "retrain.loss": {"zh": "损失", "en": "loss"},
    "retrain.log": {"zh": "运行日志", "en": "Log"},
    "retrain.no_log": {"zh": "还没有日志。", "en": "Nothing logged yet."},
    "retrain.may_close": {
        "zh": "可以关闭本页：训练在单独的进程里进行，回来时照样看得到。",
        "en": "This page can be closed: the training is a process of its own and will be here again.",
    },
    "retrain.failed": {"zh": "训练 {run} 没有成功", "en": "Training run {run} failed"},
    "retrain.cancelled": {"zh": "训练 {run} 已取消", "en": "Training run {run} was cancelled"},
    "retrain.lost": {"zh": "训练 {run} 中断了", "en": "Training run {run} was cut off"},
    "retrain.cancelled_message": {
        "zh": "按要求停下了，已完成的部分保留，可以接着训练。",
        "en": "It stopped as it was asked to. What was done is kept, and it can go on.",
    },
    "retrain.again": {"zh": "接着训练", "en": "Go on"},
    "retrain.again_hint": {
        "zh": "从停下的地方继续，不重做已完成的步骤。",
        "en": "From where it stopped; finished steps are not done again.",
    },
    # the result
    "retrain.result": {"zh": "结果", "en": "Result"},
    "retrain.which": {"zh": "哪一次训练", "en": "Which run"},
    "retrain.run_name": {"zh": "训练 {run}：{candidate}", "en": "Run {run}: {candidate}"},
    "retrain.better": {"zh": "新模型更好", "en": "The candidate is better"},
    "retrain.better_hint": {
        "zh": "在 {questions} 个没参加训练的问题上，它的 F1 更高，差距不是偶然能解释的。可以启用。",
        "en": "On {questions} questions that were not trained on its F1 is higher, by more than chance explains. It "
        "can go live.",
    },
    "retrain.same": {"zh": "分不出高下", "en": "No difference can be told"},
    "retrain.same_hint": {
        "zh": "在 {questions} 个没参加训练的问题上，差距小到可能只是偶然。启用它不一定有好处；再积累一些决定会更清楚。",
        "en": "On {questions} questions that were not trained on the difference may be chance alone. Promoting it need "
        "not help; more decisions will tell.",
    },
    "retrain.worse": {"zh": "新模型更差", "en": "The candidate is worse"},
    "retrain.worse_hint": {
        "zh": "在 {questions} 个没参加训练的问题上，它的 F1 更低，差距不是偶然能解释的。不建议启用。",
        "en": "On {questions} questions that were not trained on its F1 is lower, by more than chance explains. Better "
        "not promote it.",
    },
    "retrain.few": {"zh": "决定太少，无法判断", "en": "Too few decisions to tell"},
    "retrain.few_hint": {
        "zh": "只有 {questions} 个问题可供检验，至少要 {enough} 个。下面的数字只能作参考。再标一些，然后重新比较。",
        "en": "There were only {questions} questions to test on; it takes {enough}. The numbers below are a hint at "
        "best. Decide some more, then compare again.",
    },
    "retrain.since_snapshot": {
        "zh": "取数之后新标了 {since} 题；这次比较用了 {compared} 题。",
        "en": "{since} questions were decided first after its snapshot; this comparison had {compared}.",
    },
    "retrain.compare_again": {"zh": "重新比较", "en": "Compare again"},
    "retrain.compare_again_hint": {
        "zh": "与现在使用的模型比较，用的是双方都没学过的全部决定，记忆相同。已存的候选列表直接使用，其余现在计算。",
        "en": "With the version that is live now, on all decisions that neither has learned from, and with the same "
        "memory. Hypotheses that are stored are used; the others are found now.",
    },
    "retrain.shadow": {"zh": "暗中运行", "en": "Run in the shadow"},
    "retrain.shadow_questions": {"zh": "在多少题上", "en": "For so many questions"},
    "retrain.shadow_hint": {
        "zh": "接下来的题，后台在当前模型之后也让新模型算一遍，但不给任何人看；之后比较就不必再算。",
        "en": "In the background, after the live model's work, it is asked about the next questions too, and nobody is "
        "shown what it says. A comparison then needs no search.",
    },
    "retrain.shadow_instead": {
        "zh": "现在在暗中运行的是 {version}，它会停下。",
        "en": "{version} runs in the shadow now and will stop.",
    },
    "retrain.shadow_begun": {
        "zh": "{version} 将在 {questions} 题上暗中运行。",
        "en": "{version} runs in the shadow for {questions} questions.",
    },
    "retrain.in_the_shadow": {
        "zh": "正在暗中运行：{done} / {questions} 题",
        "en": "In the shadow: {done} of {questions} questions",
    },
    "retrain.shadow_done": {
        "zh": "暗中运行已完成：{done} / {questions} 题。可以重新比较了。",
        "en": "Done in the shadow: {done} of {questions} questions. It can be compared again.",
    },
    "retrain.shadow_stop": {"zh": "停止暗中运行", "en": "Leave the shadow"},
    "retrain.served": {"zh": "怎样出题", "en": "Served"},
    "retrain.at_random": {"zh": "随机抽取或盲标", "en": "at random or blind"},
    "retrain.in_order": {"zh": "按顺序或点名", "en": "in an order, or asked for"},
    "retrain.questions": {"zh": "问题", "en": "Questions"},
    "retrain.part_live": {"zh": "当时模型的 F1", "en": "F1, live"},
    "retrain.part_candidate": {"zh": "新模型的 F1", "en": "F1, candidate"},
    "retrain.part_difference": {"zh": "差，百分点（95% 区间）", "en": "Difference in points (95%)"},
    "retrain.parts_hint": {
        "zh": "随机抽取的问题是公平的样本。按顺序的题是挑出来的，可能正是当前模型没有把握的；"
        "而且人们看到的是当前模型的建议，这对它有利。",
        "en": "Questions at random are a fair sample. An order picks, and may pick what the live model doubts; on the "
        "other hand people saw the live model's suggestions, which favours it.",
    },
    "retrain.measure": {"zh": "指标", "en": "Measure"},
    "retrain.was_live": {"zh": "当时使用的 {version}", "en": "live then: {version}"},
    "retrain.is_candidate": {"zh": "新模型 {version}", "en": "candidate: {version}"},
    "retrain.m_precision": {"zh": "精确率 P", "en": "Precision P"},
    "retrain.m_recall": {"zh": "召回率 R", "en": "Recall R"},
    "retrain.m_f1": {"zh": "F1", "en": "F1"},
    "retrain.m_accepted": {"zh": "建议中了人们接受的标签", "en": "Accepted tags suggested"},
    "retrain.m_avoided": {"zh": "避开了人们拒绝的标签", "en": "Rejected tags avoided"},
    "retrain.m_new": {"zh": "训练数据里没有的标签：对 / 共", "en": "New tags: right / suggested"},
    "retrain.m_seconds": {"zh": "每题秒数", "en": "Seconds per question"},
    "retrain.difference": {
        "zh": "F1 的差 {difference}，95% 区间 {low} 至 {high}",
        "en": "F1 differs by {difference}, 95% interval {low} to {high}",
    },
    "retrain.points": {"zh": "新模型减当前模型，百分点", "en": "candidate minus live, percentage points"},
    "retrain.worse_tags": {"zh": "变差的标签", "en": "Tags that got worse"},
    "retrain.better_tags": {"zh": "变好的标签", "en": "Tags that got better"},
    "retrain.no_tags": {"zh": "没有。", "en": "None."},
    "retrain.tag": {"zh": "标签", "en": "Tag"},
    "retrain.right": {"zh": "建议对的次数", "en": "Right"},
    "retrain.wrong": {"zh": "建议错的次数", "en": "Wrong"},
    "retrain.promote": {"zh": "启用新模型", "en": "Make it live"},
    "retrain.promote_sure": {
        "zh": "检验没有说明 {version} 更好。仍要启用吗？随时可以退回。",
        "en": "The test does not say that {version} is better. Make it live all the same? A roll-back is one click.",
    },
    "retrain.promote_anyway": {"zh": "仍要启用", "en": "Make it live all the same"},
    "retrain.leave": {"zh": "算了", "en": "Leave it"},
    "retrain.now_live": {
        "zh": "现在使用 {version}。已打开的页面从下一题起用它。",
        "en": "{version} is live now. Sessions that are open take it at their next question.",
    },
    "retrain.is_live": {"zh": "这个模型正在使用。", "en": "This one is live."},
    "retrain.is_pruned": {"zh": "这个模型的文件已清除。", "en": "This one's files were pruned."},
    "retrain.folder_gone": {
        "zh": "找不到这个模型的文件夹 {path}，所以不能启用。",
        "en": "Its folder {path} is not there, so it cannot go live.",
    },
    # versions and runs
    "retrain.versions": {"zh": "所有版本", "en": "All versions"},
    "retrain.version": {"zh": "版本", "en": "Version"},
    "retrain.state": {"zh": "状态", "en": "State"},
    "retrain.parent": {"zh": "由何而来", "en": "Trained from"},
    "retrain.when": {"zh": "登记时间", "en": "Registered"},
    "retrain.path": {"zh": "文件夹", "en": "Folder"},
    "retrain.candidate": {"zh": "候选", "en": "candidate"},
    "retrain.live_state": {"zh": "使用中", "en": "live"},
    "retrain.retired": {"zh": "已退役", "en": "retired"},
    "retrain.pruned": {"zh": "已清除", "en": "pruned"},
    "retrain.prune": {"zh": "清除文件", "en": "Prune"},
    "retrain.prune_choose": {"zh": "选择要清除的旧版本", "en": "choose an old version"},
    "retrain.prune_label": {"zh": "清除旧版本", "en": "Prune an old version"},
    "retrain.prune_sure": {
        "zh": "清除 {version} 之后不能再启用它，它的文件会被删除。确定吗？",
        "en": "After pruning, {version} can never go live again, and its files are deleted. Are you sure?",
    },
    "retrain.prune_yes": {"zh": "清除", "en": "Prune it"},
    "retrain.prune_done": {
        "zh": "{version} 已清除，文件夹 {path} 已删除。",
        "en": "{version} is pruned; its folder {path} is deleted.",
    },
    "retrain.prune_kept": {
        "zh": "{version} 已清除。文件夹 {path} 不在训练文件夹里，或删不掉，所以留着没动。",
        "en": "{version} is pruned. Its folder {path} is outside the folder for training runs, or could not be "
        "deleted, and was left as it is.",
    },
    "retrain.runs": {"zh": "训练记录", "en": "Training runs"},
    "retrain.no_runs": {"zh": "还没有训练过。", "en": "There has been no training yet."},
    "retrain.run": {"zh": "编号", "en": "Run"},
    "retrain.person": {"zh": "谁", "en": "Who"},
    "retrain.begun": {"zh": "开始", "en": "Begun"},
    "retrain.ended": {"zh": "结束", "en": "Ended"},
    "retrain.outcome": {"zh": "结论", "en": "Verdict"},
    "retrain.change": {"zh": "F1 的差", "en": "F1 change"},
    "retrain.s_running": {"zh": "进行中", "en": "running"},
    "retrain.s_finished": {"zh": "完成", "en": "finished"},
    "retrain.s_failed": {"zh": "失败", "en": "failed"},
    "retrain.s_cancelled": {"zh": "已取消", "en": "cancelled"},
    "retrain.s_lost": {"zh": "中断", "en": "cut off"},
}
