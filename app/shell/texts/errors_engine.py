"""What the engine (l2a/) says about files, models and settings that are wrong: English template -> Chinese."""

# Files of other tools, and what works instead.
_LINES = "请改为每行写一个 JSON 对象，含“title”和列表“tags”"
_TAGS = "请改为每行一个标签，或带 name、external_id、parent、aliases、definition 列的 CSV。"
FOREIGN: dict[str, str] = {
    "{0}: this looks like a file of {1}, which cannot be read as it is. {2}": (
        "{0}：这像是 {1} 的文件，不能直接读取。{2:said}"
    ),
    "{0}, line {1}: this looks like a file of {2}, which cannot be read as it is. {3}": (
        "{0}，第 {1} 行：这像是 {2} 的文件，不能直接读取。{3:said}"
    ),
    "{0}, row {1}: this looks like a file of {2}, which cannot be read as it is. {3}": (
        "{0}，第 {1} 行：这像是 {2} 的文件，不能直接读取。{3:said}"
    ),
    "{0}, task {1}: this looks like a file of {2}, which cannot be read as it is. {3}": (
        "{0}，第 {1} 个任务：这像是 {2} 的文件，不能直接读取。{3:said}"
    ),
    'Write one JSON object a line instead, with "title" and, as a list, "tags": the labels that were accepted. '
    "Leave rows out that were ignored.": f"{_LINES}：即被接受的标签。被忽略的行请去掉。",
    'Write one JSON object a line instead, with "title" and, as a list, "tags": '
    "the values of the responses that were submitted.": f"{_LINES}：即已提交的回答里的值。",
    'Write one JSON object a line instead, with "title" and, as a list, "tags": the names of the subjects.': (
        f"{_LINES}：即主题词的名字。"
    ),
    'Write one JSON object a line instead, with "title" and, as a list, "tags": '
    "the names that the vocabulary has for the subjects' addresses.": f"{_LINES}：即词表里这些主题网址对应的名字。",
    "Export it from Label Studio again, as JSON (not as CSV, TSV or JSON-MIN).": (
        "请从 Label Studio 重新导出为 JSON（不是 CSV、TSV 或 JSON-MIN）。"
    ),
    "Open the project in a newer Label Studio and export it as JSON from there.": (
        "请用新版 Label Studio 打开项目，再从那里导出为 JSON。"
    ),
    "Export it as JSONL, or call its columns title and tags, with several tags joined by |.": (
        "请导出为 JSONL，或把列名改为 title 和 tags，多个标签用 | 连接。"
    ),
    "Labels on parts of a text are no tags. "
    'Write one JSON object a line instead, with "title" and, as a list, "tags".': (
        f"标在部分文字上的不算标签。{_LINES}。"
    ),
    "Write a CSV with the columns name (prefLabel), external_id (the concept's address), parent (the broader concept's "
    "prefLabel), aliases (altLabels, joined by |) and definition.": (
        "请写成 CSV，列为 name（prefLabel）、external_id（概念的网址）、parent（上位概念的 prefLabel）、"
        "aliases（altLabel，用 | 连接）和 definition。"
    ),
    "It holds tags, not questions. Write a CSV with the columns name (prefLabel), external_id (the concept's address), "
    "parent (the broader concept's prefLabel), aliases (altLabels, joined by |) and definition. Import that as a list "
    "of tags.": (
        "里面是标签，不是问题。请写成 CSV，列为 name（prefLabel）、external_id（概念的网址）、"
        "parent（上位概念的 prefLabel）、aliases（altLabel，用 | 连接）和 definition，再作为标签表导入。"
    ),
    "Write one tag a line instead, or a CSV with the columns name, external_id, parent, aliases and definition.": _TAGS,
    "It holds questions: import it as questions, not as tags.": "里面是问题：请作为问题导入，而不是作为标签。",
    "Write the questions one a line, as JSON lines or CSV with a title.": (
        "请每行写一个问题，用 JSONL，或带 title 列的 CSV。"
    ),
    "{0}, task {1}: the choices come from several controls of Label Studio ({2}), and which one holds the tags cannot "
    'be told. Write tags as "from_name" of the results that are to be read, or remove the other results.': (
        "{0}，第 {1} 个任务：选项来自 Label Studio 的几个控件（{2}），分不清哪个是标签。"
        "请把要读取的结果的“from_name”写成 tags，或去掉其他结果。"
    ),
}

