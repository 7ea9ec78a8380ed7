"""Model versions and their training runs."""

MESSAGES: dict[str, dict[str, str]] = {}
