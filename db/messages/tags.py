"""Tags and changes of them."""

MESSAGES: dict[str, dict[str, str]] = {}
