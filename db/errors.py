"""Errors a person can act on: each message says what happened, which value, and what to do next."""

from typing import Protocol

from db.messages import Message


class SaidInLanguages(Protocol):
    """A message, of whichever package."""

    def in_language(self, language: str) -> str: ...


class StoreError(Exception):
    """Base of every error the store raises on purpose; its text is fit to be shown to a user.

    Made from the code of a message and what fills its blanks, or from a message of another package.
    """

    def __init__(self, message: str | SaidInLanguages, /, **values: object):
        self.message = Message(message, values) if isinstance(message, str) else message
        super().__init__(self.message)  # and so it survives the way from one process to another

    def in_language(self, language: str) -> str:
        return self.message.in_language(language)

    def __str__(self) -> str:
        return str(self.message)


class ConnectionFailed(StoreError):
    """The database cannot be opened or reached."""


class SchemaError(StoreError):
    """The database's schema is older or newer than this program, or the file is no store at all."""


class NotFound(StoreError):
    """A question, tag, person, model version, lease or ledger entry that was named does not exist."""


class Refused(StoreError):
    """The request is understood but breaks a rule: the role does not allow it, or the state does not."""


class ExportError(StoreError):
    """An export could not be written; the file that was there before is untouched."""
