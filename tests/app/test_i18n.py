import re
import string

import pytest

from app.i18n import LANGUAGES, TEXTS, choose_language, translate
from app.settings import ROOT


@pytest.mark.parametrize(
    ("setting", "locale", "language"),
    [
        ("auto", "zh-CN", "zh"),
        ("auto", "zh", "zh"),
        ("auto", "ZH_tw", "zh"),
        ("auto", "en-US", "en"),
        ("auto", "de", "en"),
        ("auto", "zha", "en"),  # Zhuang
        ("auto", None, "en"),
        ("zh", "en-US", "zh"),
        ("en", "zh-CN", "en"),
    ],
)
def test_the_setting_wins_and_auto_follows_the_browser(setting, locale, language):
    assert choose_language(setting, locale) == language


@pytest.mark.parametrize("key", TEXTS)
def test_every_text_exists_in_every_language_with_the_same_blanks(key):
    assert list(TEXTS[key]) == list(LANGUAGES)
    blanks = [sorted(name for _, name, _, _ in string.Formatter().parse(text) if name) for text in TEXTS[key].values()]
    assert blanks[0] == blanks[1]
    assert all(text.strip() for text in TEXTS[key].values())


def test_blanks_are_filled_in():
    assert translate("en", "result.votes", votes=3, beam=8) == "3 of 8 votes"
    assert translate("zh", "result.votes", votes=3, beam=8) == "3 / 8 票"


def test_every_text_is_used_somewhere():
    sources = "".join(
        path.read_text(encoding="utf-8") for folder in ("app", "pages") for path in (ROOT / folder).glob("*.py")
    )
    used = set(re.findall(r"""["']([a-z]+\.[a-z_]+)["'](?!: )""", sources))
    used |= {f"note.{kind}" for kind in ("characters", "words")}  # the page builds these from the note's kind
    assert set(TEXTS) - used == set()
