"""A file of questions or tags that cannot be read: as a whole, or from some place on."""

TEXTS = {
    # how a file and a place in it are called
    "file.standard_input": {"en": "standard input", "zh": "标准输入"},
    "place.line": {"en": "{file}, line {number}", "zh": "{file}，第 {number} 行"},
    "place.row": {"en": "{file}, row {number}", "zh": "{file}，第 {number} 行"},
    "place.task": {"en": "{file}, task {number}", "zh": "{file}，第 {number} 个任务"},
    "place.after_line": {"en": "{file}, after line {number}", "zh": "{file}，第 {number} 行之后"},
    "place.after_row": {"en": "{file}, after row {number}", "zh": "{file}，第 {number} 行之后"},
    "place.after_task": {"en": "{file}, after task {number}", "zh": "{file}，第 {number} 个任务之后"},
    "place.header": {"en": "{place}: the header", "zh": "{place}：表头"},
    "place.parquet_table": {"en": "{file}: the Parquet table", "zh": "{file}：Parquet 表"},
    # finding and opening it
    "file.no_format": {
        "en": "{format}: no such format of question files. Choose one of: {valid}.",
        "zh": "{format}：没有这种问题文件格式。可选的有：{valid}。",
    },
    "file.missing": {
        "en": "{file}: no such file. Give {expected}.",
        "zh": "{file}：没有这个文件。请给出{expected}。",
    },
    "file.expected_questions": {
        "en": "the path of a file of questions (JSONL, CSV, Parquet, fastText, Label Studio or doccano; "
        "text also as .gz)",
        "zh": "问题文件的路径（JSONL、CSV、Parquet、fastText、Label Studio 或 doccano；文本也可以是 .gz）",
    },
    "file.expected_tags": {
        "en": "a list of tags, one a line, or a CSV or TSV with a column tag",
        "zh": "标签表：每行一个标签，或带 tag 列的 CSV、TSV",
    },
    "file.not_opened": {
        "en": "{file}: cannot be opened ({reason}). Check that you may read it.",
        "zh": "{file}：打不开（{reason}）。请检查是否有权读取。",
    },
    # its bytes
    "file.damaged_gzip": {
        "en": "{place}: the gzip data is damaged or cut off ({reason}). Copy the file again.",
        "zh": "{place}：gzip 数据已损坏或不完整（{reason}）。请重新复制文件。",
    },
    "file.not_utf8": {"en": "{place}: not UTF-8; {advice}.", "zh": "{place}：不是 UTF-8。{advice}。"},
    "file.save_as_utf8": {"en": "save the file as UTF-8", "zh": "请把文件另存为 UTF-8"},
    "file.convert": {
        "en": "the file looks like {encoding}; convert it with: iconv -f {encoding} -t UTF-8",
        "zh": "文件看起来是 {encoding}，请这样转换：iconv -f {encoding} -t UTF-8",
    },
    "file.header_no_csv": {
        "en": "{place} is not valid CSV ({reason}). Save the file again as CSV.",
        "zh": "{place}不是有效的 CSV（{reason}）。请把文件重新保存为 CSV。",
    },
    "file.packed_parquet": {
        "en": "{file}: Parquet cannot be read from standard input or through gzip. "
        "Give the path of the .parquet file itself, unpacked.",
        "zh": "{file}：Parquet 不能从标准输入或 gzip 读取。请给出解压后的 .parquet 文件的路径。",
    },
    "file.damaged_parquet": {
        "en": "{place}: the file is cut off, damaged, or no Parquet at all ({reason}). Copy or export it again.",
        "zh": "{place}：文件不完整、已损坏，或根本不是 Parquet（{reason}）。请重新复制或导出。",
    },
    "file.no_array": {
        "en": "{file}: a Label Studio file is a JSON array, which starts with [. Export it as JSON.",
        "zh": "{file}：Label Studio 文件是以 [ 开头的 JSON 数组。请导出为 JSON。",
    },
    "file.array_ends_early": {
        "en": "{place}: the file ends early. Copy it, or export it from Label Studio, again.",
        "zh": "{place}：文件没有写完。请重新复制，或从 Label Studio 重新导出。",
    },
    "file.array_no_json": {
        "en": "{place}: not valid JSON ({reason}). Export it from Label Studio again.",
        "zh": "{place}：不是有效的 JSON（{reason}）。请从 Label Studio 重新导出。",
    },
    # its columns
    "columns.missing": {
        "en": "{where} has no column {missing}; it has {names}. Expected: {expected}; lists are joined by |.",
        "zh": "{where}缺少列 {missing}；现有的列是 {names}。应有的列：{expected}；列表用 | 连接。",
    },
    "columns.two": {"en": "{first} and no column {second}", "zh": "{first} 和 {second}"},
    "columns.other_names": {"en": "{count} of other names", "zh": "{count} 个别的名字"},
    "columns.none": {"en": "nothing", "zh": "什么也没有"},
    "columns.unread": {
        "en": '{file}: "{name}" looks like labels and is not read. If it holds the tags, call it "tags".',
        "zh": "{file}：“{name}”看起来是标签，但没有读取。如果标签就在里面，请把它改名为“tags”。",
    },
    # beyond a limit
    "limit.depth": {
        "en": "{place}: nested deeper than {depth} levels.",
        "zh": "{place}：嵌套超过 {depth} 层。",
    },
    "limit.length": {
        "en": "{place}: longer than {longest}, the most that is read at once.",
        "zh": "{place}：超过 {longest}，一次最多只读这么多。",
    },
    "limit.text": {
        "en": "{file}: a text is longer than {longest}, the most that is read at once.",
        "zh": "{file}：有一段文字超过 {longest}，一次最多只读这么多。",
    },
    "limit.unpacked": {
        "en": "{file}: more than {most} when it is unpacked.",
        "zh": "{file}：解压后超过 {most}。",
    },
    "limit.blank": {
        "en": "{file}: nothing but white space in the first {most}.",
        "zh": "{file}：开头的 {most} 里只有空白。",
    },
}
