"""A line, row or task of a file that cannot be used: what is wrong with it, and what one can do."""

TEXTS = {
    "row.bad": {"en": "{place}: {what}", "zh": "{place}：{what}"},
    "row.correct_line": {
        "en": "{place}: {what}. Correct the line, or pass --skip-bad to leave such lines out.",
        "zh": "{place}：{what}。请改正这一行，或用 --skip-bad 跳过这样的行。",
    },
    "row.correct_row": {
        "en": "{place}: {what}. Correct the row, or pass --skip-bad to leave such rows out.",
        "zh": "{place}：{what}。请改正这一行，或用 --skip-bad 跳过这样的行。",
    },
    "row.correct_task": {
        "en": "{place}: {what}. Correct the task, or pass --skip-bad to leave such tasks out.",
        "zh": "{place}：{what}。请改正这个任务，或用 --skip-bad 跳过这样的任务。",
    },
    # the question
    "row.no_title": {"en": "the title is empty", "zh": "标题是空的"},
    "row.nothing_left": {
        "en": "nothing is left of the question once URLs and control characters are removed",
        "zh": "去掉网址和控制字符后，问题什么也不剩",
    },
    "row.no_list_of_strings": {"en": '"{name}" must be a list of strings', "zh": "“{name}”必须是字符串的列表"},
    "row.no_list_of_objects": {"en": '"{name}" must be a list of objects', "zh": "“{name}”必须是对象的列表"},
    "row.no_string": {"en": '"{name}" must be a string, not {kind}', "zh": "“{name}”必须是字符串，而不是 {kind}"},
    "row.empty_tag": {"en": "a tag is empty", "zh": "有一个标签是空的"},
    "row.no_tag_name": {"en": "the tag has no name", "zh": "标签没有名字"},
    "row.half_surrogate": {
        "en": "half of a surrogate pair (\\u{number:04x}), a broken emoji",
        "zh": "有半个代理对（\\u{number:04x}），即损坏的表情符号",
    },
    # its text
    "row.not_utf8": {
        "en": "not UTF-8 (byte 0x{byte:02x} at column {column}); {advice}",
        "zh": "不是 UTF-8（第 {column} 列的字节 0x{byte:02x}）；{advice}",
    },
    "row.text_not_utf8": {
        "en": "a text is not UTF-8; write the file again with text columns in UTF-8",
        "zh": "有一段文字不是 UTF-8；请用 UTF-8 的文字列重新写文件",
    },
    "row.too_long": {
        "en": "longer than {longest}, the most that is read at once",
        "zh": "超过 {longest}，一次最多只读这么多",
    },
    "row.too_deep": {"en": "nested deeper than {depth} levels", "zh": "嵌套超过 {depth} 层"},
    "row.no_csv": {"en": "not valid CSV ({reason})", "zh": "不是有效的 CSV（{reason}）"},
    "row.other_width": {
        "en": "{found} columns where the header has {wanted}",
        "zh": "有 {found} 列，而表头有 {wanted} 列",
    },
    "row.no_json": {"en": "not valid JSON ({reason})", "zh": "不是有效的 JSON（{reason}）"},
    "row.no_object": {"en": "a JSON object is expected, not {kind}", "zh": "这里应当是 JSON 对象，而不是 {kind}"},
    # of doccano and Label Studio
    "row.doccano_no_text": {
        "en": 'a doccano row needs "text"; it has {names}',
        "zh": "doccano 的一行需要“text”；这里的名字：{names}",
    },
    "row.doccano_labels": {
        "en": '"label" must be a list of strings; labels on parts of the text cannot be read',
        "zh": "“label”必须是字符串的列表；不能读取标在部分文字上的标签",
    },
    "row.task_no_data": {
        "en": 'the task has no "data", so this is not Label Studio\'s JSON; '
        "write questions of another kind one object a line (JSONL)",
        "zh": "任务里没有“data”，所以这不是 Label Studio 的 JSON；别的问题文件请每行写一个对象（JSONL）",
    },
    "row.task_no_text": {
        "en": '"data" has neither "title" nor "text"; it has {names}',
        "zh": "“data”里既没有“title”也没有“text”；这里的名字：{names}",
    },
    "row.task_taxonomy": {
        "en": "results of type taxonomy cannot be read, only choices",
        "zh": "不能读取 taxonomy 类型的结果，只能读取 choices",
    },
    # tags that may be several
    "row.tags_as_text": {
        "en": "the tags are a list written as text ({cell}); join them by |, and end one tag that is "
        "really called so with |",
        "zh": "标签是写成文字的列表（{cell}）；请用 | 连接。如果真有一个标签叫这个名字，请在末尾加 |",
    },
    "row.tags_with_commas": {
        "en": "the tags look joined by commas ({cell}); join them by |, and end one tag that has a "
        "comma in its name with |",
        "zh": "标签像是用逗号连接的（{cell}）；请用 | 连接。如果这是一个名字里带逗号的标签，请在末尾加 |",
    },
    "row.tag_as_text": {
        "en": "a tag is a list written as text ({tag}); write each of its tags as an item of its own",
        "zh": "有一个标签是写成文字的列表（{tag}）；请把其中每个标签各写成一项",
    },
}
