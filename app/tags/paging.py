"""A few of many at a time, with the buttons that turn the pages."""

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from app.shell.memory import forget
from app.shell.session import text
from app.tags import outcome

A_SCREEN = 5

Thing = TypeVar("Thing")


def shown(things: Sequence[Thing], page_key: str) -> Sequence[Thing]:
    """Those of the page that the visitor is on."""
    first = _page(things, page_key) * A_SCREEN
    return things[first : first + A_SCREEN]


def buttons(things: Sequence[object], page_key: str, key: str) -> None:
    """`key` is what the keys of the buttons begin with."""
    page = _page(things, page_key)
    first, last = page * A_SCREEN, min((page + 1) * A_SCREEN, len(things))
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, step, disabled in (("previous", -1, not page), ("next", 1, last == len(things))):
            st.button(
                text(f"tags.{name}"),
                key=f"{key}_{name}",
                disabled=disabled,
                on_click=_turn,
                args=(page_key, page + step),
            )
        st.caption(text("tags.range", first=first + 1, last=last, total=f"{len(things):,}"), width="content")


def _page(things: Sequence[object], page_key: str) -> int:
    last = max(0, (len(things) - 1) // A_SCREEN)
    return min(st.session_state.get(page_key, 0), last)  # the last page may have been emptied


def _turn(page_key: str, page: int) -> None:
    st.session_state[page_key] = page
    forget(outcome.OUTCOME)
