"""History: decisions newest first, the way back, a past day, and conflicts to settle. Layout only."""

import streamlit as st

from app import frame, session
from app import history_parts as parts
from app import history_view as view
from app.history_parts import SAID, forget
from app.session import said, text
from app.widgets import plain
from db import history, people
from db.errors import StoreError
from db.history import A_PAGE, HistoryLine

# What the session remembers; the keys of the widgets begin alike.
OPEN = "history_open"  # the receipt whose details are shown
PAGES = "history_pages"  # before which number each page up to this one begins
EVERYBODY = 0
TABLE_HEIGHT = 248  # pixels: the details below begin on the first screen

here = frame.enter()
visitor = here.visitor
sees_all = here.may("researcher", "admin")
zone = view.visitor_zone(st.context.timezone, st.context.timezone_offset)


def on_filter() -> None:
    forget(PAGES, OPEN, SAID)


def on_select(key: str, numbers: list[int]) -> None:
    rows = st.session_state[key].selection.rows
    st.session_state[OPEN] = numbers[rows[0]] if rows else None
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
                width=160,
            )
        box = {"on_change": on_filter, "max_chars": 100}
        words = st.text_input(text("history.question_text"), key="history_text", width=230, **box)
        tag = st.text_input(text("history.tag"), key="history_tag", width=150, **box)
        number = st.number_input(
            text("history.number"), 1, None, None, 1, key="history_number", on_change=on_filter, width=140
        )
        day = {"value": None, "format": "YYYY-MM-DD", "on_change": on_filter, "width": 150}
        since = st.date_input(text("history.since"), key="history_since", **day)
        until = st.date_input(text("history.until"), key="history_until", **day)
    return view.Filters(words or "", tag or "", number, whose or None, since, until)


def entries_table(lines: list[HistoryLine], more: bool) -> None:
    numbers = [line.number for line in lines]
    # The rows are part of the key: a selection by position must not pass to another list.
    key = f"history_table_{session.language()}_{numbers[0]}_{numbers[-1]}_{len(numbers)}"
    named = {column: text(name) for column, name in view.COLUMNS.items()}
    tags = st.column_config.ListColumn
    st.dataframe(
        view.table(lines, zone, text),
        height=min(TABLE_HEIGHT, 38 + 35 * len(lines)),
        hide_index=True,
        column_config={
            **named,
            "number": st.column_config.NumberColumn(named["number"], format="%d", width=65),
            "at": st.column_config.TextColumn(named["at"], width=145),
            "person": st.column_config.TextColumn(named["person"], width=75),
            "title": st.column_config.TextColumn(named["title"], width=250),
            "accepted": tags(named["accepted"], width=150),
            "added": tags(named["added"], width=90),
            "rejected": tags(named["rejected"], width=100),
            "undone": st.column_config.TextColumn(named["undone"], width=110),
        },
        key=key,
        on_select=lambda: on_select(key, numbers),
        selection_mode="single-row",
    )
    pages = st.session_state.get(PAGES, [None])
    with st.container(horizontal=True, vertical_alignment="center"):
        newer, older = {"on_click": on_page, "args": (None,)}, {"on_click": on_page, "args": (numbers[-1],)}
        st.button(text("history.newer"), key="history_newer", disabled=len(pages) == 1, **newer)
        st.button(text("history.older"), key="history_older", disabled=not more, **older)
        st.caption(text("history.page", page=len(pages), count=len(lines)), width="content")
        st.caption(text("history.choose", zone=plain(str(zone))), width="content")


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
    entries_table(lines[:A_PAGE], more=len(lines) > A_PAGE)
    parts.say()
    if len(lines) == 1:
        st.session_state[OPEN] = lines[0].number  # and stays open when its undo joins the list
    if (wanted := st.session_state.get(OPEN)) is not None:
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
        parts.conflicts(here, zone)
    else:
        decisions()
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
