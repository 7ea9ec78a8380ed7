"""Errors a person can act on: each message says what happened, which value, and what to do next."""

from typing import Protocol

from l2a.messages import Message


class SaidInLanguages(Protocol):
    """A message, of whichever package."""

    def in_language(self, language: str) -> str: ...


class L2AError(Exception):
    """Base of every error the engine raises on purpose; its text is fit to be shown to a user.

    Made from the code of a message and what fills its blanks, or from a message of another package.
    """

    def __init__(self, message: str | SaidInLanguages, /, **values: object):
        self.message = Message(message, values) if isinstance(message, str) else message
        super().__init__(self.message)  # and so it survives the way from one process to another

    def in_language(self, language: str) -> str:
        return self.message.in_language(language)

    def __str__(self) -> str:
        return str(self.message)


class InputError(L2AError):
    """A question file, a line of it, or a typed question cannot be used."""


class SettingsError(L2AError):
    """An option has a value outside its range, or a config holds an unknown key."""


class CheckpointError(L2AError):
    """A model folder is missing, damaged, of another kind, or written by a newer version."""