TEXTS: dict[str, str] = {
    # a model folder, before it is loaded
    "{0}: this is no model folder (config.json: {1}). Give the path of a folder written by `python -m l2a train`.": (
        "{0}：这不是模型文件夹（config.json：{1}）。请给出 `python -m l2a train` 写出的文件夹。"
    ),
    "{0}: config.json cannot be read ({1}). Copy the folder again.": (
        "{0}：无法读取 config.json（{1}）。请重新复制文件夹。"
    ),
    "{0}: config.json is not that of an L2A model. Give the path of a folder written by `python -m l2a train`.": (
        "{0}：config.json 不是 L2A 模型的。请给出 `python -m l2a train` 写出的文件夹。"
    ),
    # question files: what is said about a file
    "{0}: no such format of question files. Choose one of: {1}.": "{0}：没有这种问题文件格式。可选的有：{1}。",
    "{0}: no such file. Give {1}.": "{0}：没有这个文件。请给出{1:said}。",
    "the path of a file of questions (JSONL, CSV, Parquet, fastText, Label Studio or doccano; text also as .gz)": (
        "问题文件的路径（JSONL、CSV、Parquet、fastText、Label Studio 或 doccano；文本也可以是 .gz）"
    ),
    "a list of tags, one a line, or a CSV or TSV with a column tag": "标签表：每行一个标签，或带 tag 列的 CSV、TSV",
    "{0}: cannot be opened ({1}). Check that you may read it.": "{0}：打不开（{1}）。请检查是否有权读取。",
    "{0}, after line {1}: the gzip data is damaged or cut off ({2}). Copy the file again.": (
        "{0}，第 {1} 行之后：gzip 数据已损坏或不完整（{2}）。请重新复制文件。"
    ),
    "{0}, line {1}: not UTF-8; save the file as UTF-8.": "{0}，第 {1} 行：不是 UTF-8。请把文件另存为 UTF-8。",
    "{0}, line {1}: not UTF-8; the file looks like {2}; convert it with: iconv -f {2} -t UTF-8.": (
        "{0}，第 {1} 行：不是 UTF-8。文件看起来是 {2}，请这样转换：iconv -f {2} -t UTF-8。"
    ),
    "{0}, line {1}: the header is not valid CSV ({2}). Save the file again as CSV.": (
        "{0}，第 {1} 行：表头不是有效的 CSV（{2}）。请把文件重新保存为 CSV。"
    ),
    "{0} has no column {1}; it has {2}. Expected: {3}; lists are joined by |.": (
        "{0:said}缺少列 {1:said}；现有的列是 {2:said}。应有的列：{3}；列表用 | 连接。"
    ),
    "{0} of other names": "{0} 个别的名字",
    "nothing": "什么也没有",
    "{0}, line {1}: the header": "{0}，第 {1} 行：表头",
    "{0}: the Parquet table": "{0}：Parquet 表",
    "{0} and no column {1}": "{0} 和 {1:said}",
    "{0}: Parquet cannot be read from standard input or through gzip. "
    "Give the path of the .parquet file itself, unpacked.": (
        "{0}：Parquet 不能从标准输入或 gzip 读取。请给出解压后的 .parquet 文件的路径。"
    ),
    "{0}: the file is cut off, damaged, or no Parquet at all ({1}). Copy or export it again.": (
        "{0}：文件不完整、已损坏，或根本不是 Parquet（{1}）。请重新复制或导出。"
    ),
    "{0}, after row {1}: the file is cut off, damaged, or no Parquet at all ({2}). Copy or export it again.": (
        "{0}，第 {1} 行之后：文件不完整、已损坏，或根本不是 Parquet（{2}）。请重新复制或导出。"
    ),
    "{0}: a Label Studio file is a JSON array, which starts with [. Export it as JSON.": (
        "{0}：Label Studio 文件是以 [ 开头的 JSON 数组。请导出为 JSON。"
    ),
    "{0}, after task {1}: the file ends early. Copy it, or export it from Label Studio, again.": (
        "{0}，第 {1} 个任务之后：文件没有写完。请重新复制，或从 Label Studio 重新导出。"
    ),
    "{0}, after task {1}: not valid JSON ({2}). Export it from Label Studio again.": (
        "{0}，第 {1} 个任务之后：不是有效的 JSON（{2}）。请从 Label Studio 重新导出。"
    ),
    # beyond a limit
    "{0}, task {1}: nested deeper than {2} levels.": "{0}，第 {1} 个任务：嵌套超过 {2} 层。",
    "{0}, task {1}: longer than {2}, the most that is read at once.": (
        "{0}，第 {1} 个任务：超过 {2}，一次最多只读这么多。"
    ),
    "{0}: a text is longer than {1}, the most that is read at once.": "{0}：有一段文字超过 {1}，一次最多只读这么多。",
    "{0}: more than {1} when it is unpacked.": "{0}：解压后超过 {1}。",
    "{0}: nothing but white space in the first {1}.": "{0}：开头的 {1} 里只有空白。",
    "longer than {0}, the most that is read at once": "超过 {0}，一次最多只读这么多",
    "nested deeper than {0} levels": "嵌套超过 {0} 层",
    # question files: what is said about a line
    "{0}, row {1}: {2}": "{0}，第 {1} 行：{2:said}",
    "{0}, task {1}: {2}": "{0}，第 {1} 个任务：{2:said}",
    "{0}, line {1}: {2}. Correct the line, or pass --skip-bad to leave such lines out.": (
        "{0}，第 {1} 行：{2:said}。请改正这一行，或用 --skip-bad 跳过这样的行。"
    ),
    "{0}, row {1}: {2}. Correct the row, or pass --skip-bad to leave such rows out.": (
        "{0}，第 {1} 行：{2:said}。请改正这一行，或用 --skip-bad 跳过这样的行。"
    ),
    "{0}, task {1}: {2}. Correct the task, or pass --skip-bad to leave such tasks out.": (
        "{0}，第 {1} 个任务：{2:said}。请改正这个任务，或用 --skip-bad 跳过这样的任务。"
    ),
    "the title is empty": "标题是空的",
    "nothing is left of the question once URLs and control characters are removed": (
        "去掉网址和控制字符后，问题什么也不剩"
    ),
    '"{0}" must be a list of strings': "“{0}”必须是字符串的列表",
    '"{0}" must be a list of objects': "“{0}”必须是对象的列表",
    '"{0}" must be a string, not {1}': "“{0}”必须是字符串，而不是 {1}",
    "a tag is empty": "有一个标签是空的",
    "half of a surrogate pair (\\u{0}), a broken emoji": "有半个代理对（\\u{0}），即损坏的表情符号",
    "not UTF-8 (byte 0x{0} at column {1}); save the file as UTF-8": (
        "不是 UTF-8（第 {1} 列的字节 0x{0}）；请把文件另存为 UTF-8"
    ),
    "not UTF-8 (byte 0x{0} at column {1}); the file looks like {2}; convert it with: iconv -f {2} -t UTF-8": (
        "不是 UTF-8（第 {1} 列的字节 0x{0}）；文件看起来是 {2}，请这样转换：iconv -f {2} -t UTF-8"
    ),
    "a text is not UTF-8; write the file again with text columns in UTF-8": (
        "有一段文字不是 UTF-8；请用 UTF-8 的文字列重新写文件"
    ),
    "not valid CSV ({0})": "不是有效的 CSV（{0}）",
    "{0} columns where the header has {1}": "有 {0} 列，而表头有 {1} 列",
    "not valid JSON ({0})": "不是有效的 JSON（{0}）",
    "a JSON object is expected, not {0}": "这里应当是 JSON 对象，而不是 {0}",
    'a doccano row needs "text"; it has {0}': "doccano 的一行需要“text”；这里的名字：{0:said}",
    '"label" must be a list of strings; labels on parts of the text cannot be read': (
        "“label”必须是字符串的列表；不能读取标在部分文字上的标签"
    ),
    'the task has no "data", so this is not Label Studio\'s JSON; '
    "write questions of another kind one object a line (JSONL)": (
        "任务里没有“data”，所以这不是 Label Studio 的 JSON；别的问题文件请每行写一个对象（JSONL）"
    ),
    '"data" has neither "title" nor "text"; it has {0}': "“data”里既没有“title”也没有“text”；这里的名字：{0:said}",
    "results of type taxonomy cannot be read, only choices": "不能读取 taxonomy 类型的结果，只能读取 choices",
    '"choices" must be a list of strings': "“choices”必须是字符串的列表",
    "the tag has no name": "标签没有名字",
    "the tags are a list written as text ({0}); join them by |, and end one tag that is really called so with |": (
        "标签是写成文字的列表（{0}）；请用 | 连接。如果真有一个标签叫这个名字，请在末尾加 |"
    ),
    "a tag is a list written as text ({0}); write each of its tags as an item of its own": (
        "有一个标签是写成文字的列表（{0}）；请把其中每个标签各写成一项"
    ),
    "the tags look joined by commas ({0}); join them by |, and end one tag that has a comma in its name with |": (
        "标签像是用逗号连接的（{0}）；请用 | 连接。如果这是一个名字里带逗号的标签，请在末尾加 |"
    ),
    '{0}: "{1}" looks like labels and is not read. If it holds the tags, call it "tags".': (
        "{0}：“{1}”看起来是标签，但没有读取。如果标签就在里面，请把它改名为“tags”。"
    ),
    **FOREIGN,
    # models
    "{0}: no such model folder. Give the path of a folder written by `python -m l2a train`.": (
        "{0}：没有这个模型文件夹。请给出由 `python -m l2a train` 写成的文件夹的路径。"
    ),
    "{0}: config.json is not that of an L2A model. Give a folder written by `python -m l2a train`.": (
        "{0}：config.json 不属于 L2A 模型。请给出由 `python -m l2a train` 写成的文件夹。"
    ),
    "{0}: the folder has format {1}; this program reads up to {2}. Update the program, or use an older model.": (
        "{0}：文件夹的格式是 {1}，本程序只能读到 {2}。请更新程序，或用旧一些的模型。"
    ),
    "{0}: {1} is missing. The folder is incomplete; copy it again.": "{0}：缺少 {1}。文件夹不完整，请重新复制。",
    "{0}: {1} cannot be read ({2}). Copy the folder again.": "{0}：{1} 读不出来（{2}）。请重新复制文件夹。",
    "{0}: {1} is damaged or cut off ({2}). Copy the folder again.": (
        "{0}：{1} 已损坏或不完整（{2}）。请重新复制文件夹。"
    ),
    "{0}: the files do not belong together (config.json says version {1}, the contents give {2}). "
    "The folder was changed or damaged; copy it again or restore it.": (
        "{0}：文件彼此不相符（config.json 写的版本是 {1}，内容算出的是 {2}）。"
        "文件夹被改动过或已损坏，请重新复制或恢复。"
    ),
    "{0}: the model folder is damaged or of another kind ({1}: {2}). "
    "Copy it again, or train a new one with `python -m l2a train`.": (
        "{0}：模型文件夹已损坏，或不是这一类模型（{1}：{2:said}）。"
        "请重新复制，或用 `python -m l2a train` 训练新的模型。"
    ),
    # settings
    "{0} has no key {1}. Valid keys: {2}.": "{0} 没有 {1} 这一项。可用的项：{2}。",
    "{0} is {1}; valid: {2}.": "{0} 的值是 {1}；可用的值：{2}。",
    "decoder is {0}; valid: {1}.": "没有解码方式 {0}；可用的有：{1}。",
    "decoder is 'int8', but this processor or this PyTorch cannot multiply in 8 bits. Choose auto or float32.": (
        "解码方式是 'int8'，但这台机器的处理器或 PyTorch 不能做 8 位乘法。请选 auto 或 float32。"
    ),
    "{0} is {1}; valid: true, false.": "{0} 的值是 {1}；可用的值：true、false。",
    "{0} is {1}; it must be a {2} from {3} to {4}.": "{0} 的值是 {1}；必须是 {3} 到 {4} 之间的{2:said}。",
    "whole number": "整数",
    "number": "数",
    "width is {0}; it must be even and a multiple of heads ({1}).": (
        "width 的值是 {0}；必须是偶数，并且是 heads（{1}）的倍数。"
    ),
    "copy and share_embeddings need words on the target side; kind 'label' has none.": (
        "copy 和 share_embeddings 需要目标一侧有词；kind 为 'label' 时没有。"
    ),
    "no preset {0}; valid: {1}.": "没有预设 {0}；可用的有：{1}。",
    "batch_size is {0}; it must be at least 1.": "batch_size 的值是 {0}；至少要 1。",
    # suggestions and attention
    "Question {0}: the title is empty. Give at least a title.": "问题 {0}：标题是空的。请至少写一个标题。",
    "Question (no id): the title is empty. Give at least a title.": "标题是空的。请至少写一个标题。",
    "Question {0}: nothing is left once URLs and control characters are removed. Give a title in words.": (
        "问题 {0}：去掉网址和控制字符后什么也不剩。请用文字写标题。"
    ),
    "Question (no id): nothing is left once URLs and control characters are removed. Give a title in words.": (
        "去掉网址和控制字符后什么也不剩。请用文字写标题。"
    ),
    "The tag to begin with is empty. Give one, or leave this constraint out.": (
        "开头的标签是空的。请写一个，或不要这个限制。"
    ),
    "The model cannot write the tag {0}: it does not know all of its words ({1}). Choose another tag to begin with.": (
        "模型写不出标签 {0}：其中有它不认识的词（{1}）。请换一个开头的标签。"
    ),
    "The model cannot write the tag {0}: it does not know {1}. Choose a tag made of words it has seen.": (
        "模型写不出标签 {0}：它不认识 {1}。请选由它见过的词组成的标签。"
    ),
    "The model cannot write the tag {0}: it does not know it. Choose a tag made of words it has seen.": (
        "模型写不出标签 {0}：它不认识这个标签。请选由它见过的词组成的标签。"
    ),
    "There is no tag to explain. Give at least one.": "没有要解释的标签。请至少给出一个。",
    "No summary {0}; valid: {1}.": "没有汇总方式 {0}；可用的有：{1}。",
    "This model's decoder is an LSTM: it has no self-attention. Choose an A decoder.": (
        "这个模型的解码器是 LSTM，没有自注意力。请选用 A 解码器的模型。"
    ),
}
