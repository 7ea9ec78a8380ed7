"""One entry of the history: the whole question, the way back, and the question on a past day beside today."""

from datetime import tzinfo

import streamlit as st

from app.entry import labels_seen
from app.entry.frame import Here
from app.history import markup, ways_back
from app.history.outcome import carry_out
from app.shell import clock
from app.shell.session import text
from db.ledger import history, labels
from db.ledger.history import HistoryLine


def details(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    """One entry: the whole question, the way back, and the question on a past day beside today."""
    with here.store.read() as reading:
        question = labels.look_at(reading, line.question_id)
        seen = history.last_number(reading)
    with st.container(border=True):
        st.html(markup.question_html(question.title, question.description))
        if question.redacted:
            st.caption(text("history.redacted"))
        _way_back(here, line, seen)
        st.html(markup.line_html(line, zone, text))
        _past_day(here, line, names, zone)


def _past_day(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    # A store whose clock is ahead of this machine's may have entries of tomorrow.
    latest = max(clock.today(zone), clock.today(zone, line.at))
    key = f"history_day_{line.number}"
    day = st.date_input(text("history.as_of"), latest, None, latest, key=key, format="YYYY-MM-DD") or latest
    sees_all = here.may(labels_seen.OTHERS)
    with here.store.read() as reading:
        at = clock.last_moment(day, zone)
        then = labels_seen.snapshot(reading, line.question_id, at, names, here.visitor, sees_all=sees_all)
        now = labels_seen.snapshot(reading, line.question_id, None, names, here.visitor, sees_all=sees_all)
    left, right = st.columns(2)
    left.caption(text("history.then", day=day))
    left.html(markup.snapshot_html(then, text))
    right.caption(text("history.now"))
    right.html(markup.snapshot_html(now, text))


def _way_back(here: Here, line: HistoryLine, seen: int) -> None:
    way = ways_back.way_back(line, here.visitor)
    if not way.may:
        st.caption(text("history.not_yours"))
        return
    undoing = (here, ways_back.take_back, way, seen)
    if way.brings_back is not None:
        label = text("history.bring_back", number=way.brings_back)
        st.button(label, key=f"history_back_{way.number}", on_click=carry_out, args=undoing)
        return
    with st.container(horizontal=True):
        st.button(text("history.undo"), key=f"history_undo_{line.number}", on_click=carry_out, args=undoing)
        st.button(
            text("history.reopen"),
            key=f"history_reopen_{line.number}",
            help=text("history.reopen_hint"),
            on_click=carry_out,
            args=(here, ways_back.reopen, line.number, seen),
        )
