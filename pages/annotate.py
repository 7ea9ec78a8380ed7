"""Annotate, the home: one question, its suggested tags, one key a decision. Layout only."""

from datetime import UTC, datetime, timedelta, timezone

import streamlit as st

from app import annotation, board, frame, session
from app.annotation import QueueChoice
from app.board_data import board_data, match_data
from app.hint_words import shown_words
from app.model_queue import Overloaded
from app.session import said, text
from app.widgets import votes_again
from db import queue, stats, tag_list
from db.errors import StoreError
from l2a.errors import L2AError

ORDERS = ("oldest", "uncertain", "rare")
HEARTBEAT = timedelta(minutes=2)

here = frame.enter()
tag_search = here.tag_search  # begins to build its index while the first question is read


def choice() -> QueueChoice:
    return QueueChoice(
        order=st.session_state.get(session.ORDER) or "oldest",
        source=st.session_state.get(session.SOURCE),
        tag=(st.session_state.get(session.TAG_FILTER) or "").strip() or None,
    )


def start_of_day() -> datetime:
    """Midnight where the visitor is: "today" is theirs."""
    minutes = st.context.timezone_offset or 0
    zone = timezone(-timedelta(minutes=minutes))
    return datetime.now(zone).replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)


def sent(kind: str) -> dict | None:
    """What the board just sent, if it sent such a thing."""
    return getattr(st.session_state.get(session.BOARD), kind, None)


def on_act() -> None:
    """A decision, a skip or an undo: stored before anything is drawn."""
    message = sent("act")
    if message:
        annotation.act(session.desk(), message, here.store, here.suggester, here.visitor.id, choice())
        for key in (session.EVIDENCE, session.NO_EVIDENCE, session.MATCHES):
            st.session_state.pop(key, None)


def on_query() -> None:
    message = sent("query")
    if message:
        try:
            matches = tag_search.search(str(message["text"])[:100], limit=8)
        except StoreError:  # whoever drew the page says what is wrong with the store; a search finds nothing
            matches = []
        st.session_state[session.MATCHES] = match_data(matches, int(message["sequence"]))


def on_look() -> None:
    """Where the model looked while it wrote a tag: worked out when somebody wants to see it."""
    message, item = sent("look"), session.desk().item
    if not message or item is None or item.claim.question_id != message["item"]:
        return
    try:
        found = annotation.look(item, message["tag"], here.suggester)
    except Overloaded:  # the next look at the tag asks again
        return
    except (L2AError, StoreError):  # no picture is better than a wrong one
        st.session_state[session.NO_EVIDENCE] = item.suggestion.model_version
        return
    if found is not None:
        known = st.session_state.setdefault(session.EVIDENCE, {"words": shown_words(found.words), "tags": {}})
        known["tags"][message["tag"]] = found.weights


def queue_options() -> None:
    with st.popover(text("annotate.queue"), icon=":material/filter_list:"):
        changed = session.clear_desk
        names = {order: text(f"annotate.{order}") for order in ORDERS}
        st.radio(
            text("annotate.order"),
            ORDERS,
            format_func=names.get,
            key=session.ORDER,
            on_change=changed,
        )
        with here.store.read() as reading:
            sources = list(stats.sources(reading))
        st.selectbox(
            text("annotate.source"),
            sources,
            index=None,
            placeholder=text("annotate.any"),
            key=session.SOURCE,
            on_change=changed,
        )
        st.text_input(text("annotate.tag"), key=session.TAG_FILTER, on_change=changed)


def chance(tag) -> float | None:
    """Of a suggested tag to be accepted, where enough is known of the model that suggested it."""
    suggestion = session.desk().item.suggestion
    return here.acceptance.probability(suggestion.model_version, tag.votes / suggestion.beam)


@st.fragment
@frame.guarded
def desk_and_board() -> None:
    desk = session.desk()
    if desk.item is None:
        with st.spinner(text("model.loading")):
            annotation.take(desk, here.store, here.suggester, here.visitor.id, choice())
    item = desk.item
    if item is None:
        st.subheader(text("annotate.empty"), anchor=False)
        st.markdown(text("annotate.empty_hint"))
        return
    if item.trouble:
        st.warning(text("annotate.trouble", message=said(item.trouble)))
    with here.store.read() as reading:
        progress = stats.progress(reading, here.visitor.id, start_of_day())
        facts = tag_list.facts(reading, [tag.tag for tag in item.shown])
        holders = queue.holders(reading, item.claim.question_id)
    evidence = st.session_state.get(session.EVIDENCE, {"words": (), "tags": {}})
    board.mount(
        board_data(
            desk,
            text=text,
            said=said,
            scheme=st.context.theme.type or "light",
            progress=text("annotate.progress", today=progress.today, open=progress.open, held=progress.held_by_others),
            facts=facts,
            others=[holder.person for holder in holders if holder.person != here.visitor.name],
            evidence=evidence["tags"],
            words=evidence["words"],
            matches=st.session_state.get(session.MATCHES),
            chance=chance,
        ),
        key=session.BOARD,
        on_act=on_act,
        on_query=on_query,
        on_look=on_look,
    )
    if (version := st.session_state.get(session.NO_EVIDENCE)) is not None:
        st.caption(text("annotate.model_gone", version=version))
    if item.suggestion is not None:
        more = st.expander(text("annotate.more"), key=session.MORE, on_change="rerun")
        if more.open:  # drawing the chart for everybody cost more than the rest of the page
            with more:
                votes_again(item, here.suggester)


@st.fragment(run_every=HEARTBEAT)
@frame.guarded
def heartbeat() -> None:
    """While the page is open, the question on it stays this person's."""
    annotation.keep(session.desk(), here.store, here.visitor.id)


desk_and_board()
frame.guarded(queue_options)()
heartbeat()
