"""Panels about people's work: how much was decided, when, how fast, and with which tags."""

from collections.abc import Callable
from datetime import tzinfo

import streamlit as st

from app.dashboard import groups, tables
from app.dashboard.panel import TABLE_HEIGHT, panel, plot
from app.entry.frame import Here
from app.figures import dashboard as figures
from app.shell.clock import when
from app.shell.session import DASHBOARD_SPLIT as SPLIT
from app.shell.session import text
from app.shell.widgets import percent
from db.figures.dashboard import Dashboard
from db.figures.rate import JUDGED, SHOWN

TAGS = 12  # in a chart; the CSV has more


def headline(found: Dashboard, among: str) -> None:
    share, interval = found.overall.share(among), found.overall.interval(among)
    spread = f"{percent(interval[0])}–{percent(interval[1])}" if interval else "–"
    numbers = {"spread": spread, "count": f"{found.overall.of(among):,}"}
    of_words = {SHOWN: text("dashboard.spread_shown", **numbers), JUDGED: text("dashboard.spread_judged", **numbers)}
    seconds = found.times.median
    for place, label, value, note in zip(
        st.columns(4),
        (
            text("dashboard.decisions"),
            text("dashboard.questions"),
            text("dashboard.accepted_share"),
            text("dashboard.median"),
        ),
        (f"{found.decisions:,}", f"{found.questions:,}", "–" if share is None else percent(share), _seconds(seconds)),
        (
            text("dashboard.of_all", ever=f"{found.ever:,}"),
            text("dashboard.on_questions", each=f"{found.decisions / max(1, found.questions):.2g}"),
            of_words[among],
            text("dashboard.nine_of_ten", seconds=_seconds(found.times.most)),
        ),
        strict=True,
    ):
        with place.container(gap="xxsmall"):
            st.metric(label, value)
            st.caption(note)


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


def _shown_name(found: Dashboard, split: bool) -> Callable[[str], str]:
    """Under which name a person's decisions are shown."""
    if not split:
        return lambda person: text("dashboard.total")
    known = groups.busiest(found.days)
    return lambda person: person if person in known else text("dashboard.others")


def draw_days(here: Here, found: Dashboard) -> None:
    name = _shown_name(found, st.session_state.get(SPLIT, False))
    panel(
        here,
        text("dashboard.a_day"),
        tables.days_table(found.days, name),
        lambda: plot(figures.days_chart(*groups.day_series(found.days, name))),
        text("dashboard.a_day_hint"),
        lambda: st.toggle(text("dashboard.by_person"), key=SPLIT, width="content"),
    )


def draw_times(here: Here, found: Dashboard) -> None:
    bars = [(bar.low, bar.high, bar.decisions) for bar in found.times.bars]

    def draw() -> None:
        middle = found.times.median
        if middle is not None:  # as it is wherever there are bars
            words = text("dashboard.median_line", seconds=_seconds(middle))
            plot(figures.times_chart(bars, middle=middle, axis=text("dashboard.seconds"), words=words))

    panel(here, text("dashboard.time"), tables.times_table(found.times), draw, text("dashboard.time_hint"))


def draw_tags(here: Here, found: Dashboard) -> None:
    left, right = st.columns(2)
    rejected, added = found.rejected[:TAGS], found.added[:TAGS]
    with left:
        series = {
            text("dashboard.rejected"): [tag.rate.rejected for tag in rejected],
            text("dashboard.accepted"): [tag.rate.accepted for tag in rejected],
        }
        table = tables.tags_table("tags_rejected", found.rejected)
        panel(
            here,
            text("dashboard.most_rejected"),
            table,
            lambda: plot(figures.tags_chart([tag.tag for tag in rejected], series)),
        )
    with right:
        counts = {text("dashboard.added"): [tag.added for tag in added]}
        table = tables.tags_table("tags_added_by_hand", found.added)
        panel(
            here,
            text("dashboard.most_added"),
            table,
            lambda: plot(figures.tags_chart([tag.tag for tag in added], counts)),
            text("dashboard.most_added_hint"),
        )


def draw_new_tags(here: Here, found: Dashboard, zone: tzinfo) -> None:
    panel(
        here,
        text("dashboard.new_tags"),
        tables.new_tags_table(found, zone),
        lambda: _new_tags(found, zone),
        text("dashboard.new_tags_hint"),
    )


def _new_tags(found: Dashboard, zone: tzinfo) -> None:
    origin = {True: text("dashboard.from_model"), False: text("dashboard.by_hand")}
    st.dataframe(
        {
            text("dashboard.tag"): [item.tag for item in found.new_tags],
            text("dashboard.first_at"): [when(item.at, zone) for item in found.new_tags],
            text("dashboard.first_by"): [item.person for item in found.new_tags],
            text("dashboard.origin"): [origin[item.suggested] for item in found.new_tags],
            text("dashboard.decisions"): [item.decisions for item in found.new_tags],
        },
        hide_index=True,
        height=TABLE_HEIGHT,
    )
