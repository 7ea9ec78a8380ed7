"""Annotate, the home: one question, its suggested tags, one key a decision. Layout only."""

import time
from datetime import datetime, timedelta

import streamlit as st

from app.annotate import board
from app.annotate import desk as annotation
from app.annotate.board_data import MOST_COUNTED, board_data, match_data
from app.annotate.board_messages import read_evidence_wish, read_query
from app.annotate.desk import Desk, QueueChoice
from app.annotate.precedents import precedents_of
from app.annotate.votes import votes_again
from app.entry import frame
from app.serving.model_queue import Overloaded
from app.shell import clock, session
from app.shell.session import said, text
from db.errors import Refused, StoreError
from db.figures import statistics as stats
from db.ledger import desk_work
from db.queue import claims as queue
from db.tags import listing as tag_list
from l2a.errors import L2AError

ORDERS = ("oldest", "uncertain", "rare")
HEARTBEAT = timedelta(minutes=2)
LONGEST_TAG = 200  # characters of the tag that the queue is narrowed to

here = frame.enter("annotate")
tag_search = here.tag_search  # begins to build its index while the first question is read


def own_desk() -> Desk:
    """What lies before this visitor."""
    return st.session_state.setdefault(session.DESK, Desk())


def choice() -> QueueChoice:
    return QueueChoice(
        order=st.session_state.get(session.ORDER) or "oldest",
        source=st.session_state.get(session.SOURCE),
        tag=(st.session_state.get(session.TAG_FILTER) or "")[:LONGEST_TAG].strip() or None,
    )


def start_of_day() -> datetime:
    """Midnight where the visitor is: "today" is theirs."""
    zone = session.zone()
    return clock.start_of(clock.today(zone), zone)


def sent(kind: str) -> dict | None:
    """What the board just sent, if it sent such a thing."""
    return getattr(st.session_state.get(session.BOARD), kind, None)


def on_act() -> None:
    """A decision, a skip or an undo: stored before anything is drawn."""
    message = sent("act")
    if message is not None:
        annotation.act(own_desk(), message, here.store, here.suggester, here.visitor.id, choice(), start_of_day())
        for key in (session.EVIDENCE, session.NO_EVIDENCE, session.MATCHES):
            st.session_state.pop(key, None)


def on_query() -> None:
    message = sent("query")
    if message is None:
        return
    annotation.touch(own_desk())
    try:
        query = read_query(message)
    except Refused as error:
        annotation.complain(own_desk(), error)
        return
    try:
        matches = tag_search.search(query.text, limit=8)
    except StoreError:  # whoever drew the page says what is wrong with the store; a search finds nothing
        matches = []
    st.session_state[session.MATCHES] = match_data(matches, query.sequence)


def on_look() -> None:
    """Where the model looked while it wrote a tag: worked out when somebody wants to see it."""
    message, item = sent("look"), own_desk().item
    if message is None:
        return
    try:
        asked = read_evidence_wish(message)
    except Refused as error:
        annotation.complain(own_desk(), error)
        return
    if item is None or item.suggestion is None or item.claim.question_id != asked.item:
        return
    try:
        found = annotation.where_it_looked(item, asked.tag, here.suggester)
    except Overloaded:  # the next look at the tag asks again
        return
    except (L2AError, StoreError):  # no picture is better than a wrong one
        st.session_state[session.NO_EVIDENCE] = item.suggestion.model_version
        return
    if found is not None:
        known = st.session_state.setdefault(session.EVIDENCE, {"words": found.words, "tags": {}})
        known["tags"][asked.tag] = found.weights


def change_queue() -> None:
    """Another order, source or tag: the question on the desk is not of it."""
    annotation.put_back(own_desk(), here.store, here.visitor.id)
    session.clear_desk()


def on_alive() -> None:
    """Somebody moves the mouse, scrolls or types: the board says so every few minutes."""
    if sent("alive"):
        annotation.touch(own_desk())


def queue_options() -> None:
    with st.popover(text("annotate.queue"), icon=":material/filter_list:"):
        names = {order: text(f"annotate.{order}") for order in ORDERS}
        st.radio(
            text("annotate.order"),
            ORDERS,
            format_func=names.get,
            key=session.ORDER,
            on_change=change_queue,
        )
        with here.store.read() as reading:
            sources = stats.source_names(reading)
        st.selectbox(
            text("annotate.source"),
            sources,
            index=None,
            placeholder=text("annotate.any"),
            filter_mode=None,  # nothing to type, so nothing that says "No results"
            key=session.SOURCE,
            on_change=change_queue,
        )
        st.text_input(text("annotate.tag"), key=session.TAG_FILTER, on_change=change_queue, max_chars=LONGEST_TAG)


@st.fragment
@frame.guarded(here, "annotate")
def desk_and_board() -> None:
    desk = own_desk()
    if desk.item is None:
        with st.spinner(text("model.loading")):
            annotation.take(desk, here.store, here.suggester, here.visitor.id, choice())
    item = desk.item
    if item is not None and item.trouble:
        st.warning(text("annotate.trouble", message=said(item.trouble)))
    with here.store.read() as reading:
        progress = stats.progress(reading, here.visitor.id, start_of_day())
        undo = desk_work.latest(reading, here.visitor.id, start_of_day())
        facts = tag_list.facts(reading, [tag.tag for tag in item.shown]) if item is not None else {}
        precedents = precedents_of(reading, item, here.visitor.id)
        holders = queue.holders(reading, item.claim.question_id) if item is not None else []
        waiting = queue.count_waiting(reading, here.visitor.id, MOST_COUNTED) if item is None else 0
    evidence = st.session_state.get(session.EVIDENCE, {"words": (), "tags": {}})
    board.mount(
        board_data(
            desk,
            text=text,
            said=said,
            language=session.language(),
            zone=session.zone(),
            scheme=st.context.theme.type or "light",
            progress=text("annotate.progress", today=progress.today, open=progress.open, held=progress.held_by_others),
            facts=facts,
            others=[holder.person for holder in holders if holder.person != here.visitor.name],
            evidence=evidence["tags"],
            words=evidence["words"],
            matches=st.session_state.get(session.MATCHES),
            precedents=precedents,
            undo=undo,
            waiting=waiting,
            drawn=time.monotonic_ns() % 2**53,  # what JavaScript can tell apart
        ),
        key=session.BOARD,
        on_act=on_act,
        on_query=on_query,
        on_look=on_look,
        on_alive=on_alive,
    )
    if (version := st.session_state.get(session.NO_EVIDENCE)) is not None:
        st.caption(text("annotate.model_gone", version=version))
    if item is not None and item.suggestion is not None:
        more = st.expander(text("annotate.more"), key=session.MORE, on_change="rerun")
        if more.open:  # drawing the chart for everybody cost more than the rest of the page
            with more:
                votes_again(item, here.suggester)


@st.fragment(run_every=HEARTBEAT)
@frame.guarded(here, "annotate")
def heartbeat() -> None:
    """While somebody is at the page, the question on it stays theirs."""
    annotation.keep(own_desk(), here.store, here.visitor.id)


desk_and_board()
frame.guarded(here, "annotate")(queue_options)()
heartbeat()
