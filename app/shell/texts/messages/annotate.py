"""What the desk answers to a message of the board that it cannot follow."""

TEXTS: dict[str, dict[str, str]] = {
    "annotate.unknown_message": {
        "en": "The page sent something this version does not know. Reload it.",
        "zh": "页面发来了这个版本不认识的内容。请刷新页面。",
    },
    "annotate.not_on_desk": {
        "en": "This question is not on your desk any more. Nothing was stored; the next one is here.",
        "zh": "这一题已不在你手中。没有保存任何内容；下面是下一题。",
    },
    "annotate.nothing_left": {
        "en": "Nothing of today is left to take back. The history page takes back older decisions.",
        "zh": "今天没有可以撤销的了。更早的决定请在“历史”页撤销。",
    },
    "annotate.done_meanwhile": {
        "en": "Something else was done meanwhile, so nothing was taken back. Look, and press U again.",
        "zh": "这期间又有别的操作，所以没有撤销任何内容。请看一眼，再按 U。",
    },
    "annotate.not_a_verdict": {
        "en": "{verdict} is not a verdict on {tag}. The verdicts are {verdicts}.",
        "zh": "{verdict} 不能用来判断 {tag}。可用的判断有 {verdicts}。",
    },
    "annotate.tag_twice": {
        "en": "{tag} is named twice.",
        "zh": "“{tag}”写了两次。",
    },
}
