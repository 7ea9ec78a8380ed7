"""The frame of every page: import path, settings, language, visitor, navigation. Streamlit runs it each time."""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts only this file's folder there
    sys.path.insert(0, str(ROOT))

from app.access import exposure  # noqa: E402
from app.entry import frame  # noqa: E402
from app.shell import error_text, session, widgets  # noqa: E402
from app.shell.i18n import choose_language, translate  # noqa: E402
from app.shell.settings import Settings  # noqa: E402
from l2a.errors import SettingsError  # noqa: E402

st.set_page_config(page_title="L2A Studio", page_icon=str(ROOT / "app" / "icon.png"), layout="wide")
st.html(ROOT / "app" / "style.css")

try:
    settings = Settings.from_environment()
    exposure.check(settings, st.get_option("server.address"))
except SettingsError as error:
    language = choose_language("auto", st.context.locale)  # which one is set cannot be known
    message = widgets.plain(error_text.said(error, language))
    st.error(translate(language, "error.settings", message=message))
    st.stop()

session.open_language(settings.language)
here = frame.enter()
page = frame.navigation(here)  # a page that is not in it cannot be reached, by a deep link either
frame.header(here)
page.run()
