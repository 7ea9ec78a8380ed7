"""Errors a person can act on: each message says what happened, which value, and what to do next."""


class StoreError(Exception):
    """Base of every error the store raises on purpose; its text is fit to be shown to a user."""


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
