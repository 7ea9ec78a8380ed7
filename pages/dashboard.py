"""Dashboard: what people decided and how the model fared, in charts whose numbers can be taken along. Layout only."""

import streamlit as st

from app.dashboard import acceptance, agreement, work
from app.dashboard.choices import choose_filters
from app.dashboard.groups import seen_by
from app.dashboard.learned import asked
from app.dashboard.learned.panels import draw_served
from app.dashboard.loading import load, load_reliability, load_served
from app.dashboard.panel import NAMES
from app.entry import frame
from app.shell import session
from app.shell.session import said, text
from db.errors import StoreError
from db.ledger import history

here = frame.enter("dashboard")
zone = session.zone()

try:
    with here.store.read() as reading:
        last = history.last_number(reading)
    filters, among = choose_filters(here, zone)
    with st.spinner(text("dashboard.counting")):
        found = load(here.settings.database, last, filters, str(zone), here.store, zone)
    if not found.ever:
        frame.explain(text("dashboard.empty"), text("dashboard.empty_message"), text("dashboard.empty_hint"))
    if not found.decisions:
        frame.explain(text("dashboard.filtered"), text("dashboard.filtered_message", ever=f"{found.ever:,}"))
    if not here.may(NAMES):
        found = seen_by(found, here.visitor.name, text("dashboard.others"))
    work.headline(found, among)
    left, right = st.columns(2)
    with left:
        work.draw_days(here, found)
    with right:
        work.draw_times(here, found)
    acceptance.draw_rates(here, found, among)
    work.draw_tags(here, found)
    left, right = st.columns(2)
    with left:
        acceptance.draw_versions(here, found, among)
    with right:
        work.draw_new_tags(here, found, zone)
    with st.spinner(text("dashboard.counting")):
        served = load_served(here.settings.database, last, filters, here.store)
    draw_served(here, served, among)
    asked.draw_when_asked(here, last)
    with st.spinner(text("dashboard.counting")):
        reliability = load_reliability(here.settings.database, last, here.store)
    if reliability:
        acceptance.draw_reliability(here, reliability[among])
    agreement.draw_when_asked(here, last)
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
