"""What the app itself says in errors: a message is a code and what fills its blanks; each language renders it.

As `l2a.messages` and `db.messages` have it; the texts are in app/shell/texts/messages. An error of either package is
raised with such a message: `raise Refused(message("annotate.not_on_desk"))`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import db.messages
import l2a.messages
from app.shell.error_text import said
from app.shell.texts.messages import CATALOGUE
from db.store.free_text import storable


@dataclass(frozen=True)
class Message:
    """`str` says it in English. Values may be messages or errors themselves: they are said in the same language."""

    code: str  # a key of CATALOGUE
    values: Mapping[str, object] = field(default_factory=dict)

    def in_language(self, language: str) -> str:
        """`language`: "en" or "zh"."""
        values = {
            name: said(value, language) if hasattr(value, "in_language") else value
            for name, value in self.values.items()
        }
        return CATALOGUE[self.code][language].format(**values)

    def __str__(self) -> str:
        return self.in_language("en")


def message(code: str, /, **values: object) -> Message:
    return Message(code, values)


@dataclass(frozen=True)
class Replaced:
    """What another message or error says, with `new` wherever it says `old`: a file's own name instead of the place
    where the server keeps it."""

    original: object
    old: str
    new: str

    def in_language(self, language: str) -> str:
        return said(self.original, language).replace(self.old, self.new)

    def __str__(self) -> str:
        return self.in_language("en")


# --- messages that are stored ----------------------------------------------------------------------------------------

_KINDS = {"app": Message, "db": db.messages.Message, "l2a": l2a.messages.Message}


def to_stored(said_by: object) -> str:
    """A message, or an error's, as a text that can be stored and said later in either language."""
    kept = _kept(said_by)
    if isinstance(kept, str):
        return kept
    text = json.dumps(kept, ensure_ascii=False)
    return str(said_by) if from_stored(text) == text else text  # a value that JSON does not give back as it was


def from_stored(text: str) -> object:
    """What `to_stored` kept, to be said by `app.shell.error_text.said`; any other text as it is."""
    if not text.startswith("{"):
        return text
    try:
        restored = _restored(json.loads(text))
        str(restored)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):  # not ours, or of a version that had it
        return text
    return restored


def _kept(value: object):
    if isinstance(value, Exception):
        value = getattr(value, "message", str(value))
    if isinstance(value, Message | db.messages.Message | l2a.messages.Message):
        values = {name: _kept(inner) for name, inner in value.values.items()}
        return {"package": type(value).__module__.split(".")[0], "code": value.code, "values": values}
    if isinstance(value, list | tuple):
        return [_kept(inner) for inner in value]
    return value if isinstance(value, int | float | None) else storable(str(value))


def _restored(kept):
    if isinstance(kept, dict):
        return _KINDS[kept["package"]](kept["code"], {name: _restored(value) for name, value in kept["values"].items()})
    return [_restored(value) for value in kept] if isinstance(kept, list) else kept
