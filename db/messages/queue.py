"""Who gets which question."""

MESSAGES: dict[str, dict[str, str]] = {}
