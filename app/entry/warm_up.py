"""Imports the engine, and reads the live model with what it remembers, before the first visitor needs them: seconds
that nobody waits for.

In a thread of its own: the server answers meanwhile, and a page that needs the engine earlier waits for the rest only.
"""

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from app.access import exposure
from app.entry import resources
from app.serving import health
from app.shell.settings import Settings
from l2a.errors import SettingsError

log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(_) -> AsyncIterator[None]:
    """What streamlit_app.py has done when the server starts. One that would be open to strangers does not start."""
    _refuse_strangers()
    threading.Thread(target=get_ready, name="warm-up", daemon=True).start()
    yield


def get_ready() -> None:
    import_engine()
    load_model()


def import_engine() -> None:
    """What `app.entry.resources.load_tagger` will need."""
    try:
        import l2a.checkpoint
        import l2a.tagger  # noqa: F401
    except Exception:  # whoever needs it is told, in their language, when they do
        log.exception("the engine cannot be imported")


def load_model() -> None:
    """The live model and its memory, which with many decisions takes seconds. Where no model is live yet, or the store
    is not as it should be, nothing is made or changed for it: that is for the first visitor.
    """
    try:
        settings = Settings.from_environment()
        if health.look_at_store(settings).folder is not None:
            resources.load_suggester(settings).warm_up()
    except SettingsError:  # every page says so
        return
    except Exception:  # whoever needs it is told when they do
        log.exception("the live model cannot be loaded")


def _refuse_strangers() -> None:
    try:
        settings = Settings.from_environment()
    except SettingsError:  # every page says so
        return
    try:
        exposure.check(settings, st.get_option("server.address"))
    except SettingsError as error:
        log.critical("%s", error)
        raise SystemExit(1) from None
