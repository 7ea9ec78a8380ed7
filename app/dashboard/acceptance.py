"""Panels about the model: how often what it suggested was accepted, by votes, rank and version."""

import streamlit as st

from app.dashboard import groups, tables, vote_outcomes, vote_reliability
from app.dashboard.panel import of_what, panel, plot
from app.entry.frame import Here
from app.figures import dashboard as figures
from app.figures import learning
from app.shell.session import text
from app.shell.widgets import percent
from db.figures.dashboard import Dashboard
from db.figures.rate import JUDGED, SHOWN, Rate


def points(labelled: list[tuple[str, Rate]], among: str) -> list[figures.Point]:
    """Of those that are shares of anything."""
    found = []
    for label, rate in labelled:
        share, interval = rate.share(among), rate.interval(among)
        if share is not None and interval is not None:
            counts = text("dashboard.counts", accepted=rate.accepted, rejected=rate.rejected, unjudged=rate.unjudged)
            found.append(figures.Point(label, share, *interval, rate.of(among), counts))
    return found


def shares(
    labelled: list[tuple[str, Rate]],
    among: str,
    axis: str,
    reference: dict[str, float] | None = None,
    line: str | None = None,
) -> None:
    """`reference`: what to compare each with, as a line; without `line` it is the share of the votes."""
    shown = points(labelled, among)
    if not shown:
        st.caption(text("dashboard.nothing"))
        return
    expected = [reference[point.label] for point in shown] if reference else []
    share = text("dashboard.accepted_of", of=of_what(among))
    compared = text("dashboard.as_votes") if line is None else line
    plot(figures.share_chart(shown, axis=axis, share=share, reference=expected, line=compared))


def draw_rates(here: Here, found: Dashboard, among: str) -> None:
    left, right = st.columns(2)
    bins = groups.labelled_bins(found.votes)
    with left:
        panel(
            here,
            text("dashboard.by_votes", of=of_what(among)),
            tables.votes_table(found),
            lambda: shares(
                [(label, item.rate) for label, item in bins],
                among,
                text("dashboard.votes"),
                {label: (item.low + item.high) / 2 for label, item in bins},
            ),
            text("dashboard.by_votes_hint"),
        )
    with right:
        ranks = [(str(item.rank), item.rate) for item in found.ranks[:10]]
        panel(
            here,
            text("dashboard.by_rank", of=of_what(among)),
            tables.ranks_table(found),
            lambda: shares(ranks, among, text("dashboard.rank")),
            text("dashboard.interval_hint"),
        )


def draw_versions(here: Here, found: Dashboard, among: str) -> None:
    versions = [(item.version, item.rate) for item in found.versions]
    panel(
        here,
        text("dashboard.by_version", of=of_what(among)),
        tables.versions_table(found),
        lambda: shares(versions, among, text("dashboard.version")),
        text("dashboard.by_version_hint"),
    )


def draw_reliability(here: Here, found: vote_reliability.Reliability) -> None:
    """How often tags with so many votes were accepted, and which threshold would have suited the decisions best."""

    def draw() -> None:
        hover = [_bin_words(b, found.among) for b in found.bins]
        plot(
            learning.reliability_chart(
                [(b.low, b.high, b.count, b.accepted) for b in found.bins],
                votes=text("dashboard.vote_share"),
                share=text("dashboard.accepted_of", of=of_what(found.among)),
                line=text("dashboard.as_votes"),
                hover=hover,
            )
        )
        st.markdown(_threshold_words(found))

    panel(
        here,
        text("dashboard.reliability", version=found.version),
        tables.reliability_table(found),
        draw,
        text("dashboard.reliability_hint", of=of_what(found.among)),
    )


def _bin_words(found: vote_outcomes.Bin, among: str) -> str:
    ends = {"low": percent(found.low), "high": percent(found.high)}
    numbers = {"accepted": f"{found.accepted:,}", "count": f"{found.count:,}", **ends}
    return {SHOWN: text("dashboard.bin_shown", **numbers), JUDGED: text("dashboard.bin_judged", **numbers)}[among]


def _threshold_words(found: vote_reliability.Reliability) -> str:
    if found.proposed is None or found.now is None:
        numbers = {"tags": f"{found.tags:,}", "enough": vote_outcomes.ENOUGH}
        few = {SHOWN: text("dashboard.few_shown", **numbers), JUDGED: text("dashboard.few_judged", **numbers)}
        return few[found.among]
    same = found.proposed_votes == found.votes
    values = {"votes": found.votes, "beam": found.beam, "f1": percent(found.now.f1), "of": of_what(found.among)}
    if same:
        return text("dashboard.threshold_fits", **values)
    best = {"best": found.proposed_votes, "best_f1": percent(found.proposed.f1)}
    return text("dashboard.threshold_proposed", **best, **values)
