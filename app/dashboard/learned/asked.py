"""Panels that are worked out when somebody asks for them: what each source of evidence is worth, and what the last
decisions taught. Both need the live model."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from app.dashboard.learned import sources, taught
from app.dashboard.learned.sources import Worth, Worths
from app.dashboard.learned.taught import TagChange, Taught
from app.dashboard.panel import TABLE_HEIGHT, panel, plot
from app.entry.frame import Here
from app.figures import learning as figures
from app.shell.session import DASHBOARD_SOURCES as SOURCES
from app.shell.session import DASHBOARD_TAUGHT as TAUGHT
from app.shell.session import said, text
from app.shell.widgets import percent, plain
from l2a.errors import L2AError

Found = TypeVar("Found")
Progress = Callable[[int, int], None]


def draw_when_asked(here: Here, last: int) -> None:
    """`last`: the ledger's newest number."""
    left, right = st.columns(2)
    with left:
        _ask(
            SOURCES,
            last,
            (text("dashboard.worth"), text("dashboard.worth_hint"), text("dashboard.compare_sources")),
            lambda progress: _worths(here, progress),
            lambda found: _draw_worths(here, found),
        )
    with right:
        _ask(
            TAUGHT,
            last,
            (
                text("dashboard.taught", last=taught.LAST),
                text("dashboard.taught_hint", questions=taught.QUESTIONS),
                text("dashboard.look_back"),
            ),
            lambda progress: taught.look(here.settings, here.store, here.suggester.live().tagger, progress),
            lambda found: _draw_taught(here, found),
        )


def _ask(
    key: str,
    last: int,
    words: tuple[str, str, str],
    work_out: Callable[[Progress], Found | None],
    draw: Callable[[Found], None],
) -> None:
    """Heading, hint and button; and what was found the last time, as of then."""
    heading, hint, label = words
    known = st.session_state.get(key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(heading, anchor=False, width="content", help=hint)
        is_asked = (known is None or known[0] != last) and st.button(label, type="secondary", key=f"{key}_button")
    if is_asked:
        bar = st.progress(0.0, text=text("dashboard.working"))
        try:
            found = work_out(lambda done, total: _move(bar, done, total))
        except L2AError as error:
            bar.empty()
            st.error(plain(said(error)))
            return
        st.session_state[key] = (last, found)
        st.rerun()
    if known is not None:
        if known[0] != last:
            st.caption(text("dashboard.as_of", number=f"{known[0]:,}"))
        if known[1] is None:
            st.caption(text("dashboard.not_yet", fewest=sources.FEWEST))
        else:
            draw(known[1])


def _move(bar, done: int, total: int) -> None:
    bar.progress(done / total if total else 1.0, text=text("dashboard.working"))


def _worths(here: Here, progress: Progress) -> Worths | None:
    prior = here.suggester.live().tagger.prior
    if prior is None:
        return None
    with here.store.read() as reading:
        rows = sources.newest_rows(reading)
    return sources.worths(rows, prior, progress)


def _draw_worths(here: Here, found: Worths) -> None:
    def draw() -> None:
        rows = [
            (_source(worth.source), 100 * worth.f1, 100 * worth.f1_spread[0], 100 * worth.f1_spread[1])
            for worth in found.sources
        ]
        plot(figures.worth_chart(rows, axis=text("dashboard.worth_axis")))
        st.dataframe(
            {
                text("dashboard.evidence"): [_source(worth.source) for worth in found.sources],
                text("dashboard.worth_loss"): [
                    _spread(worth.log_loss, worth.log_loss_spread) for worth in found.sources
                ],
                text("dashboard.worth_score"): [_f1_of(worth) for worth in found.sources],
            },
            hide_index=True,
            height=TABLE_HEIGHT,
        )
        numbers = {"questions": f"{found.questions:,}", "judged": f"{found.judged:,}"}
        st.caption(text("dashboard.worth_all", loss=f"{found.log_loss:.3f}", score=percent(found.f1), **numbers))

    panel(here, text("dashboard.worth_without"), sources.table(found), draw)


def _source(name: str) -> str:
    """A source that came with an extension is called by its own name."""
    known = {
        sources.MODEL: text("dashboard.source_model"),
        "precedents": text("dashboard.source_precedents"),
        "words": text("dashboard.source_words"),
        "mentions": text("dashboard.source_mentions"),
        "habits": text("dashboard.source_habits"),
        "meaning": text("dashboard.source_meaning"),
        "near": text("dashboard.source_near"),
        "linear": text("dashboard.source_linear"),
        "named": text("dashboard.source_named"),
        "listed": text("dashboard.source_listed"),
    }
    return known.get(name, name)


def _f1_of(worth: Worth) -> str:
    return _spread(100 * worth.f1, (100 * worth.f1_spread[0], 100 * worth.f1_spread[1]), digits=1)


def _spread(value: float, ends: tuple[float, float], digits: int = 4) -> str:
    return f"{value:+.{digits}f} ({ends[0]:+.{digits}f} … {ends[1]:+.{digits}f})"


def _draw_taught(here: Here, found: Taught) -> None:
    def draw() -> None:
        for heading, tags in ((text("dashboard.rose"), found.rose), (text("dashboard.fell"), found.fell)):
            st.markdown(f"**{heading}**")
            if not tags:
                st.caption(text("dashboard.no_change"))
            else:
                _tags(tags)

    numbers = {"questions": f"{found.questions:,}", "forgotten": f"{found.forgotten:,}"}
    panel(here, text("dashboard.taught_about", **numbers), taught.table(found), draw)


def _tags(tags: tuple[TagChange, ...]) -> None:
    st.dataframe(
        {
            text("dashboard.tag"): [one.tag for one in tags],
            text("dashboard.expected"): [f"{100 * one.change:+.2f}" for one in tags],
            text("dashboard.about_it"): [one.questions for one in tags],
            text("dashboard.chance_then_now"): [f"{percent(one.before)} → {percent(one.now)}" for one in tags],
            text("dashboard.example"): [
                f"{percent(one.example_before)} → {percent(one.example_now)}: {one.example.title}" for one in tags
            ],
        },
        hide_index=True,
        height="auto",
    )
