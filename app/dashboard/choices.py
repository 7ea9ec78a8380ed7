"""What is chosen on the dashboard: which decisions are counted, and what acceptance is a share of."""

from datetime import UTC, datetime, tzinfo

import streamlit as st

from app.dashboard.period import RANGES, period
from app.entry.frame import Here
from app.shell.options import called
from app.shell.session import text
from db.figures import dashboard
from db.figures import statistics as stats
from db.figures.dashboard import Filters
from db.figures.rate import AMONG, JUDGED, SHOWN


def choose_filters(here: Here, zone: tzinfo) -> tuple[Filters, str]:
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
            text("dashboard.range"), RANGES, default="all", required=True, format_func=called(names), width="content"
        )
        days = (
            st.date_input(text("dashboard.days"), value=[], format="YYYY-MM-DD", width=280)
            if chosen == "custom"
            else ()
        )
        version = _any(text("dashboard.version"), versions, width=190)
        source = _any(text("dashboard.source"), sources, width=150)
        base = st.segmented_control(
            text("dashboard.among"),
            AMONG,
            default=SHOWN,
            required=True,
            format_func=called(among),
            help=text("dashboard.among_hint"),
            key="dashboard_among",
            width="content",
        )
        only_random = st.toggle(text("dashboard.random"), help=text("dashboard.random_hint"), width="content")
    since, until = period(chosen, zone, datetime.now(UTC), days)
    return Filters(since, until, version, source, only_random), base


def _any(label: str, options: list[str], *, width: int) -> str | None:
    return st.selectbox(label, options, index=None, placeholder=text("dashboard.any"), filter_mode=None, width=width)
