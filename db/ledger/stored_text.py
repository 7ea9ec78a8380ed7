"""Texts that rows keep for people: as code and values where there are any, so that either language is said later."""

from collections.abc import Mapping

from db.errors import SaidInLanguages, StoreError
from db.messages import CATALOGUE, Message
from db.store.free_text import storable

LANGUAGES = ("en", "zh")

# What JSON can hold: a text in so many words, {"code": ..., "values": {...}}, or a text for each language.
Kept = str | dict[str, object]


class StoredText(str):
    """What was kept, read again. As a string it is the English one.

    What an older version wrote in so many words is the same in every language.
    """

    kept: Kept

    def __new__(cls, kept: Kept) -> "StoredText":
        text = super().__new__(cls, _said(kept, "en"))
        text.kept = kept
        return text

    def in_language(self, language: str) -> str:
        return _said(self.kept, language)


def keep(text: str | SaidInLanguages) -> Kept:
    """A text as a row keeps it. What another package says goes by its words: its catalogue is not ours to read."""
    if isinstance(text, StoredText):
        return text.kept
    if isinstance(text, str):
        return storable(text)
    message = text.message if isinstance(text, StoreError) else text
    if isinstance(message, Message) and message.code in CATALOGUE:
        return {"code": message.code, "values": {name: _plain(value) for name, value in message.values.items()}}
    words = {language: storable(message.in_language(language)) for language in LANGUAGES}
    return dict(words) if len(set(words.values())) > 1 else words["en"]


def _plain(value: object) -> object:
    """A message's value as JSON: numbers stay numbers, what says itself in languages is kept so."""
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return keep(value) if isinstance(value, str) or hasattr(value, "in_language") else storable(str(value))


def _said(kept: Kept, language: str) -> str:
    if isinstance(kept, str):
        return kept
    if "code" not in kept:
        return str(kept[language])
    code, values = str(kept["code"]), kept["values"]
    assert isinstance(values, Mapping)
    return Message(code, {name: _revived(value) for name, value in values.items()}).in_language(language)


def _revived(value: object) -> object:
    if isinstance(value, list):
        return [_revived(part) for part in value]
    return StoredText(value) if isinstance(value, dict) else value
