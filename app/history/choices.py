"""What is chosen on the history page: what is searched for, and which section is open."""

import streamlit as st

from app.entry.frame import Here
from app.entry.labels_seen import OTHERS
from app.history.filters import FLAG_CHOICES, Filters
from app.history.outcome import SAID
from app.shell.memory import forget
from app.shell.options import called
from app.shell.session import HISTORY_OPEN as OPEN
from app.shell.session import HISTORY_PAGES as PAGES
from app.shell.session import text
from db.access import allows
from db.ledger import history

EVERYBODY = 0
LONGEST = 100  # characters that are searched for


def choose_section(here: Here) -> str:
    """decisions or conflicts."""
    with here.store.read() as reading:
        waiting = history.count_conflicts(reading)
    named = {"decisions": text("history.decisions"), "conflicts": text("history.conflicts", count=waiting)}
    return st.segmented_control(
        text("history.section"),
        list(named),
        default="decisions",
        required=True,
        format_func=called(named),
        key="history_section",
        on_change=forget,
        args=(SAID,),
        label_visibility="collapsed",
    )


def choose_filters(here: Here, names: dict[int, str]) -> Filters:
    """`names`: of everybody, by their ids."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        whose = _whose(here, names)
        words = st.text_input(
            text("history.question_text"), key="history_text", width=170, on_change=_on_filter, max_chars=LONGEST
        )
        tag = st.text_input(text("history.tag"), key="history_tag", width=110, on_change=_on_filter, max_chars=LONGEST)
        number = st.number_input(
            text("history.number"), 1, None, None, 1, key="history_number", on_change=_on_filter, width=120
        )
        since = st.date_input(
            text("history.since"), None, key="history_since", on_change=_on_filter, format="YYYY-MM-DD", width=130
        )
        until = st.date_input(
            text("history.until"), None, key="history_until", on_change=_on_filter, format="YYYY-MM-DD", width=130
        )
        flags = {choice: text(choice or "history.flag_all") for choice in FLAG_CHOICES}
        flag = st.selectbox(
            text("history.flag"),
            list(flags),
            format_func=called(flags),
            filter_mode=None,
            key="history_flag",
            on_change=_on_filter,
            width=140,
        )
        commented = st.toggle(text("history.commented"), key="history_commented", on_change=_on_filter, width="content")
    return Filters(words or "", tag or "", number, whose or None, since, until, flag, commented)


def _whose(here: Here, names: dict[int, str]) -> int:
    """Whose decisions; those who may see their own only are not asked."""
    visitor = here.visitor
    if not allows(visitor.role, OTHERS):
        return EVERYBODY
    labels = {EVERYBODY: text("history.everybody"), visitor.id: text("history.me", name=visitor.name)}
    labels |= {person: name for person, name in names.items() if person != visitor.id}
    return st.selectbox(
        text("history.whose"),
        list(labels),
        format_func=lambda person: labels.get(person, ""),
        key="history_whose",
        on_change=_on_filter,
        width=140,
    )


def _on_filter() -> None:
    forget(PAGES, OPEN, SAID)
