"""Words of the export page."""

TEXTS: dict[str, dict[str, str]] = {
    "export.since": {"zh": "决定于（从）", "en": "Decided from"},
    "export.until": {"zh": "到（含当日）", "en": "to (that day too)"},
    "export.as_of": {"zh": "按这一天结束时的样子", "en": "As it was at the end of"},
    "export.as_of_hint": {
        "zh": "标签、意见和标签名都按那一天的样子导出。空着就是现在。",
        "en": "Labels, opinions and the names of tags as they were on that day. Empty means now.",
    },
    "export.people": {"zh": "人员", "en": "People"},
    "export.sources": {"zh": "来源", "en": "Sources"},
    "export.models": {"zh": "模型版本", "en": "Model versions"},
    "export.states": {"zh": "状态", "en": "States"},
    "export.all": {"zh": "全部", "en": "all"},
    "export.no_source": {"zh": "（无来源）", "en": "(no source)"},
    "export.min_agreement": {"zh": "最低一致程度", "en": "Least agreement"},
    "export.min_agreement_hint": {
        "zh": "意见两两之间 MASI 相似度的平均值。大于 0 时，只有一份意见的问题不会导出。",
        "en": "Mean MASI similarity of the opinions, pair by pair. Above 0, questions with one opinion stay out.",
    },
    "export.reviewed_only": {"zh": "只要已裁定的", "en": "Reviewed only"},
    "export.rejections": {"zh": "包含被拒绝的标签", "en": "With rejected tags"},
    "export.flagged": {"zh": "被标记的问题", "en": "Flagged questions"},
    "export.flagged_with": {"zh": "一并导出", "en": "go out too"},
    "export.flagged_without": {"zh": "留下，不导出", "en": "are held back"},
    "export.flagged_only": {"zh": "只要它们", "en": "only these"},
    "export.commented": {"zh": "只要有备注的", "en": "Only with a comment"},
    "export.notes": {
        "zh": "被标记 {flagged} · 有备注 {commented} · 因标记留下 {held_back}",
        "en": "{flagged} flagged · {commented} with comments · {held_back} held back for a flag",
    },
    "export.no_notes": {
        "zh": "这种格式没有标记和备注的位置：文件里没有它们。JSONL、CSV、Parquet、Label Studio 和 doccano 都带着它们。",
        "en": "This format has no place for flags and comments: they are not in the file. JSONL, CSV, Parquet, Label "
        "Studio and doccano hold them.",
    },
    "export.counting": {"zh": "正在计数：{done} / {total}", "en": "Counting: {done} of {total}"},
    "export.count": {"zh": "计数", "en": "Count"},
    "export.count_hint": {
        "zh": "库里有 {questions} 个决定过的问题，计数要逐个看过。",
        "en": "{questions} questions have decisions; counting looks at each of them.",
    },
    "export.counts": {
        "zh": "{rows} 个问题 · {labels} 个标签 · {rejected} 个被拒绝 · {redacted} 个已隐去的问题不导出",
        "en": "{rows} questions · {labels} labels · {rejected} rejections · {redacted} redacted ones left out",
    },
    "export.preview": {"zh": "预览：前 {rows} 行", "en": "Preview: the first {rows} rows"},
    "export.preview_label": {"zh": "预览", "en": "Preview"},
    "export.as_file": {"zh": "文件原样", "en": "As in the file"},
    "export.as_table": {"zh": "表格", "en": "As a table"},
    "export.file_preview": {
        "zh": "文件的前 {rows} 行，一字不差",
        "en": "The first {rows} rows, exactly as the file has them",
    },
    "export.file_preview_cut": {
        "zh": "太长，只显示前 {characters} 个字符。",
        "en": "Too long: only the first {characters} characters are shown.",
    },
    "export.file_preview_order": {
        "zh": "文件生成后先后可能不同：最先填到某一列的行排在前面。",
        "en": "In the file the order may differ: rows that are the first to fill a column come to the front.",
    },
    "export.preview_cut": {
        "zh": "前面的问题里符合条件的不多，预览没有看完；计数和文件会看完全部。",
        "en": "Few of the first questions pass the filters: the preview stopped early. Counts and files look at all.",
    },
    "export.preview_none": {
        "zh": "没有符合条件的问题。请放宽筛选，或先标注一些问题。",
        "en": "No question passes the filters. Take some away, or tag some questions first.",
    },
    "export.format": {"zh": "格式", "en": "Format"},
    "export.format_jsonl": {"zh": "JSONL：每行一个问题，全部字段", "en": "JSONL: a question a line, every field"},
    "export.format_csv": {"zh": "CSV：表格软件用，全部字段", "en": "CSV: for spreadsheets, every field"},
    "export.format_parquet": {"zh": "Parquet：数据分析用，全部字段", "en": "Parquet: for analysis, every field"},
    "export.format_nlpcc": {"zh": "CSV：NLPCC-2018 任务 6 的列", "en": "CSV: the columns of NLPCC-2018 task 6"},
    "export.format_fasttext": {"zh": "fastText：训练文本", "en": "fastText: training text"},
    "export.format_label_studio": {"zh": "Label Studio：任务 JSON", "en": "Label Studio: tasks as JSON"},
    "export.format_doccano": {"zh": "doccano：每行一个 JSON", "en": "doccano: JSON, one a line"},
    "export.escape_json": {
        "zh": "JSON 自己的转义保留每个字符。",
        "en": "JSON's own escapes keep every character.",
    },
    "export.escape_csv": {
        "zh": "列表用 | 连接，项内的竖线写作 \\|，反斜杠写作 \\\\；单独一项若含逗号或括号，末尾加 |；"
        "表格软件会当作公式执行的、或以撇号开头的单元格，前面加一个撇号。",
        "en": "Lists are joined by |, with \\| for a bar and \\\\ for a backslash inside an item; a single "
        "item with a comma or in brackets ends with |; a cell that a spreadsheet would run as a formula, or that "
        "begins with an apostrophe, gets one apostrophe in front.",
    },
    "export.escape_parquet": {
        "zh": "不作转义：文字连同长度存放，列表就是列表。",
        "en": "Nothing is escaped: texts are stored with their length, lists as lists.",
    },
    "export.escape_fasttext": {
        "zh": "正文切成词，开头加一个 ▁，正文自己的空格也写作 ▁；标签中的空白、控制字符和 % 用百分号编码；"
        "是 ▁ 或以 __label__ 开头的词前加一个反斜杠；正文的换行变成空格，这是唯一没有保留的东西。",
        "en": "The text is cut into words, with ▁ in front and for every space of the text itself; white space, "
        "control characters and % in a tag are percent-encoded; a word that is ▁ or begins with __label__ gets one "
        "backslash in front; line breaks in the text become spaces, the one thing that is not kept.",
    },
    "export.spreadsheet": {
        "zh": "用表格软件打开：文件是 UTF-8 编码。Excel 打开再保存会改动长数字和日期，请另存一份，不要把它读回本系统。",
        "en": "In a spreadsheet: the file is UTF-8. Excel changes long numbers and dates when it saves, so keep this "
        "file as it is and work on a copy.",
    },
    "export.prepare": {"zh": "生成文件", "en": "Prepare the file"},
    "export.preparing": {"zh": "正在生成：{done} / {total}", "en": "Preparing: {done} of {total}"},
    "export.stale": {
        "zh": "筛选或格式已变，请重新生成。",
        "en": "The filters or the format have changed since: prepare the file again.",
    },
    "export.newer": {
        "zh": "截至回执 {number}；此后又有新的记录。",
        "en": "As of receipt {number}: there are newer entries since.",
    },
    "export.download": {"zh": "下载 {name}（{size}）", "en": "Download {name} ({size})"},
    "export.download_manifest": {"zh": "下载清单", "en": "Download the manifest"},
    "export.manifest": {"zh": "清单：文件里有什么", "en": "The manifest: what the file holds"},
    "export.difference": {"zh": "与以前的导出比较", "en": "Difference against an earlier export"},
    "export.older": {
        "zh": "以前导出的文件，任何格式，不超过 {megabytes} MB",
        "en": "An earlier export of any format, up to {megabytes} MB",
    },
    "export.too_large": {
        "zh": "文件超过 {megabytes} MB。请用命令行比较：`python -m app diff 旧文件 新文件`。",
        "en": "The file is larger than {megabytes} MB. Compare it in a terminal: `python -m app diff OLD NEW`.",
    },
    "export.comparing": {"zh": "正在比较：{done} / {total}", "en": "Comparing: {done} of {total}"},
    "export.differences": {
        "zh": "新增 {added} · 消失 {removed} · 标签有变 {changed} · 相同 {same}（{by}）",
        "en": "{added} added · {removed} removed · {changed} with other labels · {same} the same ({by})",
    },
    "export.by_id": {"zh": "按编号辨认", "en": "recognised by id"},
    "export.by_text": {"zh": "按文字辨认", "en": "recognised by text"},
    "export.bad_lines": {
        "zh": "有 {bad} 行读不懂，没有比较。",
        "en": "{bad} lines could not be read and were left out.",
    },
    "export.first_differences": {"zh": "只列出前 {count} 处。", "en": "Only the first {count} are listed."},
    "export.change": {"zh": "变化", "en": "Change"},
    "export.change_added": {"zh": "新增", "en": "added"},
    "export.change_removed": {"zh": "消失", "en": "removed"},
    "export.change_changed": {"zh": "标签有变", "en": "other labels"},
    "export.plus": {"zh": "多出的标签", "en": "Tags that came"},
    "export.minus": {"zh": "少了的标签", "en": "Tags that went"},
    "export.id": {"zh": "编号", "en": "Id"},
    "export.source": {"zh": "来源", "en": "Source"},
    "export.decided": {"zh": "决定时间", "en": "Decided"},
}
