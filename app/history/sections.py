"""Parts of the history page that act: an entry with its way back, and what became of a click."""

from datetime import datetime, tzinfo

import streamlit as st

from app.entry.frame import Here
from app.history import content as view
from app.shell import session
from app.shell.session import text
from app.shell.widgets import plain
from db.ledger import history, labels
from db.ledger.history import HistoryLine

# What the session remembers; the keys of the widgets begin alike.
SAID = "history_said"  # what became of the last click


def forget(*keys: str) -> None:
    for key in keys:
        st.session_state.pop(key, None)


def say() -> None:
    """What became of the last click, until something else is looked at."""
    said = st.session_state.get(SAID)
    if said is not None:
        show = st.success if said.done else st.error
        show(text(said.key, **{name: plain(session.said(value)) for name, value in said.values.items()}))


def details(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    """One entry: the whole question, the way back, and the question on a past day beside today."""
    with here.store.read() as reading:
        question = labels.look_at(reading, line.question_id)
        seen = history.last_number(reading)
    with st.container(border=True):
        st.html(view.question_html(question.title, question.description))
        if question.redacted:
            st.caption(text("history.redacted"))
        _way_back(here, line, seen)
        st.html(view.line_html(line, zone, text))
        _past_day(here, line, names, zone)


def _past_day(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    today = datetime.now(zone).date()
    # A store whose clock is ahead of this machine's may have entries of tomorrow.
    latest = max(today, line.at.astimezone(zone).date())
    key = f"history_day_{line.number}"
    day = st.date_input(text("history.as_of"), latest, None, latest, key=key, format="YYYY-MM-DD") or latest
    sees_all = here.may(view.OTHERS)
    with here.store.read() as reading:
        at = view.last_moment(day, zone)
        then = view.snapshot(reading, line.question_id, at, names, here.visitor, sees_all=sees_all)
        now = view.snapshot(reading, line.question_id, None, names, here.visitor, sees_all=sees_all)
    left, right = st.columns(2)
    left.caption(text("history.then", day=day))
    left.html(view.snapshot_html(then, text))
    right.caption(text("history.now"))
    right.html(view.snapshot_html(now, text))


def _way_back(here: Here, line: HistoryLine, seen: int) -> None:
    way = view.way_back(line, here.visitor)
    if not way.may:
        st.caption(text("history.not_yours"))
        return
    undoing = {"on_click": act, "args": (here, view.take_back, way, seen)}
    if way.brings_back is not None:
        st.button(text("history.bring_back", number=way.brings_back), key=f"history_back_{way.number}", **undoing)
        return
    with st.container(horizontal=True):
        st.button(text("history.undo"), key=f"history_undo_{line.number}", **undoing)
        st.button(
            text("history.reopen"),
            key=f"history_reopen_{line.number}",
            help=text("history.reopen_hint"),
            on_click=act,
            args=(here, view.reopen, line.number, seen),
        )


def act(here: Here, act, *args) -> None:
    """Undo, reopen or settle: stored before anything is drawn."""
    st.session_state[SAID] = act(here.store, here.visitor, *args)
