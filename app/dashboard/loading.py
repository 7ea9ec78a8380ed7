"""The dashboard's numbers, worked out once for each line of the ledger (`last` is its newest) and shared by all."""

from dataclasses import dataclass
from datetime import tzinfo

import streamlit as st

from app.dashboard import vote_reliability
from app.dashboard.learned import effort, rolling
from app.dashboard.vote_outcomes import outcomes_of
from app.dashboard.vote_reliability import Reliability
from db.figures import acceptance, dashboard, servings
from db.figures import statistics as stats
from db.figures.dashboard import Dashboard, Filters
from db.figures.rate import AMONG
from db.figures.tag_counts import given_tags
from db.ledger.in_force import is_none_of, out_of_force
from db.models import registry, suggestions
from db.store.engine import Store
from db.store.tables import Entry


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
    """Of the votes of the live version, by what acceptance is of; empty without one, where it does not order by votes,
    and before anybody was shown any."""
    with _store.read() as reading:
        if (live := registry.live(reading)) is None or servings.orders_by_chance(reading):
            return {}
        rates = acceptance.vote_rates(reading, live.version)
        if not rates:
            return {}
        missed = acceptance.missed(reading, live.version)
        settings = suggestions.newest_settings(reading, live.version)
    return {
        among: vote_reliability.reliability(live.version, outcomes_of(rates, among), missed, settings, among)
        for among in AMONG
    }


@dataclass(frozen=True)
class Served:
    """What became of suggestions, none of which had learned from its own answer."""

    chances: tuple[servings.ChanceRate, ...]
    judged: tuple[servings.Judged, ...]  # the newest decisions, the oldest of them first
    effort: effort.Effort | None  # None without decisions


@st.cache_data(show_spinner=False, max_entries=8)
def load_served(database: str, last: int, filters: Filters, _store: Store) -> Served:
    with _store.read() as reading:
        gone, _ = out_of_force(reading)
        counted = [*dashboard.conditions(filters), is_none_of(reading, Entry.number, gone)]
        counted = servings.first_looks(reading, counted)
        chances = servings.chance_rates(reading, counted)
        judged = servings.judged(reading, counted, rolling.MOST)
        given = given_tags(reading) if judged else None
    found = effort.effort(judged, effort.search_over(given)) if given is not None else None
    return Served(chances, tuple(judged), found)
