"""Imports and exports."""

MESSAGES: dict[str, dict[str, str]] = {}
