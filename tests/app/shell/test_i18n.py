import re
import string

import pytest

from app.shell.i18n import LANGUAGES, TEXTS, choose_language, translate
from app.shell.settings import ROOT


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
    assert translate("en", "annotate.saved", number=7) == "Saved, receipt 7"
    assert translate("zh", "annotate.saved", number=7) == "已保存，回执 7"


# Keys that code puts together: the beginning, and where that happens.
BUILT = {
    "board.": "app/annotate/board_data.py",
    "page.": "app/entry/frame.py",
    "role.": "app/entry/frame.py",
}


def test_every_text_is_used_somewhere():
    files = [path for folder in ("app", "pages") for path in (ROOT / folder).rglob("*.py") if "texts" not in path.parts]
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r"""["']([a-z_]+\.[a-zA-Z_]+)["']""", sources))
    built = set(re.findall(r"""f["']([a-z_]+\.[a-z_]*)\{""", sources))  # text(f"annotate.{order}")
    unused = {
        key
        for key in set(TEXTS) - used
        if not key.startswith(tuple(BUILT)) and not any(key.startswith(beginning) for beginning in built)
    }
    assert unused == set()


def test_keys_that_are_put_together_are_put_together_there():
    for beginning, file in BUILT.items():
        assert beginning in (ROOT / file).read_text(encoding="utf-8")
