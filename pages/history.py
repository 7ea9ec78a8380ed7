"""History: decisions newest first, the way back, a past day, and conflicts to settle. Layout only."""

import streamlit as st

from app.entry import frame
from app.history import content as view
from app.history import rows
from app.history import sections as parts
from app.history.listing import rows_data
from app.history.review import conflicts
from app.history.sections import SAID, forget
from app.shell.session import said, text
from app.shell.widgets import plain
from db import people
from db.access import allows
from db.errors import StoreError
from db.ledger import history
from db.ledger.history import A_PAGE, HistoryLine

# What the session remembers; the keys of the widgets begin alike.
OPEN = "history_open"  # the receipt whose details are shown
PAGES = "history_pages"  # before which number each page up to this one begins
EVERYBODY = 0
ROWS = "history_rows"

here = frame.enter("history")
visitor = here.visitor
sees_all = allows(visitor.role, view.OTHERS)
zone = view.visitor_zone(st.context.timezone, st.context.timezone_offset)


def on_filter() -> None:
    forget(PAGES, OPEN, SAID)


def on_choose() -> None:
    st.session_state[OPEN] = st.session_state[ROWS].chosen
    forget(SAID)


def on_page(before: int | None) -> None:
    pages = st.session_state.setdefault(PAGES, [None])
    if before is not None:
        pages.append(before)
    elif len(pages) > 1:
        pages.pop()
    forget(OPEN, SAID)


def filters(names: dict[int, str]) -> view.Filters:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        whose = EVERYBODY
        if sees_all:
            labels = {EVERYBODY: text("history.everybody"), visitor.id: text("history.me", name=visitor.name)}
            labels |= {person: name for person, name in names.items() if person != visitor.id}
            whose = st.selectbox(
                text("history.whose"),
                list(labels),
                format_func=lambda person: labels.get(person, ""),
                key="history_whose",
                on_change=on_filter,
                width=140,
            )
        box = {"on_change": on_filter, "max_chars": 100}
        words = st.text_input(text("history.question_text"), key="history_text", width=170, **box)
        tag = st.text_input(text("history.tag"), key="history_tag", width=110, **box)
        number = st.number_input(
            text("history.number"), 1, None, None, 1, key="history_number", on_change=on_filter, width=120
        )
        day = {"value": None, "format": "YYYY-MM-DD", "on_change": on_filter, "width": 130}
        since = st.date_input(text("history.since"), key="history_since", **day)
        until = st.date_input(text("history.until"), key="history_until", **day)
        flags = {choice: text(choice or "history.flag_all") for choice in view.FLAG_CHOICES}
        flag = st.selectbox(
            text("history.flag"),
            list(flags),
            format_func=flags.get,
            filter_mode=None,
            key="history_flag",
            on_change=on_filter,
            width=140,
        )
        commented = st.toggle(text("history.commented"), key="history_commented", on_change=on_filter, width="content")
    return view.Filters(words or "", tag or "", number, whose or None, since, until, flag, commented)


def entries_list(lines: list[HistoryLine], more: bool) -> None:
    numbers = [line.number for line in lines]
    rows.mount(rows_data(lines, st.session_state.get(OPEN), zone, text), key=ROWS, on_choose=on_choose)
    pages = st.session_state.get(PAGES, [None])
    with st.container(horizontal=True, vertical_alignment="center"):
        newer, older = {"on_click": on_page, "args": (None,)}, {"on_click": on_page, "args": (numbers[-1],)}
        st.button(text("history.newer"), key="history_newer", disabled=len(pages) == 1, **newer)
        st.button(text("history.older"), key="history_older", disabled=not more, **older)
        st.caption(text("history.page", page=len(pages), count=len(lines)), width="content")


def decisions() -> None:
    with here.store.read() as reading:
        names = {person.id: person.name for person in people.everyone(reading)}
    chosen = filters(names).conditions(visitor, zone)
    before = st.session_state.get(PAGES, [None])[-1]
    with here.store.read() as reading:
        lines = history.recent_entries(reading, before=before, limit=A_PAGE + 1, **chosen)
    if not lines:
        st.info(text("history.nothing"))
        return
    if len(lines) == 1:
        st.session_state[OPEN] = lines[0].number  # and stays open when its undo joins the list
    left, right = st.columns([7, 5], gap="medium")
    with left:
        entries_list(lines[:A_PAGE], more=len(lines) > A_PAGE)
    with right:
        opened(names)


def opened(names: dict[int, str]) -> None:
    """The entry that is open, beside the list; or how to open one."""
    parts.say()
    wanted = st.session_state.get(OPEN)
    if wanted is None:
        st.caption(text("history.choose", zone=plain(str(zone))))
        return
    with here.store.read() as reading:
        found = history.recent_entries(reading, number=wanted, person_id=None if sees_all else visitor.id)
    for line in found:
        parts.details(here, line, names, zone)


def choose_section() -> str:
    with here.store.read() as reading:
        waiting = history.count_conflicts(reading)
    named = {"decisions": text("history.decisions"), "conflicts": text("history.conflicts", count=waiting)}
    return st.segmented_control(
        text("history.section"),
        list(named),
        default="decisions",
        required=True,
        format_func=named.get,
        key="history_section",
        on_change=forget,
        args=(SAID,),
        label_visibility="collapsed",
    )


try:
    if not sees_all:
        st.caption(text("history.own_only"))
        decisions()
    elif choose_section() == "conflicts":
        conflicts(here, zone)
    else:
        decisions()
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
