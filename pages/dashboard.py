"""Dashboard: what people decided and how the model fared, in charts whose numbers can be taken along. Layout only."""

from datetime import UTC, datetime

import streamlit as st

from app.dashboard import content as view
from app.dashboard import panels
from app.entry import frame
from app.learning.acceptance import outcomes_of
from app.shell.session import said, text
from db.errors import StoreError
from db.figures import acceptance, dashboard
from db.figures import statistics as stats
from db.figures.dashboard import Dashboard, Filters
from db.figures.rate import AMONG, JUDGED, SHOWN
from db.models import registry, suggestions

AGREEMENT = "dashboard_agreement"  # the ledger's last number when somebody asked for agreement

here = frame.enter("dashboard")
zone = view.zone_of(st.context.timezone, st.context.timezone_offset)


@st.cache_data(show_spinner=False, max_entries=32)
def load(database: str, last: int, filters: Filters, zone_name: str, _store, _zone) -> Dashboard:
    with _store.read() as reading:
        return dashboard.gather(reading, filters, _zone)


@st.cache_data(show_spinner=False, max_entries=4)
def load_agreement(database: str, last: int, _store) -> stats.Agreement:
    with _store.read() as reading:
        return stats.agreement(reading)


@st.cache_data(show_spinner=False, max_entries=4)
def load_reliability(database: str, last: int, _store) -> dict[str, view.Reliability]:
    """Of the live version, by what acceptance is of; empty without one."""
    with _store.read() as reading:
        if (live := registry.live(reading)) is None:
            return {}
        rates = acceptance.vote_rates(reading, live.version)
        missed = acceptance.missed(reading, live.version)
        settings = suggestions.newest_settings(reading, live.version)
    return {
        among: view.reliability(live.version, outcomes_of(rates, among), missed, settings, among) for among in AMONG
    }


def choose_filters() -> tuple[Filters, str]:
    """The filters, and what acceptance is a share of."""
    with here.store.read() as reading:
        versions, sources = dashboard.versions(reading), list(stats.sources(reading))
    names = {
        "week": text("dashboard.week"),
        "month": text("dashboard.month"),
        "quarter": text("dashboard.quarter"),
        "all": text("dashboard.always"),
        "custom": text("dashboard.custom"),
    }
    among = {SHOWN: text("dashboard.shown"), JUDGED: text("dashboard.judged")}
    with st.container(horizontal=True, vertical_alignment="bottom", key="dashboard_filters"):
        chosen = st.segmented_control(
            text("dashboard.range"), view.RANGES, default="all", required=True, format_func=names.get, width="content"
        )
        days = (
            st.date_input(text("dashboard.days"), value=(), format="YYYY-MM-DD", width=280)
            if chosen == "custom"
            else ()
        )
        any_of = {"index": None, "placeholder": text("dashboard.any"), "filter_mode": None}
        version = st.selectbox(text("dashboard.version"), versions, width=190, **any_of)
        source = st.selectbox(text("dashboard.source"), sources, width=150, **any_of)
        base = st.segmented_control(
            text("dashboard.among"),
            AMONG,
            default=SHOWN,
            required=True,
            format_func=among.get,
            help=text("dashboard.among_hint"),
            key="dashboard_among",
            width="content",
        )
        only_random = st.toggle(text("dashboard.random"), help=text("dashboard.random_hint"), width="content")
    since, until = view.period(chosen, zone, datetime.now(UTC), days)
    return Filters(since, until, version, source, only_random), base


def agreement(last: int) -> None:
    """Worked out when asked for: it reads every opinion there is."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(text("dashboard.agreement"), anchor=False, width="content")
        if st.session_state.get(AGREEMENT) != last and st.button(text("dashboard.compute"), type="secondary"):
            st.session_state[AGREEMENT] = last
            st.rerun()
    st.caption(text("dashboard.agreement_hint"))
    if (asked := st.session_state.get(AGREEMENT)) is not None:
        with st.spinner(text("dashboard.counting")):
            found = load_agreement(here.settings.database, asked, here.store)
        panels.draw_agreement(here, found)


try:
    with here.store.read() as reading:
        last = dashboard.last_number(reading)
    filters, among = choose_filters()
    with st.spinner(text("dashboard.counting")):
        found = load(here.settings.database, last, filters, str(zone), here.store, zone)
    if not found.ever:
        frame.explain(text("dashboard.empty"), text("dashboard.empty_message"), text("dashboard.empty_hint"))
    if not found.decisions:
        frame.explain(text("dashboard.filtered"), text("dashboard.filtered_message", ever=f"{found.ever:,}"))
    if not here.may(panels.NAMES):
        found = view.seen_by(found, here.visitor.name, text("dashboard.others"))
    panels.headline(found, among)
    left, right = st.columns(2)
    with left:
        panels.draw_days(here, found)
    with right:
        panels.draw_times(here, found)
    panels.draw_rates(here, found, among)
    panels.draw_tags(here, found)
    panels.draw_versions_and_new_tags(here, found, among, zone)
    with st.spinner(text("dashboard.counting")):
        reliability = load_reliability(here.settings.database, last, here.store)
    if reliability:
        panels.draw_reliability(here, reliability[among])
    agreement(last)
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
