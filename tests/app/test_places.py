"""Where things are in a checkout, and where an installed program keeps what is a person's own."""

from pathlib import Path

import l2a.places
from app import places
from app.shell.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def test_in_a_checkout_everything_is_in_the_projects_folder():
    assert not places.IS_INSTALLED
    assert places.ROOT == places.IMPORTS == ROOT
    assert places.DATA == ROOT / "data"
    assert places.STARTER == ROOT / "models" / "starter"
    assert all(place.exists() for place in (places.LAUNCHER, places.PAGES, places.SAMPLES, places.STARTER))
    assert Settings().database == f"sqlite:///{ROOT}/data/l2a.db"
    assert Settings().runs == ROOT / "data" / "runs"


def test_what_people_keep_is_in_their_own_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert places._kept_by_people() == tmp_path / ".local" / "share" / "l2a-studio"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "mine"))
    assert places._kept_by_people() == tmp_path / "mine" / "l2a-studio"


def test_the_starter_is_named_as_one_would_type_it(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    assert l2a.places.shown_starter() == str(Path("models", "starter"))
    monkeypatch.chdir(tmp_path)
    assert l2a.places.shown_starter() == str(ROOT / "models" / "starter")
