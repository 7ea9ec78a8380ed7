"""Parts of the history page that act: an entry with its way back, a conflict to settle, what became of a click."""

from datetime import datetime, tzinfo

import streamlit as st

from app import history_view as view
from app import session
from app.frame import Here
from app.session import text
from app.widgets import plain
from db import history, labels, stats
from db.history import Conflict, HistoryLine

# What the session remembers; the keys of the widgets begin alike.
SAID = "history_said"  # what became of the last click
AFTER = "history_after"  # the conflict that was left for later
AGREEMENT = "history_agreement"
TOP_KAPPAS = 15


def forget(*keys: str) -> None:
    for key in keys:
        st.session_state.pop(key, None)


def say() -> None:
    """What became of the last click, until something else is looked at."""
    said = st.session_state.get(SAID)
    if said is not None:
        show = st.success if said.done else st.error
        show(text(said.key, **{name: plain(session.said(str(value))) for name, value in said.values.items()}))


def details(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    """One entry: the whole question, the way back, and the question on a past day beside today."""
    with here.store.read() as reading:
        question = labels.look_at(reading, line.question_id)
        seen = history.last_number(reading)
    with st.container(border=True):
        entry, past = st.columns([5, 4], gap="medium")
        with entry:
            st.html(view.question_html(question.title, question.description))
            _way_back(here, line, seen)
            st.html(view.line_html(line, zone, text))
        with past:
            _past_day(here, line, names, zone)


def _past_day(here: Here, line: HistoryLine, names: dict[int, str], zone: tzinfo) -> None:
    today = datetime.now(zone).date()
    # A store whose clock is ahead of this machine's may have entries of tomorrow.
    latest = max(today, line.at.astimezone(zone).date())
    key = f"history_day_{line.number}"
    day = st.date_input(text("history.as_of"), latest, None, latest, key=key, format="YYYY-MM-DD") or latest
    with here.store.read() as reading:
        at = view.last_moment(day, zone)
        then = view.snapshot(reading, line.question_id, at, names, here.visitor)
        now = view.snapshot(reading, line.question_id, None, names, here.visitor)
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
    undoing = {"on_click": _act, "args": (here, view.take_back, way, seen)}
    if way.brings_back is not None:
        st.button(text("history.bring_back", number=way.brings_back), key=f"history_back_{way.number}", **undoing)
        return
    with st.container(horizontal=True):
        st.button(text("history.undo"), key=f"history_undo_{line.number}", **undoing)
        st.button(
            text("history.reopen"),
            key=f"history_reopen_{line.number}",
            help=text("history.reopen_hint"),
            on_click=_act,
            args=(here, view.reopen, line.number, seen),
        )


def _act(here: Here, act, *args) -> None:
    """Undo, reopen or settle: stored before anything is drawn."""
    said = st.session_state[SAID] = act(here.store, here.visitor, *args)
    undone = said.values.get("undone")
    if undone in session.desk().last:  # the annotate page would offer to take it back once more
        session.desk().last.remove(undone)


def conflicts(here: Here, zone: tzinfo) -> None:
    """Questions in conflict, one at a time, and how far people agree on the whole."""
    with here.store.read() as reading:
        found = history.conflicts(reading, limit=1, after=st.session_state.get(AFTER, 0))
        seen = history.last_number(reading)
    say()
    if found:
        _conflict(here, found[0], seen, zone)
    elif AFTER in st.session_state:
        st.info(text("history.last_conflict"))
        st.button(text("history.first_conflict"), on_click=forget, args=(AFTER, SAID))
    else:
        st.info(text("history.no_conflicts"))
    _agreement(here, seen)


def _conflict(here: Here, conflict: Conflict, seen: int, zone: tzinfo) -> None:
    number = conflict.question_id
    with st.container(border=True):
        st.html(view.question_html(conflict.title, conflict.description))
        about = {"source": plain(conflict.source or "—"), "agreement": f"{conflict.agreement or 0:.2f}"}
        st.caption(text("history.conflict_line", question=number, **about))
        with st.container(horizontal=True):
            for opinion in conflict.opinions:
                with st.container(border=True, width=320):
                    st.html(view.opinion_html(opinion, conflict, zone, text))
        tags, reason = st.columns([3, 2])
        chosen = tags.multiselect(
            text("history.settle_tags"),
            conflict.tags,
            default=conflict.majority,
            accept_new_options=True,
            placeholder=text("history.settle_choose"),
            key=f"history_tags_{number}",
        )
        reason.text_input(text("history.settle_comment"), key=f"history_comment_{number}", max_chars=500)
        with st.container(horizontal=True):
            st.button(
                text("history.settle") if chosen else text("history.settle_none"),
                type="primary",
                key=f"history_settle_{number}",
                on_click=_settle,
                args=(here, number, seen),
            )
            st.button(text("history.next_conflict"), key=f"history_next_{number}", on_click=_leave, args=(number,))


def _settle(here: Here, question_id: int, seen: int) -> None:
    tags, comment = (st.session_state[f"history_{name}_{question_id}"] for name in ("tags", "comment"))
    _act(here, view.settle, question_id, tags, comment, seen)


def _leave(question_id: int) -> None:
    st.session_state[AFTER] = question_id
    forget(SAID)


def _agreement(here: Here, seen: int) -> None:
    """Worked out when asked for: it reads every opinion of the store."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(text("history.agreement"), anchor=False, width="content")
        asked = st.button(text("history.work_out"), key="history_work_out")
    if asked:
        with st.spinner(text("history.working")), here.store.read() as reading:
            st.session_state[AGREEMENT] = (seen, stats.agreement(reading))
    if AGREEMENT not in st.session_state:
        return
    number, figures = st.session_state[AGREEMENT]
    st.text(view.alpha_sentence(figures.alpha, text))
    st.caption(text("history.agreement_at", number=number))
    if figures.tags:
        st.dataframe(view.kappas(figures.tags[:TOP_KAPPAS], text), hide_index=True, width=620)
