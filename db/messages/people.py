"""People, roles and what they may do."""

MESSAGES: dict[str, dict[str, str]] = {}
