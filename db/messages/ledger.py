"""Decisions and the way back."""

MESSAGES: dict[str, dict[str, str]] = {}
