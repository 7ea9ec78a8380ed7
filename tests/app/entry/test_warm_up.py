"""The engine is imported when the server starts, beside it, and a broken engine does not keep it from starting."""

import asyncio
import json
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from app.entry import resources, warm_up
from app.entry.resources import load_tagger
from app.shell.settings import ROOT, Settings
from app.shell.store import open_store
from db.models import registry
from l2a.checkpoint import save_tagger
from tests.l2a.ranking.priors import prior_of


def test_the_server_starts_while_the_engine_is_being_imported(monkeypatch):
    go_on, is_done = threading.Event(), threading.Event()

    def import_engine():
        go_on.wait(30)
        is_done.set()

    async def start():
        async with warm_up.lifespan(None):
            assert not is_done.is_set()  # serving already
            go_on.set()
            assert await asyncio.to_thread(is_done.wait, 30)

    monkeypatch.setattr(warm_up, "import_engine", import_engine)
    monkeypatch.setattr(warm_up, "load_model", lambda: None)
    asyncio.run(start())


def test_the_engine_is_there_afterwards_and_not_before():
    code = (
        "import sys\nfrom app.entry import warm_up\nbefore = 'torch' in sys.modules\nwarm_up.import_engine()\n"
        "print(before, 'torch' in sys.modules, 'l2a.tagger' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_an_engine_that_cannot_be_imported_is_said_in_the_log_only(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "l2a.checkpoint", None)  # importing it raises
    warm_up.import_engine()
    assert "the engine cannot be imported" in caplog.text


@pytest.fixture
def settings(store_url, monkeypatch) -> Settings:
    monkeypatch.setattr(resources, "load_tagger", load_tagger)
    return Settings.from_environment()


def test_the_live_model_and_its_memory_are_there_before_anybody_asks(settings, tiny_tagger, tmp_path):
    save_tagger(replace(tiny_tagger, prior=prior_of({"votes.share": 3.0})), tmp_path / "ranking")
    version = json.loads((tmp_path / "ranking" / "config.json").read_text())["version"]
    with open_store(settings) as store:

        def make_live(session):
            registry.register(session, version, str(tmp_path / "ranking"))
            registry.promote(session, version, None)

        store.run(make_live)
    warm_up.load_model()
    suggester = resources.load_suggester(settings)  # one for all
    model, ranking = suggester._ranking
    assert model.version == version
    assert ranking.memory.catch_up() > 0
    suggester.close()


def test_where_nothing_is_live_yet_nothing_is_made(settings, tmp_path, caplog):
    warm_up.load_model()
    assert list(tmp_path.iterdir()) == []
    open_store(settings).close()
    warm_up.load_model()
    assert not caplog.records


def test_a_model_that_cannot_be_loaded_is_said_in_the_log_only(settings, tmp_path, caplog):
    with open_store(settings) as store:

        def make_live(session):
            registry.register(session, "v1", str(tmp_path / "gone"))
            registry.promote(session, "v1", None)

        store.run(make_live)
    warm_up.load_model()
    assert "the live model cannot be loaded" in caplog.text
