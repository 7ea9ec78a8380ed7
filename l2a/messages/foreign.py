"""Files of other tools, and what works instead."""

_LINES_EN = 'Write one JSON object a line instead, with "title" and, as a list, "tags"'
_LINES_ZH = "请改为每行写一个 JSON 对象，含“title”和列表“tags”"
_SKOS_EN = (
    "Write a CSV with the columns name (prefLabel), external_id (the concept's address), parent (the broader concept's "
    "prefLabel), aliases (altLabels, joined by |) and definition"
)
_SKOS_ZH = (
    "请写成 CSV，列为 name（prefLabel）、external_id（概念的网址）、parent（上位概念的 prefLabel）、"
    "aliases（altLabel，用 | 连接）和 definition"
)

TEXTS = {
    "foreign.file": {
        "en": "{place}: this looks like a file of {tool}, which cannot be read as it is. {advice}",
        "zh": "{place}：这像是 {tool} 的文件，不能直接读取。{advice}",
    },
    "foreign.several_controls": {
        "en": "{place}: the choices come from several controls of Label Studio ({controls}), and which one holds the "
        'tags cannot be told. Write tags as "from_name" of the results that are to be read, or remove the other '
        "results.",
        "zh": "{place}：选项来自 Label Studio 的几个控件（{controls}），分不清哪个是标签。"
        "请把要读取的结果的“from_name”写成 tags，或去掉其他结果。",
    },
    "foreign.label_studio_old": {"en": "Label Studio before 1.0", "zh": "Label Studio 0.x"},
    # advice
    "advice.accepted": {
        "en": f"{_LINES_EN}: the labels that were accepted. Leave rows out that were ignored.",
        "zh": f"{_LINES_ZH}：即被接受的标签。被忽略的行请去掉。",
    },
    "advice.responses": {
        "en": f"{_LINES_EN}: the values of the responses that were submitted.",
        "zh": f"{_LINES_ZH}：即已提交的回答里的值。",
    },
    "advice.subject_names": {
        "en": f"{_LINES_EN}: the names of the subjects.",
        "zh": f"{_LINES_ZH}：即主题词的名字。",
    },
    "advice.subject_addresses": {
        "en": f"{_LINES_EN}: the names that the vocabulary has for the subjects' addresses.",
        "zh": f"{_LINES_ZH}：即词表里这些主题网址对应的名字。",
    },
    "advice.label_studio_json": {
        "en": "Export it from Label Studio again, as JSON (not as CSV, TSV or JSON-MIN).",
        "zh": "请从 Label Studio 重新导出为 JSON（不是 CSV、TSV 或 JSON-MIN）。",
    },
    "advice.newer_label_studio": {
        "en": "Open the project in a newer Label Studio and export it as JSON from there.",
        "zh": "请用新版 Label Studio 打开项目，再从那里导出为 JSON。",
    },
    "advice.doccano_jsonl": {
        "en": "Export it as JSONL, or call its columns title and tags, with several tags joined by |.",
        "zh": "请导出为 JSONL，或把列名改为 title 和 tags，多个标签用 | 连接。",
    },
    "advice.parts_of_text": {
        "en": f"Labels on parts of a text are no tags. {_LINES_EN}.",
        "zh": f"标在部分文字上的不算标签。{_LINES_ZH}。",
    },
    "advice.skos": {"en": f"{_SKOS_EN}.", "zh": f"{_SKOS_ZH}。"},
    "advice.skos_as_questions": {
        "en": f"It holds tags, not questions. {_SKOS_EN}. Import that as a list of tags.",
        "zh": f"里面是标签，不是问题。{_SKOS_ZH}，再作为标签表导入。",
    },
    "advice.tags": {
        "en": "Write one tag a line instead, or a CSV with the columns name, external_id, parent, aliases and "
        "definition.",
        "zh": "请改为每行一个标签，或带 name、external_id、parent、aliases、definition 列的 CSV。",
    },
    "advice.as_questions": {
        "en": "It holds questions: import it as questions, not as tags.",
        "zh": "里面是问题：请作为问题导入，而不是作为标签。",
    },
    "advice.questions": {
        "en": "Write the questions one a line, as JSON lines or CSV with a title.",
        "zh": "请每行写一个问题，用 JSONL，或带 title 列的 CSV。",
    },
}
