"""What the command line refuses."""

TEXTS: dict[str, dict[str, str]] = {
    "command.not_utf8": {
        "en": "{argument!a}: not UTF-8. Type it in a terminal that uses UTF-8.",
        "zh": "{argument!a}：不是 UTF-8。请在使用 UTF-8 的终端里输入。",
    },
    "command.say_who": {
        "en": "{error} Say who you are with --as NAME.",
        "zh": "{error}请用 --as NAME 说明你是谁。",
    },
    "command.no_user_name": {
        "en": "Your user name is not known here. Say who you are with --as NAME.",
        "zh": "这里查不到你的用户名。请用 --as NAME 说明你是谁。",
    },
    "command.no_terminal": {
        "en": "Nothing was changed: there is no terminal to ask on. Pass --yes to go on without being asked.",
        "zh": "没有改动任何内容：没有可以询问的终端。加上 --yes 就不再询问，直接进行。",
    },
    # labels
    "command.undo_elsewhere": {
        "en": "Entry {number} is a {kind}, which has a way back of its own: {way}",
        "zh": "回执 {number} 记的是{kind}，要用另外的办法撤销：{way}",
    },
    "command.kind_tag": {"en": "tag", "zh": "标签的改动"},
    "command.kind_promote": {"en": "promote", "zh": "模型的启用"},
    "command.kind_rollback": {"en": "rollback", "zh": "模型的回退"},
    "command.kind_person": {"en": "person", "zh": "人员的改动"},
    "command.export_packed": {
        "en": "{file}: exports are not compressed. Leave .gz off, and compress the file afterwards.",
        "zh": "{file}：导出的文件不压缩。请去掉 .gz，导出后再压缩。",
    },
    "command.export_no_format": {
        "en": "{file}: the suffix names no format. Pass --format with one of {formats}.",
        "zh": "{file}：从后缀看不出格式。请用 --format 指定，可选：{formats}。",
    },
    "command.define_nothing": {
        "en": "Nothing to change: pass --definition, --external-id or --parent.",
        "zh": "没有要改的：请给出 --definition、--external-id 或 --parent。",
    },
    # queue and models
    "command.shares_nothing": {
        "en": "Nothing to change: pass --random, --blind or both.",
        "zh": "没有要改的：请给出 --random、--blind，或两者都给。",
    },
    "command.no_replay": {
        "en": "L2A_REPLAY names no files to mix in. Set it, or leave --replay out.",
        "zh": "L2A_REPLAY 没有指定要混入的文件。请设置它，或不用 --replay。",
    },
    "command.no_run": {
        "en": "There is no training run yet. Begin one: python -m app retrain start",
        "zh": "还没有任何训练。请开始一次：python -m app retrain start",
    },
    "command.no_candidate": {
        "en": "No training run has come to its end yet, so there is no candidate. Begin one: python -m app retrain "
        "start",
        "zh": "还没有完成的训练，所以没有候选模型。请开始一次：python -m app retrain start",
    },
    "command.no_shadow": {
        "en": "No model runs in the shadow, so there is none to stop.",
        "zh": "没有在暗中运行的模型，没有可停止的。",
    },
    "command.nothing_to_cancel": {
        "en": "No training run is running, so there is nothing to cancel.",
        "zh": "没有正在进行的训练，没有可取消的。",
    },
    # the store
    "command.no_store_to_check": {
        "en": "{path}: there is no store to check. Name one with --database or L2A_DATABASE.",
        "zh": "{path}：没有可检查的数据库。请用 --database 或 L2A_DATABASE 指定一个。",
    },
    "command.no_store_to_back_up": {
        "en": "{path}: there is no store to back up. Name one with --database or L2A_DATABASE.",
        "zh": "{path}：没有可备份的数据库。请用 --database 或 L2A_DATABASE 指定一个。",
    },
    "command.backup_too_new": {
        "en": (
            "{file} was written by a newer version of L2A Studio (its tables are at {revision}). "
            "Update the program first; nothing was changed."
        ),
        "zh": ("{file} 由更新版本的 L2A Studio 写成（表的版本是 {revision}）。请先更新程序；没有改动任何内容。"),
    },
}
