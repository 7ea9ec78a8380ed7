"""Opening, copying and migrating a store, and values that no store takes."""

MESSAGES: dict[str, dict[str, str]] = {}
