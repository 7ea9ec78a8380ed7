"""Imports the engine while the first visitor's browser is still loading: seconds that nobody waits for.

In a thread of its own: the server answers meanwhile, and a page that needs the engine earlier waits for the rest only.
"""

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from app.access import exposure
from app.shell.settings import Settings
from l2a.errors import SettingsError

log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(_) -> AsyncIterator[None]:
    """What streamlit_app.py has done when the server starts. One that would be open to strangers does not start."""
    _refuse_strangers()
    threading.Thread(target=import_engine, name="warm-up", daemon=True).start()
    yield


def import_engine() -> None:
    """What `app.entry.resources.load_tagger` will need; the model itself is loaded with the first question."""
    try:
        import l2a.checkpoint
        import l2a.tagger  # noqa: F401
    except Exception:  # whoever needs it is told, in their language, when they do
        log.exception("the engine cannot be imported")


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
