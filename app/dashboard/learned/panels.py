"""Panels about suggestions as they were served: chances against what was accepted, F1, acceptance and keys over
decisions."""

import streamlit as st

from app.dashboard import acceptance, tables
from app.dashboard.learned import effort, rolling
from app.dashboard.loading import Served
from app.dashboard.panel import of_what, panel, plot
from app.entry.frame import Here
from app.figures import learning as figures
from app.shell.session import text


def draw_served(here: Here, found: Served, among: str) -> None:
    if not found.judged:
        return
    st.subheader(text("dashboard.served"), anchor=False, help=text("dashboard.served_hint"))
    lines = rolling.lines(found.judged)
    left, right = st.columns(2)
    with left:
        if found.chances:
            _reliability(here, found, among)
        _acceptance(here, found, lines, among)
    with right:
        _f1(here, found, lines)
        _keys(here, found)


def _reliability(here: Here, found: Served, among: str) -> None:
    """Chances in bins against the share that was accepted."""
    rates = [(f"{100 * each.low:.0f}–{100 * each.high:.0f}", each) for each in found.chances if each.rate.of(among)]
    panel(
        here,
        text("dashboard.by_chance", of=of_what(among)),
        tables.chances_table(found.chances),
        lambda: acceptance.shares(
            [(label, each.rate) for label, each in rates],
            among,
            text("dashboard.chance"),
            {label: each.mean for label, each in rates},
            text("dashboard.as_said"),
        ),
        text("dashboard.by_chance_hint"),
    )


def _f1(here: Here, found: Served, lines: dict[str, rolling.Line]) -> None:
    def draw() -> None:
        named = {_named(name, line): (line.places.tolist(), line.f1.tolist()) for name, line in lines.items()}
        _draw_lines(named, text("dashboard.score"))

    panel(here, text("dashboard.rolling_score"), rolling.table(found.judged), draw, _window_hint("f1", found))


def _acceptance(here: Here, found: Served, lines: dict[str, rolling.Line], among: str) -> None:
    def draw() -> None:
        named = {
            _named(name, line): (line.places.tolist(), line.acceptance[among].tolist()) for name, line in lines.items()
        }
        _draw_lines(named, text("dashboard.accepted_of", of=of_what(among)))

    title = text("dashboard.rolling_acceptance", of=of_what(among))
    table = tables.Table("acceptance_over_decisions", *_acceptance_rows(lines, among))
    panel(here, title, table, draw, _window_hint("acceptance", found))


def _keys(here: Here, found: Served) -> None:
    if found.effort is None:
        return
    keys = found.effort

    def draw() -> None:
        st.markdown(
            text("dashboard.keys_mean", keys=f"{keys.mean:.1f}", without=f"{keys.mean_without:.1f}"), width="content"
        )
        window = rolling.window_for(len(keys.numbers))
        named = {}
        for name, values in (
            (text("dashboard.keys_with"), keys.with_suggestions),
            (text("dashboard.keys_without"), keys.without),
        ):
            places, means = rolling.rolling_mean(values, window)
            named[name] = ((places + keys.before).tolist(), means.tolist())
        _draw_lines(named, text("dashboard.keys_axis"), as_share=False)

    panel(here, text("dashboard.keys"), effort.table(keys), draw, text("dashboard.keys_hint", most=f"{effort.MOST:,}"))


def _draw_lines(lines: dict[str, tuple[list[int], list[float]]], value: str, *, as_share: bool = True) -> None:
    if not any(places for places, _ in lines.values()):
        st.caption(text("dashboard.too_few_to_roll", fewest=rolling.FEWEST))
        return
    plot(figures.decisions_chart(lines, axis=text("dashboard.decision_axis"), value=value, as_share=as_share))


def _named(name: str, line: rolling.Line) -> str:
    names = {rolling.ORDERED: text("dashboard.in_order"), rolling.RANDOM: text("dashboard.at_random")}
    return f"{names[name]} ({line.decisions:,})"


def _window_hint(which: str, found: Served) -> str:
    window = rolling.window_for(len(found.judged))
    return {
        "f1": text("dashboard.rolling_score_hint", window=window, most=f"{rolling.MOST:,}"),
        "acceptance": text("dashboard.rolling_acceptance_hint", window=window),
    }[which]


def _acceptance_rows(
    lines: dict[str, rolling.Line], among: str
) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    rows = [
        (name, int(place), "" if share != share else round(float(share), 4))
        for name, line in lines.items()
        for place, share in zip(line.places, line.acceptance[among], strict=True)
    ]
    return ("served", "decision", f"share_of_{among}"), tuple(rows)
