from pathlib import Path

import pytest

from app.shell.settings import ROOT, Settings
from l2a.errors import SettingsError


def test_nothing_set_gives_the_starter_model_and_the_browsers_language():
    settings = Settings.from_environment({"PATH": "x", "L2A_BEAM": " "})
    assert settings == Settings(model=ROOT / "models" / "starter", beam=None, language="auto")
    assert settings.shown_model == str(Path("models", "starter"))


def test_values_are_read():
    settings = Settings.from_environment({"L2A_MODEL": "some/folder", "L2A_BEAM": "16", "L2A_LANGUAGE": "ZH"})
    assert settings == Settings(model=Path("some/folder"), beam=16, language="zh")


def test_an_encoder_is_a_folder_that_another_process_is_told_of():
    settings = Settings.from_environment({"L2A_ENCODER": "~/bert"})
    assert settings.encoder == Path("~/bert").expanduser()
    assert Settings.from_environment(settings.to_environment()) == settings
    assert Settings.from_environment({"L2A_ENCODER": ""}).encoder is None


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"L2A_BEAM": "0"}, "L2A_BEAM is '0', but must be a whole number of at least 1"),
        ({"L2A_BEAM": "²"}, "L2A_BEAM is '²'"),
        ({"L2A_LANGUAGE": "fr"}, "L2A_LANGUAGE is 'fr', but must be one of auto, zh, en"),
        ({"L2A_MODLE": "x"}, "L2A_MODLE: no such setting. The settings are L2A_MODEL, L2A_BEAM, L2A_DECODER"),
    ],
)
def test_a_wrong_variable_is_refused_with_what_is_valid(variables, message):
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment(variables)
    assert str(caught.value).startswith(message)


def test_the_store_is_a_file_in_the_project_unless_a_url_is_given():
    settings = Settings.from_environment({})
    assert settings.database == f"sqlite:///{ROOT}/data/l2a.db"
    assert settings.shown_database == "sqlite:///data/l2a.db"
    given = Settings.from_environment({"L2A_DATABASE": " sqlite:////srv/l2a.db "})
    assert (given.database, given.shown_database) == ("sqlite:////srv/l2a.db", "sqlite:////srv/l2a.db")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://li:secret@host:5432/l2a", "postgresql://li:***@host:5432/l2a"),
        ("postgresql://li:se@c/r:et@host/l2a", "postgresql://li:***@host/l2a"),
        ("postgresql://host/l2a?user=li&password=secret&x=1", "postgresql://host/l2a?user=li&password=***&x=1"),
        ("postgresql://li@host/l2a", "postgresql://li@host/l2a"),
        ("sqlite:////srv/a:b@c.db", "sqlite:////srv/a:b@c.db"),
    ],
)
def test_a_password_is_never_shown(url, shown):
    assert Settings(database=url).shown_database == shown


def test_every_setting_is_documented():
    table = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for field in Settings.__dataclass_fields__:
        assert f"| `L2A_{field.upper()}` |" in table
