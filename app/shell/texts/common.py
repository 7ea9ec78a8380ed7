"""Words that several pages share: the frame, messages, votes."""

TEXTS: dict[str, dict[str, str]] = {
    "app.language": {"zh": "界面语言", "en": "Language"},
    "page.annotate": {"zh": "标注", "en": "Annotate"},
    "page.attention": {"zh": "注意力", "en": "Attention"},
    "page.beams": {"zh": "候选", "en": "Beams"},
    "page.history": {"zh": "记录", "en": "History"},
    "page.export": {"zh": "导出", "en": "Export"},
    "page.dashboard": {"zh": "统计", "en": "Dashboard"},
    "page.retrain": {"zh": "再训练", "en": "Retrain"},
    "page.tags": {"zh": "标签", "en": "Tags"},
    "page.queue": {"zh": "导入与队列", "en": "Import and queue"},
    "person.label": {"zh": "当前用户：{name}", "en": "You are {name}"},
    "person.name": {"zh": "姓名", "en": "Name"},
    "person.hint": {
        "zh": "每项决定都记在这个名字下。只在本机使用时，换个名字即可换人。",
        "en": "Every decision is kept under this name. On your own machine another name is another person.",
    },
    "person.asked": {"zh": "要换一个名字吗？", "en": "Work under another name?"},
    "person.asked_name": {"zh": "这个网址要求以“{name}”的名义工作。", "en": "This address asks you to work as {name}."},
    "person.asked_hint": {
        "zh": "每个决定都记在一个名字下。如果不是您自己打开或收藏的网址，请保持原来的名字。",
        "en": "Every decision is kept under a name. If you did not open or bookmark this address yourself, keep yours.",
    },
    "person.take": {"zh": "以 {name} 的名义继续", "en": "Continue as {name}"},
    "person.keep": {"zh": "仍然是 {name}", "en": "Stay {name}"},
    "person.change": {"zh": "换用这个名字", "en": "Use this name"},
    "role.moderator": {"zh": "标注员", "en": "moderator"},
    "role.researcher": {"zh": "研究员", "en": "researcher"},
    "role.admin": {"zh": "管理员", "en": "admin"},
    "error.settings": {"zh": "设置有误：{message}", "en": "A setting is wrong: {message}"},
    "error.store": {"zh": "数据库打不开", "en": "The database cannot be opened"},
    "error.store_hint": {
        "zh": "请检查环境变量 `L2A_DATABASE` 和数据库本身，然后刷新本页。已保存的决定不受影响。",
        "en": "Check the environment variable `L2A_DATABASE` and the database itself, then reload this page. "
        "Decisions that were saved are not affected.",
    },
    "error.role": {
        "zh": "这个页面需要另外的角色。请让管理员在“导入与队列”里更改你的角色。",
        "en": "This page needs another role. Ask an admin to change yours on the page Import and queue.",
    },
    "error.refused": {"zh": "没有完成：{message}", "en": "Not done: {message}"},
    "model.loading": {"zh": "正在载入模型……", "en": "Loading the model…"},
    "result.new": {"zh": "新", "en": "new"},
    "votes.axis": {"zh": "票数", "en": "votes"},
    "votes.threshold": {"zh": "门槛 {threshold}", "en": "threshold {threshold}"},
}
