"""What the app itself says in errors: a message is a code and what fills its blanks; each language renders it.

As `l2a.messages` and `db.messages` have it; the texts are in app/shell/texts/messages. An error of either package is
raised with such a message: `raise Refused(message("annotate.not_on_desk"))`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.shell.error_text import said
from app.shell.texts.messages import CATALOGUE
from l2a.messages import say


@dataclass(frozen=True)
class Message:
    """`str` says it in English. Values may be messages or errors themselves: they are said in the same language."""

    code: str  # a key of CATALOGUE
    values: Mapping[str, object] = field(default_factory=dict)

    def in_language(self, language: str) -> str:
        """`language`: "en" or "zh"."""
        values = {name: say(value, language) for name, value in self.values.items()}
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
