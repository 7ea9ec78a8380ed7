"""Imports and exports."""

MESSAGES: dict[str, dict[str, str]] = {
    # what is wrong with a line of an import
    "import.line": {"en": "{file}, line {line}: {complaint}", "zh": "{file}，第 {line} 行：{complaint}"},
    "import.nul": {
        "en": "holds a NUL character, which no database keeps; remove it",
        "zh": "含有数据库无法保存的 NUL 字符，请去掉",
    },
    "import.broken_emoji": {
        "en": "holds half of a surrogate pair, a broken emoji; remove it",
        "zh": "含有半个代理对，即损坏的表情符号，请去掉",
    },
    "import.no_title": {"en": "the title is empty", "zh": "标题是空的"},
    "import.long_id": {
        "en": "its id or source is longer than {most} characters",
        "zh": "id 或来源超过 {most} 个字符",
    },
    "import.other_text": {
        "en": "id {id} is there already with another text ({where}), which was left as it is; give the new text "
        "another id",
        "zh": "id {id} 已经用于另一段文字（{where}），原文保持不变；请给新的文字另一个 id",
    },
    "import.at_line": {"en": "line {line}", "zh": "第 {line} 行"},
    "import.at_question": {"en": "question {question}", "zh": "问题 {question}"},
    # exports
    "export.no_state": {
        "en": "{unknown}: no such state. The states are {known}.",
        "zh": "{unknown}：没有这种状态。状态有 {known}。",
    },
    "export.no_zone": {
        "en": "{name} needs a time zone, as in 2026-01-31T00:00:00+08:00.",
        "zh": "{name} 需要带时区，例如 2026-01-31T00:00:00+08:00。",
    },
    "export.no_format": {
        "en": "{format} is not an export format. The formats are {known}.",
        "zh": "{format} 不是导出格式。格式有 {known}。",
    },
    "export.no_folder": {
        "en": "{path}: there is no folder {folder}. Create it, or choose another folder.",
        "zh": "{path}：没有文件夹 {folder}。请先建立它，或换一个文件夹。",
    },
    "export.is_folder": {
        "en": "{path}: this is a folder. Add the name of a file to it.",
        "zh": "{path}：这是文件夹。请再加上文件名。",
    },
    "export.is_device": {
        "en": "{path}: this is a device or a pipe, which cannot be replaced. Give the name of a file.",
        "zh": "{path}：这是设备或管道，不能替换。请给出文件名。",
    },
    "export.not_written": {
        "en": "{path}: could not be written ({why}). Nothing was left behind. {advice}",
        "zh": "{path}：写不进去（{why}）。没有留下任何内容。{advice}",
    },
    "export.not_replaced": {
        "en": "{path}: could not be written ({why}). The file that was there before is untouched. {advice}",
        "zh": "{path}：写不进去（{why}）。原有的文件没有变。{advice}",
    },
    "export.disk_full": {
        "en": "Free some space on that disk, or export to another one.",
        "zh": "请在那块磁盘上腾出空间，或导出到别的磁盘。",
    },
    "export.quota": {
        "en": "Your quota is used up: free some space, or export to another disk.",
        "zh": "磁盘配额已用完：请腾出空间，或导出到别的磁盘。",
    },
    "export.too_large": {
        "en": "The file would be larger than its disk or your limits allow: export to another disk, or in parts.",
        "zh": "文件会超过磁盘或配额允许的大小：请导出到别的磁盘，或分几次导出。",
    },
    "export.may_not": {"en": "Choose a folder that you may write to.", "zh": "请选择可写的文件夹。"},
    "export.read_only": {
        "en": "That disk can only be read: choose another folder.",
        "zh": "那块磁盘是只读的：请选择别的文件夹。",
    },
    "export.long_name": {"en": "Choose a shorter name.", "zh": "请用短一些的文件名。"},
    "export.check_disk": {
        "en": "Check the disk and its folder, then export again.",
        "zh": "请检查磁盘和文件夹，然后重新导出。",
    },
}
