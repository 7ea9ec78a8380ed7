"""A message as a value: a code and what fills its blanks; each language renders it from the catalogue.

The engine and the store have this file each, because neither package may import the other; a test holds them
equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module


@dataclass(frozen=True)
class Message:
    """`str` says it in English. Values may be messages or errors themselves: they are said in the same language."""

    code: str  # a key of the package's catalogue, such as "file.missing"
    values: Mapping[str, object] = field(default_factory=dict)

    def in_language(self, language: str) -> str:
        """`language`: "en" or "zh"."""
        values = {name: say(value, language) for name, value in self.values.items()}
        try:
            return _catalogue()[self.code][language].format(**values)
        except KeyError:  # stored by a version that knows more, or other blanks: it must come through even so
            return ", ".join([self.code, *map(str, values.values())])

    def __str__(self) -> str:
        return self.in_language("en")


def say(value: object, language: str) -> object:
    """A value as a text of this language takes it in: messages and errors are said in it, all else is left as it is."""
    if hasattr(value, "in_language"):
        return value.in_language(language)
    if isinstance(value, list | tuple) and any(hasattr(part, "in_language") for part in value):
        return ("、" if language == "zh" else ", ").join(str(say(part, language)) for part in value)
    return value


@cache
def _catalogue() -> Mapping[str, Mapping[str, str]]:
    return import_module(__package__).CATALOGUE
