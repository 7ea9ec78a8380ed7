"""The list of the page Tags: search, states, columns that sort, pages; every row leads to its tag."""

from dataclasses import replace

import streamlit as st

from app.entry.frame import Here
from app.shell.options import called
from app.shell.session import TAGS_LISTING as LISTING
from app.shell.session import TAGS_SEARCH as SEARCH
from app.shell.session import TAGS_STATE as STATE
from app.shell.session import TAGS_TABLE as TABLE
from app.shell.session import text
from app.tags import controls as tag_controls
from app.tags import tag_table
from app.tags.dialog import open_tag
from app.tags.tag_table import STATES, Listing
from db.tags.rows import A_PAGE


def draw(here: Here, *, may_change: bool) -> None:
    listing = _choose()
    with here.store.read() as reading:
        found = listing.read(reading, here.tag_search)
    if not found.rows:
        st.info(f"{text('tags.none')} {text('tags.none_hint')}")
        return
    scheme = st.context.theme.type or "light"
    data = tag_table.table_data(found, listing, text, may_change=may_change, scheme=scheme)
    tag_controls.table(data, key=TABLE, on_act=_on_act)
    _pages(listing, found.total)


def _listing() -> Listing:
    return st.session_state.setdefault(LISTING, Listing())


def _choose() -> Listing:
    states = {name: text(f"tags.state_{name}") for name in STATES}
    listing = _listing()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            text("tags.search"),
            listing.query,
            max_chars=100,
            key=SEARCH,
            placeholder=text("tags.search_hint"),
            on_change=_on_choice,
            width=320,
        )
        st.segmented_control(
            text("tags.state"),
            list(states),
            default=listing.state,
            required=True,
            format_func=called(states),
            key=STATE,
            on_change=_on_choice,
            width="content",
        )
    return listing


def _on_choice() -> None:
    """Another search begins with its best matches again."""
    query, state = st.session_state[SEARCH].strip(), st.session_state[STATE] or "in_use"
    listing = _listing()
    sort = listing.sort if query == listing.query else ""
    st.session_state[LISTING] = replace(listing, query=query, state=state, sort=sort, descending=True, page=0)


def _on_act() -> None:
    act = st.session_state[TABLE].act or {}
    if "sort" in act:
        st.session_state[LISTING] = _listing().sorted_by(act["sort"])
    elif "tag" in act:
        open_tag(int(act["tag"]), str(act.get("operation", "")))


def _pages(listing: Listing, total: int) -> None:
    first = listing.page * A_PAGE
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, step, disabled in (
            ("previous", -1, not listing.page),
            ("next", 1, first + A_PAGE >= total),
        ):
            st.button(text(f"tags.{name}"), key=f"tags_{name}", disabled=disabled, on_click=_turn, args=(step,))
        words = text("tags.range", first=f"{first + 1:,}", last=f"{min(first + A_PAGE, total):,}", total=f"{total:,}")
        if total >= tag_table.FOUND and listing.query:
            words += f" {text('tags.best_of', limit=tag_table.FOUND)}"
        st.caption(words, width="content")


def _turn(step: int) -> None:
    listing = _listing()
    st.session_state[LISTING] = replace(listing, page=max(0, listing.page + step))
