"""Words about going back to an earlier model."""

TEXTS: dict[str, dict[str, str]] = {
    "roll_back.roll_back": {"zh": "退回上一个版本", "en": "Roll back"},
    "roll_back.hint": {
        "zh": "回到当前版本之前使用的 {version}。",
        "en": "Back to {version}, which was live before this one.",
    },
    "roll_back.nothing_before": {
        "zh": "在它之前没有别的版本用过，无处可退。",
        "en": "No other version was live before this one, so there is nothing to go back to.",
    },
    "roll_back.files_gone": {
        "zh": "上一个版本 {version} 的文件不在了（{path}），退不回去。请启用文件还在的版本。",
        "en": "The files of {version}, which was live before, are gone ({path}). Promote a version whose files are "
        "there.",
    },
    "roll_back.sure": {
        "zh": "{version} 将重新启用，大家从下一题起就用它。确定吗？",
        "en": "{version} goes live again, and everybody gets it at their next question. Are you sure?",
    },
    "roll_back.yes": {"zh": "退回", "en": "Go back to it"},
    "roll_back.no": {"zh": "算了", "en": "Leave it"},
}
