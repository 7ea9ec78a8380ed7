"""The dashboard's numbers, worked out once for each line of the ledger (`last` is its newest) and shared by all."""

from datetime import tzinfo

import streamlit as st

from app.dashboard import vote_reliability
from app.dashboard.vote_reliability import Reliability
from app.learning.acceptance import outcomes_of
from db.figures import acceptance, dashboard
from db.figures import statistics as stats
from db.figures.dashboard import Dashboard, Filters
from db.figures.rate import AMONG
from db.models import registry, suggestions
from db.store.engine import Store


@st.cache_data(show_spinner=False, max_entries=32)
def load(database: str, last: int, filters: Filters, zone_name: str, _store: Store, _zone: tzinfo) -> Dashboard:
    with _store.read() as reading:
        return dashboard.gather(reading, filters, _zone)


@st.cache_data(show_spinner=False, max_entries=4)
def load_agreement(database: str, last: int, _store: Store) -> stats.Agreement:
    with _store.read() as reading:
        return stats.agreement(reading)


@st.cache_data(show_spinner=False, max_entries=4)
def load_reliability(database: str, last: int, _store: Store) -> dict[str, Reliability]:
    """Of the live version, by what acceptance is of; empty without one."""
    with _store.read() as reading:
        if (live := registry.live(reading)) is None:
            return {}
        rates = acceptance.vote_rates(reading, live.version)
        missed = acceptance.missed(reading, live.version)
        settings = suggestions.newest_settings(reading, live.version)
    return {
        among: vote_reliability.reliability(live.version, outcomes_of(rates, among), missed, settings, among)
        for among in AMONG
    }
