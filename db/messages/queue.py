"""Who gets which question, in which order, how many opinions each gets, and what is wrong with the queue's counts."""

MESSAGES: dict[str, dict[str, str]] = {
    "queue.no_such_order": {
        "en": "{order} is not an order of the queue. The orders are {orders}.",
        "zh": "队列没有“{order}”这种顺序。顺序有 {orders}。",
    },
    "queue.with_others": {"en": "Question {question} is with {people}.", "zh": "问题 {question} 正在 {people} 手中。"},
    "queue.has_its_answers": {
        "en": "Question {question} has all the answers it asks for.",
        "zh": "问题 {question} 已经有了所需的全部回答。",
    },
    "queue.redacted": {"en": "Question {question} was redacted.", "zh": "问题 {question} 已被隐去。"},
    "queue.skip_without_reason": {
        "en": "A skip needs a reason, so that the next person knows.",
        "zh": "跳过时请写明原因，好让下一个人知道。",
    },
    "queue.bad_overlap": {
        "en": "An overlap of {overlap} would serve nothing; it must be at least 1.",
        "zh": "每题意见数不能是 {overlap}，至少要 1。",
    },
    "queue.bad_shares": {
        "en": "Shares of {random} random and {blind} blind do not work: each is from 0 to 1, and so is their sum.",
        "zh": "随机比例 {random} 和盲标比例 {blind} 不可用：两者以及它们的和都必须在 0 到 1 之间。",
    },
    "queue.nothing_to_reopen": {
        "en": "Entry {number} is no decision: there is nothing to reopen. Undo it instead.",
        "zh": "回执 {number} 不是决定，不能重新打开。请改用撤销。",
    },
    # leases
    "lease.not_yours": {"en": "Lease {lease} is not yours.", "zh": "领取记录 {lease} 不是你的。"},
    "lease.ended": {
        "en": "Question {question} is no longer in your hands: it was {state}.",
        "zh": "问题 {question} 已不在你手中：它{state}。",
    },
    "lease.submitted": {"en": "submitted", "zh": "已提交"},
    "lease.skipped": {"en": "skipped", "zh": "已跳过"},
    "lease.released": {"en": "released", "zh": "已放回"},
    "lease.undone": {"en": "undone", "zh": "已撤销"},
    # what a check finds
    "check.more": {"en": "and {count:,} more", "zh": "还有 {count:,} 处"},
    "check.open_questions": {
        "en": "The store has {kept:,} open questions by its own count, but {counted:,} are open.",
        "zh": "按数据库自己的计数，有 {kept:,} 个待标问题，但实际有 {counted:,} 个。",
    },
    "check.dated_ahead": {
        "en": "{count:,} lines of the ledger are dated ahead of the database's clock, the first is entry {first}: they "
        "were written when a clock was wrong, and a look at a past day does not show them. Check the clock.",
        "zh": "有 {count:,} 条记录的时间晚于数据库的时钟，第一条是回执 {first}：写入时的时钟不准，"
        "查看过去某一天时看不到它们。请检查时钟。",
    },
    "check.wrong_pool": {
        "en": "Question {question}: the queue has pool {pool}, but it should be {expected}. Set "
        "the shares again: python -m app queue shares --random {random:g} --blind {blind:g}.",
        "zh": "问题 {question}：队列里的分组是 {pool}，但应当是 {expected}。"
        "请重新设置比例：python -m app queue shares --random {random:g} --blind {blind:g}。",
    },
    "check.no_place": {
        "en": "Question {question} has no place in the queue.",
        "zh": "问题 {question} 不在队列里。",
    },
    "check.wrong_count": {
        "en": "Question {question}: the queue has {column} {value}, but it should be {expected}.",
        "zh": "问题 {question}：队列里的 {column} 是 {value}，但应当是 {expected}。",
    },
    "check.serves_redacted": {
        "en": "Question {question} was redacted, but the queue would serve it.",
        "zh": "问题 {question} 已被隐去，但队列仍会派发它。",
    },
}
