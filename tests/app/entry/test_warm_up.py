"""The engine is imported when the server starts, beside it, and a broken engine does not keep it from starting."""

import asyncio
import subprocess
import sys
import threading

from app.entry import warm_up
from app.shell.settings import ROOT


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
