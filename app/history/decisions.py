"""The decisions on the history page, newest first, and the one that is open beside them."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.entry.labels_seen import OTHERS
from app.history import rows
from app.history.choices import OPEN, PAGES, choose_filters
from app.history.details import details
from app.history.listing import rows_data
from app.history.outcome import SAID, say
from app.shell.memory import forget
from app.shell.session import HISTORY_ROWS as ROWS
from app.shell.session import text
from app.shell.widgets import plain
from db import people
from db.access import allows
from db.ledger import history
from db.ledger.history import A_PAGE, HistoryLine


def decisions(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        names = {person.id: person.name for person in people.everyone(reading)}
    conditions = choose_filters(here, names).conditions(here.visitor, zone)
    before = st.session_state.get(PAGES, [None])[-1]
    with here.store.read() as reading:
        lines = history.recent_entries(reading, before=before, limit=A_PAGE + 1, **conditions)
    if not lines:
        st.info(text("history.nothing"))
        return
    if len(lines) == 1:
        st.session_state[OPEN] = lines[0].number  # and stays open when its undo joins the list
    left, right = st.columns([7, 5], gap="medium")
    with left:
        _entries(lines[:A_PAGE], zone, more=len(lines) > A_PAGE)
    with right:
        _opened(here, names, zone)


def _entries(lines: list[HistoryLine], zone: tzinfo, *, more: bool) -> None:
    rows.mount(rows_data(lines, st.session_state.get(OPEN), zone, text), key=ROWS, on_choose=_on_choose)
    pages = st.session_state.get(PAGES, [None])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(text("history.newer"), key="history_newer", disabled=len(pages) == 1, on_click=_on_page, args=(None,))
        st.button(
            text("history.older"), key="history_older", disabled=not more, on_click=_on_page, args=(lines[-1].number,)
        )
        st.caption(text("history.page", page=len(pages), count=len(lines)), width="content")


def _on_choose() -> None:
    st.session_state[OPEN] = st.session_state[ROWS].chosen
    forget(SAID)


def _on_page(before: int | None) -> None:
    pages = st.session_state.setdefault(PAGES, [None])
    if before is not None:
        pages.append(before)
    elif len(pages) > 1:
        pages.pop()
    forget(OPEN, SAID)


def _opened(here: Here, names: dict[int, str], zone: tzinfo) -> None:
    """The entry that is open, beside the list; or how to open one."""
    say()
    wanted = st.session_state.get(OPEN)
    if wanted is None:
        st.caption(text("history.choose", zone=plain(str(zone))))
        return
    sees_all = allows(here.visitor.role, OTHERS)
    with here.store.read() as reading:
        found = history.recent_entries(reading, number=wanted, person_id=None if sees_all else here.visitor.id)
    for line in found:
        details(here, line, names, zone)
