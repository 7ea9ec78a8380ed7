"""Words of the page Import and queue."""

TEXTS: dict[str, dict[str, str]] = {
    "queue.tab_import": {"zh": "导入", "en": "Import"},
    "queue.tab_queue": {"zh": "队列", "en": "Queue"},
    "queue.tab_people": {"zh": "人员", "en": "People"},
    "queue.tab_models": {"zh": "模型", "en": "Models"},
    # import
    "queue.tag_list_hint": {
        "zh": "每行一个标签，或带表头的 CSV / TSV：name、external_id、parent、aliases（用 | 分隔）、definition。"
        "已有的内容不会被覆盖。",
        "en": "One tag a line, or a CSV or TSV with a header: name, external_id, parent, aliases (joined by |), "
        "definition. What is known already is left as it is.",
    },
    "queue.where": {"zh": "文件在哪里", "en": "From"},
    "queue.upload": {"zh": "上传", "en": "an upload"},
    "queue.path": {"zh": "服务器上的文件", "en": "a file on the server"},
    "queue.choose": {
        "zh": "选择文件（不超过 {megabytes} MB；更大的请在命令行导入）",
        "en": "Choose a file (up to {megabytes} MB; import a larger one on the command line)",
    },
    "queue.choose_or_path": {
        "zh": "选择文件（不超过 {megabytes} MB；更大的请放到服务器上）",
        "en": "Choose a file (up to {megabytes} MB; put a larger one on the server)",
    },
    "queue.server_path": {"zh": "服务器上的路径", "en": "Path on the server"},
    "queue.server_path_hint": {
        "zh": "运行本程序的机器上 {folder} 里的普通文件；只读取，不改动。",
        "en": "A regular file below {folder} on the machine that runs this program; it is read, never changed.",
    },
    "queue.skip_bad": {"zh": "跳过坏行", "en": "Leave bad lines out"},
    "queue.skip_bad_hint": {
        "zh": "关闭时，遇到第一条用不了的行就停下，之前的行保留。",
        "en": "When off, the import stops at the first line it cannot use; the lines before it stay.",
    },
    "queue.source": {"zh": "来源名", "en": "Source"},
    "queue.source_hint": {
        "zh": "文件里没有写明来源的行用这个名字。",
        "en": "For lines that do not name their source themselves.",
    },
    "queue.format": {"zh": "格式", "en": "Format"},
    "queue.detect": {"zh": "自动识别", "en": "automatic"},
    "queue.overlap": {"zh": "每题意见数", "en": "Opinions a question"},
    "queue.overlap_hint": {
        "zh": "每个问题要由几个人回答；2 以上才能计算一致程度。",
        "en": "How many people answer each question; agreement needs 2 or more.",
    },
    "queue.dry_run": {"zh": "试运行", "en": "Dry run"},
    "queue.fill_in": {
        "zh": "请先选择文件或填好上面的各栏。",
        "en": "Choose a file, or fill in the fields above, first.",
    },
    "queue.import_now": {"zh": "导入", "en": "Import"},
    "queue.first_dry": {
        "zh": "先试运行，看清楚会发生什么，再导入。",
        "en": "First a dry run, which stores nothing; then import.",
    },
    "queue.reading": {"zh": "正在读取……", "en": "Reading…"},
    "queue.rows_done": {"zh": "已处理 {done} 行", "en": "{done} rows done"},
    "queue.stopped": {
        "zh": "改正后再导入同一份文件即可，重复的行不会再加；也可以打开上面的“跳过坏行”。",
        "en": "Correct the file and import it again, nothing comes in twice; or leave bad lines out by the switch "
        "above.",
    },
    "queue.stopped_dry": {
        "zh": "请改正文件后再试运行，或打开上面的“跳过坏行”。",
        "en": "Correct the file and try again, or leave bad lines out by the switch above.",
    },
    "queue.record": {"zh": "不同的标签记为我的决定", "en": "Record other labels as my decisions"},
    "queue.record_hint": {
        "zh": "文件里的问题库中已有、标签却不同（例如导出后在别处改过）时，把文件里的标签记为您的决定，可以撤销。"
        "别人已决定的问题会成为第二意见，等待复核。关闭时只统计，不改动。",
        "en": "Where a question is here already and the file has other labels (an export edited elsewhere), these "
        "become your decisions, which can be undone. Where others decided, they are second opinions to be reviewed. "
        "When off, they are counted only.",
    },
    "queue.relabelled": {
        "zh": "有 {number} 行的问题库中已有，标签却不同：库中的标签不变。要采用文件里的标签，请打开“{switch}”。",
        "en": "{number} of the duplicates carry other labels than the store, which stays as it is. To take the file's, "
        "switch on “{switch}”.",
    },
    "queue.would_record": {
        "zh": "有 {number} 行的标签与库中不同，会记为您的决定。",
        "en": "{number} of the duplicates carry other labels; they would become your decisions.",
    },
    "queue.recorded": {
        "zh": "有 {number} 行的标签与库中不同，已记为您的决定，回执号 {first} 至 {last}，可在“历史”页撤销。",
        "en": "{number} of the duplicates carried other labels; they are your decisions now, receipts {first} to "
        "{last}. The history page takes them back.",
    },
    "queue.notes_left": {
        "zh": "有 {number} 行带着库中没有的标记或备注，其中 {recorded} 行已随您的决定保存。标记和备注属于决定："
        "要保存其余的，请打开“{switch}”，把文件再导入一次。",
        "en": "{number} rows carry flags or comments that the store does not have; {recorded} of them were stored with "
        "your decisions. Flags and comments belong to decisions: to keep the others, switch on “{switch}” and import "
        "the file once more.",
    },
    "queue.notes_would": {
        "zh": "有 {number} 行带着库中没有的标记或备注；库中已有的问题，会随您的决定一起保存。",
        "en": "{number} rows carry flags or comments that the store does not have; those of known questions would be "
        "stored with your decisions.",
    },
    "queue.notes_recorded": {
        "zh": "有 {number} 行带着库中没有的标记或备注，已随您的决定保存。",
        "en": "{number} rows carried flags or comments that the store did not have; they were stored with your "
        "decisions.",
    },
    "queue.first_rows": {"zh": "读到的前 {shown} 行：", "en": "The first {shown} rows, as they were read:"},
    "queue.row_title": {"zh": "标题", "en": "Title"},
    "queue.row_tags": {"zh": "标签", "en": "Tags"},
    "queue.row_description": {"zh": "描述", "en": "Description"},
    "queue.row_origin": {"zh": "来源", "en": "Source"},
    "queue.row_tag_name": {"zh": "标签", "en": "Tag"},
    "queue.row_parent": {"zh": "上级", "en": "Parent"},
    "queue.row_aliases": {"zh": "别名", "en": "Aliases"},
    "queue.row_definition": {"zh": "定义", "en": "Definition"},
    "queue.would": {"zh": "试运行的结果（没有保存任何内容）", "en": "What an import would do (nothing was stored)"},
    "queue.did": {"zh": "导入完成", "en": "Imported"},
    "queue.rows": {"zh": "行", "en": "Rows"},
    "queue.added": {"zh": "新问题", "en": "New questions"},
    "queue.duplicates": {"zh": "重复", "en": "Duplicates"},
    "queue.labels": {"zh": "原有标签", "en": "Prior labels"},
    "queue.bad": {"zh": "坏行", "en": "Bad lines"},
    "queue.new_tags": {"zh": "新标签", "en": "New tags"},
    "queue.aliases": {"zh": "别名", "en": "Aliases"},
    "queue.parents": {"zh": "上级关系", "en": "Parents"},
    "queue.resumed": {
        "zh": "接着上次中断的导入继续：前 {rows} 行早已保存。",
        "en": "Went on where an earlier import had stopped, after row {rows}.",
    },
    "queue.complaints": {"zh": "坏行共 {bad} 条，前 {shown} 条：", "en": "{bad} bad lines, the first {shown}:"},
    "queue.dry_note": {"zh": "满意的话，请点“导入”。", "en": "If this is what you want, press Import."},
    "queue.way_back": {
        "zh": "回执 {number}：撤销会收回这次导入的全部内容；之后用过或改过的标签保留。",
        "en": "Entry {number}: an undo takes all of this import back; tags that were used or changed since stay.",
    },
    "queue.resumable": {
        "zh": "导入若中断，用同样的文件和选项再来一次即可继续；同样的问题不会进来两次。",
        "en": "An import that is interrupted goes on if the same file comes again with the same options; no question "
        "comes in twice.",
    },
    # queue
    "queue.open": {"zh": "待标注", "en": "Open"},
    "queue.held": {"zh": "在标注员手中", "en": "In hands"},
    "queue.answered": {"zh": "已有回答", "en": "Answered"},
    "queue.conflicts": {"zh": "意见不一", "en": "Conflicts"},
    "queue.reviewed": {"zh": "已复核", "en": "Reviewed"},
    "queue.pools": {"zh": "问题分组", "en": "Pools"},
    "queue.ordered": {"zh": "按顺序", "en": "in order"},
    "queue.random": {"zh": "随机", "en": "random"},
    "queue.blind": {"zh": "盲标", "en": "blind"},
    "queue.shares": {"zh": "随机与盲标的比例", "en": "Random and blind shares"},
    "queue.shares_hint": {
        "zh": "随机抽取的问题用来公正地衡量模型；盲标的问题不显示建议，用来看建议对人的影响。"
        "改动只影响还没有人碰过的问题。",
        "en": "Random questions measure the model fairly; blind ones show no suggestions, to see how far those sway "
        "people. A change moves only questions that nobody has taken up yet.",
    },
    "queue.random_share": {"zh": "随机（%）", "en": "Random (%)"},
    "queue.blind_share": {"zh": "盲标（%）", "en": "Blind (%)"},
    "queue.save": {"zh": "保存", "en": "Save"},
    "queue.shares_saved": {
        "zh": "已保存：随机 {random}%，盲标 {blind}%。",
        "en": "Saved: {random}% random, {blind}% blind.",
    },
    "queue.opinions": {"zh": "意见数", "en": "Opinions"},
    "queue.of_source": {"zh": "哪个来源", "en": "Of which source"},
    "queue.all_sources": {"zh": "全部", "en": "all"},
    "queue.apply": {"zh": "应用", "en": "Apply"},
    "queue.overlap_saved": {
        "zh": "已设为每题 {number} 个意见，涉及 {changed} 个问题。",
        "en": "Now {number} opinions for each of {changed} questions.",
    },
    "queue.holders": {"zh": "谁手里有哪一题", "en": "Who holds which question"},
    "queue.nobody_holds": {"zh": "现在没有人手里有题。", "en": "Nobody holds a question now."},
    "queue.question": {"zh": "问题", "en": "Question"},
    "queue.person": {"zh": "姓名", "en": "Person"},
    "queue.since": {"zh": "开始", "en": "Since"},
    "queue.until": {"zh": "到期", "en": "Until"},
    "queue.history": {"zh": "历史", "en": "History"},
    "queue.no_history": {"zh": "还没有改动。", "en": "Nothing was changed yet."},
    "queue.entry": {"zh": "回执", "en": "Entry"},
    "queue.when": {"zh": "时间", "en": "When"},
    "queue.done": {"zh": "内容", "en": "What"},
    "queue.did_person": {"zh": "人员", "en": "person"},
    "queue.did_queue": {"zh": "队列", "en": "queue"},
    "queue.did_register": {"zh": "登记模型", "en": "register"},
    "queue.did_promote": {"zh": "启用模型", "en": "promote"},
    "queue.did_rollback": {"zh": "退回上一版", "en": "rollback"},
    "queue.did_retrain": {"zh": "再训练", "en": "retrain"},
    "queue.did_prune": {"zh": "清除模型文件", "en": "prune"},
    "queue.program": {"zh": "程序", "en": "the program"},
    # people
    "queue.role": {"zh": "角色", "en": "Role"},
    "queue.state": {"zh": "状态", "en": "State"},
    "queue.active": {"zh": "有效", "en": "active"},
    "queue.inactive": {"zh": "已停用", "en": "inactive"},
    "queue.decisions": {"zh": "决定", "en": "Decisions"},
    "queue.last_seen": {"zh": "最近一次", "en": "Last decision"},
    "queue.add_person": {"zh": "添加人员", "en": "Add a person"},
    "queue.name": {"zh": "姓名", "en": "Name"},
    "queue.add": {"zh": "添加", "en": "Add"},
    "queue.person_added": {"zh": "已添加 {name}（{role}）。", "en": "Added {name} ({role})."},
    "queue.change_person": {"zh": "更改角色或停用", "en": "Change a role, or deactivate"},
    "queue.choose_person": {"zh": "选择", "en": "choose"},
    "queue.new_role": {"zh": "新角色", "en": "New role"},
    "queue.change_role": {"zh": "更改角色", "en": "Change role"},
    "queue.deactivate": {"zh": "停用", "en": "Deactivate"},
    "queue.deactivate_hint": {
        "zh": "停用后不能再做任何事；已有的决定保留。",
        "en": "They can do nothing any more; their decisions stay.",
    },
    "queue.role_changed": {"zh": "{name} 现在是{role}。", "en": "{name} is now {role}."},
    "queue.deactivated": {"zh": "{name} 已停用。", "en": "{name} is deactivated."},
    "queue.reactivate_person": {"zh": "恢复已停用的人员", "en": "Bring back somebody who was deactivated"},
    "queue.let_work_again": {"zh": "重新启用", "en": "Activate again"},
    "queue.let_work_again_hint": {
        "zh": "可以继续工作，角色与停用前相同。",
        "en": "They can work again, in the role they had.",
    },
    "queue.reactivated": {"zh": "{name} 已重新启用。", "en": "{name} is active again."},
    # models
    "queue.no_models": {
        "zh": "还没有登记模型。打开“标注”页时会登记自带的模型；"
        "也可以在命令行登记：python -m app models register 文件夹。",
        "en": "No model is registered yet. The page Annotate registers the one that comes with the program; from a "
        "terminal: python -m app models register FOLDER.",
    },
    "queue.version": {"zh": "版本", "en": "Version"},
    "queue.candidate": {"zh": "候选", "en": "candidate"},
    "queue.live": {"zh": "使用中", "en": "live"},
    "queue.retired": {"zh": "已退役", "en": "retired"},
    "queue.pruned": {"zh": "已清除", "en": "pruned"},
    "queue.folder": {"zh": "文件夹", "en": "Folder"},
    "queue.folder_gone": {"zh": "{path}（找不到）", "en": "{path} (not there)"},
    "queue.registered": {"zh": "登记时间", "en": "Registered"},
    "queue.suggestions": {"zh": "建议数", "en": "Suggestions"},
    "queue.models_hint": {
        "zh": "新模型在命令行登记：`python -m app models register 文件夹`。每个进程在下一题时换用新的模型。",
        "en": "New models are registered from a terminal: `python -m app models register FOLDER`. Every process takes "
        "up the new one at its next question.",
    },
    "queue.choose_version": {"zh": "选择版本", "en": "choose a version"},
    "queue.promote": {"zh": "启用", "en": "Make it live"},
    "queue.promoted": {"zh": "现在使用 {version}。", "en": "{version} is live now."},
}
