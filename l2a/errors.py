"""Errors a person can act on: each message says what happened, which value, and what to do next."""


class L2AError(Exception):
    """Base of every error the engine raises on purpose; its text is fit to be shown to a user."""


class InputError(L2AError):
    """A question file, a line of it, or a typed question cannot be used."""


class SettingsError(L2AError):
    """An option has a value outside its range, or a config holds an unknown key."""


class CheckpointError(L2AError):
    """A model folder is missing, damaged, of another kind, or written by a newer version."""
