"""The language of the interface: which one, and a text in it (app/shell/texts holds the words)."""

from collections.abc import Callable

from app.shell.texts import (
    annotate,
    attention,
    attention_paper,
    beams,
    common,
    dashboard,
    export,
    history,
    queue,
    retrain,
    roll_back,
    sign_in,
    tags,
)

MODULES = (
    common, annotate, attention, attention_paper, beams, history, export, dashboard, queue, retrain, roll_back, sign_in,
    tags,
)  # fmt: skip

Text = Callable[..., str]  # says a text of the interface by its key, as app.shell.session.text does

LANGUAGES = {"zh": "中文", "en": "English"}  # in the order of the switch; each named in its own language

TEXTS: dict[str, dict[str, str]] = {key: text for module in MODULES for key, text in module.TEXTS.items()}


def choose_language(setting: str, locale: str | None) -> str:
    """`setting` where it names a language; for "auto" Chinese for a Chinese browser, English for any other."""
    if setting in LANGUAGES:
        return setting
    return "zh" if (locale or "").lower().replace("_", "-").split("-")[0] == "zh" else "en"


def translate(language: str, key: str, **values: object) -> str:
    """The text of `key` with `values` filled in; raises KeyError for an unknown key or language."""
    return TEXTS[key][language].format(**values)
