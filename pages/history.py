"""History: decisions newest first, the way back, a past day, and conflicts to settle. Layout only."""

import streamlit as st

from app.entry import frame
from app.entry.labels_seen import OTHERS
from app.history.choices import choose_section
from app.history.decisions import decisions
from app.history.review import conflicts
from app.shell import session
from app.shell.session import said, text
from db.access import allows
from db.errors import StoreError

here = frame.enter("history")
zone = session.zone()

try:
    if not allows(here.visitor.role, OTHERS):
        st.caption(text("history.own_only"))
        decisions(here, zone)
    elif choose_section(here) == "conflicts":
        conflicts(here, zone)
    else:
        decisions(here, zone)
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
