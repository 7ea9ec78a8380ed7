"""Environment variables that are wrong, and a server that would be open to strangers."""

TEXTS: dict[str, dict[str, str]] = {
    "settings.unknown": {
        "en": (
            "{names}: no such setting. The settings are {known}. "
            "Correct the name of the environment variable, or unset it."
        ),
        "zh": "{names}：没有这项设置。设置有 {known}。请改正环境变量的名字，或取消它。",
    },
    "settings.not_a_number": {
        "en": "{name} is {value!r}, but must be a whole number of at least 1. Correct it, or unset it.",
        "zh": "{name} 的值是 {value!r}，但必须是不小于 1 的整数。请改正或取消它。",
    },
    "settings.not_addresses": {
        "en": (
            "{name} is {value!r}, but must be addresses such as https://wiki.example.org, without a path, "
            "with spaces between them. Correct it, or unset it."
        ),
        "zh": (
            "{name} 是 {value!r}，但必须是像 https://wiki.example.org 这样的地址，不带路径，用空格隔开。"
            "请改正，或取消设置。"
        ),
    },
    "settings.not_a_choice": {
        "en": "{name} is {value!r}, but must be one of {choices}. Correct it, or unset it.",
        "zh": "{name} 的值是 {value!r}，但只能是 {choices} 之一。请改正或取消它。",
    },
    "settings.open_to_strangers": {
        "en": (
            "The server listens on {address}, but nobody has to sign in: L2A_MODE is local. Set L2A_MODE=team, or "
            "--server.address localhost; or L2A_UNPROTECTED=yes if you know that only people you trust can reach it."
        ),
        "zh": (
            "服务器在 {address} 上接受访问，但不需要登录：L2A_MODE 是 local。"
            "请设 L2A_MODE=team，或 --server.address localhost；"
            "如果确知只有可信的人能访问，可设 L2A_UNPROTECTED=yes。"
        ),
    },
}
