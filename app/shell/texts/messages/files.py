"""Files that come in (imports) and go out (exports), and changes of tags."""

TEXTS: dict[str, dict[str, str]] = {
    # import: what is wrong with a line, and what became of the rows before it
    "import.bad_line_dry_run": {
        "en": "{complaint}. Nothing was stored, this is a dry run.",
        "zh": "{complaint}。这是试运行，没有保存任何内容。",
    },
    "import.bad_line_nothing_stored": {
        "en": "{complaint}. This run stored nothing.",
        "zh": "{complaint}。这次没有保存任何内容。",
    },
    "import.bad_line_rows_stay": {
        "en": "{complaint}. The first {done:,} rows are stored and stay.",
        "zh": "{complaint}。前 {done:,} 行已经保存并保留。",
    },
    "import.broken_rows_stay": {
        "en": "{complaint} The first {done:,} rows are stored and stay.",
        "zh": "{complaint}前 {done:,} 行已经保存并保留。",
    },
    "import.no_file": {
        "en": "{path}: there is no such file on the server, or it may not be read.",
        "zh": "{path}：服务器上没有这个文件，或者不可读取。",
    },
    "import.not_below": {
        "en": "{path} is not below {folder}, the folder of files that may be imported (L2A_IMPORT_FOLDER).",
        "zh": "{path} 不在 {folder} 里，只有这个文件夹里的文件可以导入（L2A_IMPORT_FOLDER）。",
    },
    "import.not_a_file": {
        "en": "{path} is not a regular file below {folder} that the server can read. Check the path.",
        "zh": "{path} 不是 {folder} 里服务器可以读取的普通文件。请检查路径。",
    },
    # export
    "export.not_an_older_one": {
        "en": "{name}: an earlier export ends in {endings}.",
        "zh": "{name}：以前导出的文件以 {endings} 结尾。",
    },
    "export.none_readable": {
        "en": "{name}: not an export; none of its lines could be read.",
        "zh": "{name}：不是导出的文件，没有一行能读取。",
    },
    "export.no_room_to_compare": {
        "en": (
            "The comparison keeps the older file in a temporary one, which failed ({error}). "
            "Make room on the disk, or set TMPDIR to a folder on another one."
        ),
        "zh": (
            "比较时要把旧文件放进临时文件，但没有成功（{error}）。"
            "请在磁盘上腾出空间，或把 TMPDIR 设为别的磁盘上的文件夹。"
        ),
    },
    # tags
    "tags.not_a_change": {
        "en": "{number} is not the number of a change of tags.",
        "zh": "{number} 不是标签改动的回执号。",
    },
    "tags.changed_meanwhile": {
        "en": "The tags were changed by somebody else meanwhile. Look at the plan again.",
        "zh": "其间有别人改动了标签。请重新查看这次改动涉及的内容。",
    },
}
