"""Decisions about questions, and the way back."""

MESSAGES: dict[str, dict[str, str]] = {
    "question.not_found": {"en": "There is no question {question}.", "zh": "没有问题 {question}。"},
    "question.not_yet": {
        "en": "There is no question {question} on {moment}.",
        "zh": "在 {moment} 还没有问题 {question}。",
    },
    "question.redacted_already": {
        "en": "Question {question} was redacted already.",
        "zh": "问题 {question} 早已被隐去。",
    },
    # decisions
    "decision.served_blind": {
        "en": "The question was served blind, without suggestions; a decision cannot answer one.",
        "zh": "这一题是盲标，没有显示建议，所以决定不能针对某个建议。",
    },
    "decision.other_suggestion": {
        "en": "Suggestion {suggestion} is not one for question {question}.",
        "zh": "建议 {suggestion} 不是给问题 {question} 的。",
    },
    "decision.other_lease": {
        "en": "Lease {lease} is not for this person and question.",
        "zh": "领取记录 {lease} 对应的不是这个人和这个问题。",
    },
    "decision.no_verdicts": {
        "en": "{value} does not say which tag got which verdict. Nothing was stored.",
        "zh": "{value} 没有说明哪个标签得到哪种判断。没有保存任何内容。",
    },
    "decision.no_such_verdict": {
        "en": "{verdict} is not a verdict on {tag}. The verdicts are {verdicts}.",
        "zh": "{verdict} 不能用来判断 {tag}。可用的判断有 {verdicts}。",
    },
    "decision.not_suggested": {
        "en": "{tag!r} was {verdict}, but it was not suggested. Tags of one's own are added.",
        "zh": "{tag!r} 被{verdict}，但它并不在建议里。自己的标签要用“添加”。",
    },
    "decision.same_tag": {
        "en": "{tag!r} and {other!r} are the same tag, but one is taken and one is not.",
        "zh": "{tag!r} 和 {other!r} 是同一个标签，却一个选了，一个没有选。",
    },
    "decision.shown_not_suggested": {
        "en": "{tags}: shown, but not in suggestion {suggestion}.",
        "zh": "{tags}：显示过，但不在建议 {suggestion} 里。",
    },
    "decision.named_twice": {"en": "{tag} is named twice.", "zh": "“{tag}”写了两次。"},
    "decision.key_used": {
        "en": "The idempotency key {key} was used for something else (entry {number}). "
        "Use a new key for a new decision.",
        "zh": "请求编号 {key} 已经用于别的内容（回执 {number}）。新的决定请用新的编号。",
    },
    "verdict.accepted": {"en": "accepted", "zh": "接受"},
    "verdict.rejected": {"en": "rejected", "zh": "拒绝"},
    # entries and the way back
    "entry.not_found": {"en": "There is no ledger entry {number}.", "zh": "没有回执 {number}。"},
    "entry.own_way_back": {
        "en": "Entry {number} is a {kind}, which has a way back of its own.",
        "zh": "回执 {number} 记的是{kind}，要用另外的办法撤销。",
    },
    "entry.taken_back": {
        "en": "Entry {number} was taken back already, by entry {undo}. Undo that one to bring it back.",
        "zh": "回执 {number} 已经由回执 {undo} 撤销。要恢复它，请撤销回执 {undo}。",
    },
    "entry.redact": {"en": "redact", "zh": "问题的隐去"},
    "entry.tag": {"en": "tag", "zh": "标签的改动"},
    "entry.person": {"en": "person", "zh": "人员的改动"},
    "entry.queue": {"en": "queue", "zh": "队列的改动"},
    "entry.register": {"en": "register", "zh": "模型登记"},
    "entry.promote": {"en": "promote", "zh": "模型启用"},
    "entry.rollback": {"en": "rollback", "zh": "模型退回"},
    "entry.prune": {"en": "prune", "zh": "模型清理"},
    "entry.retrain": {"en": "retrain", "zh": "模型重新训练"},
    "skip.taken_back": {"en": "Skip {receipt} was taken back already.", "zh": "跳过 {receipt} 已经取消过了。"},
    "skip.not_found": {
        "en": "There is no skip {receipt}, or it was taken back already.",
        "zh": "没有跳过 {receipt}，或者它已经取消过了。",
    },
}
