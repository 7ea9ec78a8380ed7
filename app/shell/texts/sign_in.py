"""Words of the sign-in screens, in team mode."""

TEXTS: dict[str, dict[str, str]] = {
    "signin.heading": {"zh": "登录", "en": "Sign in"},
    "signin.hint": {
        "zh": "请用你所在机构的账号登录。",
        "en": "Use your organisation's account.",
    },
    "signin.enter": {"zh": "登录", "en": "Sign in"},
    "signin.leave": {"zh": "退出登录", "en": "Sign out"},
    "signin.unknown": {"zh": "这个账号还不能使用本系统", "en": "This account has no access yet"},
    "signin.account": {"zh": "当前登录账号：{email}", "en": "You are signed in as {email}"},
    "signin.unknown_hint": {
        "zh": "请让管理员在“导入与队列”页添加这个邮箱，然后刷新本页；或者退出后换一个账号。",
        "en": "Ask an admin to add this address on the page Import and queue, then reload this page; "
        "or sign out and use another account.",
    },
    "signin.unverified": {"zh": "这个邮箱尚未验证", "en": "This address is not verified"},
    "signin.unverified_hint": {
        "zh": "请先在登录服务那里验证邮箱，然后退出并重新登录。",
        "en": "Verify the address with your sign-in provider, then sign out and in again.",
    },
    "signin.nameless": {"zh": "登录服务没有给出邮箱", "en": "The sign-in provider gave no e-mail address"},
    "signin.nameless_hint": {
        "zh": "请让管理员在登录服务的设置里允许 `email` 范围，然后退出并重新登录。",
        "en": "Ask an admin to allow the scope `email` in the provider's settings, then sign out and in again.",
    },
    "signin.setup": {"zh": "登录尚未配置", "en": "Sign-in is not set up"},
    "signin.setup_why": {
        "zh": "`L2A_MODE` 是 `team`，所以每个人都要登录；但 `secrets.toml` 的 `[auth]` 一节还不完整：",
        "en": "`L2A_MODE` is `team`, so everybody signs in, but the section `[auth]` of `secrets.toml` is incomplete:",
    },
    "signin.key_missing": {"zh": "缺少", "en": "is missing"},
    "signin.key_short": {
        "zh": '少于 32 个字符；生成一个：`python -c "import secrets; print(secrets.token_hex(32))"`',
        "en": 'has fewer than 32 characters; make one: `python -c "import secrets; print(secrets.token_hex(32))"`',
    },
    "signin.key_callback": {"zh": "必须以 `/oauth2callback` 结尾", "en": "must end in `/oauth2callback`"},
    "signin.setup_hint": {
        "zh": "步骤见 `docs/operations.md` 的“Team mode”一节。改好之后请重新启动程序。",
        "en": "The steps are in `docs/operations.md` under “Team mode”. Restart the program afterwards.",
    },
}
