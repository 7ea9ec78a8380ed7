"""Conflicts on the history page: every opinion in sight, and nothing chosen until the reviewer chooses."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.history import agreement, markup, ways_back
from app.history.outcome import SAID, carry_out, say
from app.shell import session
from app.shell.memory import forget
from app.shell.session import HISTORY_AFTER as AFTER
from app.shell.session import HISTORY_AGREEMENT as AGREEMENT
from app.shell.session import text
from app.shell.widgets import plain
from db.figures import statistics as stats
from db.ledger import history
from db.ledger.history import Conflict

TOP_KAPPAS = 15
LONGEST_TAG = 100  # characters, as everywhere else a tag is typed


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
        st.html(markup.question_html(conflict.title, conflict.description))
        about = {"source": plain(conflict.source or "—"), "agreement": f"{conflict.agreement or 0:.2f}"}
        st.caption(text("history.conflict_line", question=number, **about))
        with st.container(horizontal=True):
            for opinion in conflict.opinions:
                with st.container(border=True, width=320):
                    st.html(markup.opinion_html(opinion, conflict, zone, text))
                    _offer("take_this", f"{number}_{opinion.number}", number, opinion.tags)
        _offers(conflict)
        chosen = _choice(conflict)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                text("history.settle_none") if chosen == [] else text("history.settle"),
                type="secondary" if chosen is None else "primary",
                disabled=chosen is None,
                key=f"history_settle_{number}",
                on_click=_settle,
                args=(here, number, chosen, seen),
            )
            st.button(text("history.next_conflict"), key=f"history_next_{number}", on_click=_leave, args=(number,))
            if chosen is None:
                st.caption(text("history.choose_first"), width="content")


def _offers(conflict: Conflict) -> None:
    """All that the opinions hold, and what most of them do, where that is something else."""
    number, everything = conflict.question_id, conflict.tags
    with st.container(horizontal=True):
        both = "take_both" if len(conflict.opinions) == 2 else "take_all"
        _offer(both, str(number), number, everything)
        if conflict.majority and set(conflict.majority) != set(everything):
            _offer("take_majority", str(number), number, conflict.majority)


def _offer(name: str, mark: str, question_id: int, tags: Sequence[str]) -> None:
    """A button that chooses these tags, and settles nothing yet."""
    st.button(text(f"history.{name}"), key=f"history_{name}_{mark}", on_click=_take, args=(question_id, tuple(tags)))


def _choice(conflict: Conflict) -> list[str] | None:
    """The tags to settle on: an empty list for a question that none fits, None while nothing is chosen."""
    number = conflict.question_id
    others = st.session_state.get(session.numbered(session.HISTORY_OTHERS, number), [])
    options = list(dict.fromkeys([*conflict.tags, *others]))
    chosen = st.pills(
        text("history.settle_tags"),
        options,
        selection_mode="multi",
        key=f"history_tags_{number}",
        on_change=_tags_chosen,
        args=(number,),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            text("history.settle_other"),
            key=f"history_other_{number}",
            max_chars=LONGEST_TAG,
            on_change=_add_other,
            args=(number, conflict.tags),
            width=260,
        )
        st.text_input(text("history.settle_comment"), key=f"history_comment_{number}", max_chars=500, width=400)
        none_fits = st.checkbox(
            text("history.none_fits"), key=f"history_none_{number}", on_change=_none_chosen, args=(number,)
        )
    in_order = [tag for tag in options if tag in (chosen or ())]
    return in_order or ([] if none_fits else None)


def _take(question_id: int, tags: Sequence[str]) -> None:
    st.session_state[session.numbered(session.HISTORY_TAGS, question_id)] = list(tags)
    # Somebody's answer may be that none fits.
    st.session_state[session.numbered(session.HISTORY_NONE, question_id)] = not tags


def _tags_chosen(question_id: int) -> None:
    if st.session_state[session.numbered(session.HISTORY_TAGS, question_id)]:
        st.session_state[session.numbered(session.HISTORY_NONE, question_id)] = False


def _none_chosen(question_id: int) -> None:
    if st.session_state[session.numbered(session.HISTORY_NONE, question_id)]:
        st.session_state[session.numbered(session.HISTORY_TAGS, question_id)] = []


def _add_other(question_id: int, offered: Sequence[str]) -> None:
    """A tag that nobody named joins the choice."""
    tag = st.session_state[session.numbered(session.HISTORY_OTHER, question_id)].strip()
    st.session_state[session.numbered(session.HISTORY_OTHER, question_id)] = ""
    if not tag:
        return
    others = st.session_state.setdefault(session.numbered(session.HISTORY_OTHERS, question_id), [])
    if tag not in (*offered, *others):
        others.append(tag)
    chosen = st.session_state.get(session.numbered(session.HISTORY_TAGS, question_id)) or []
    _take(question_id, [*chosen, *([] if tag in chosen else [tag])])


def _settle(here: Here, question_id: int, tags: list[str], seen: int) -> None:
    comment = st.session_state[session.numbered(session.HISTORY_COMMENT, question_id)]
    carry_out(here, ways_back.settle, question_id, tags, comment, seen)


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
    st.text(agreement.alpha_sentence(figures.alpha, text))
    st.caption(text("history.agreement_at", number=number))
    if figures.tags:
        st.dataframe(agreement.kappas(figures.tags[:TOP_KAPPAS], text), hide_index=True, width=620)
