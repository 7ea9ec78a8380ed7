"""What became of the last click on the history page, until something else is looked at."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import streamlit as st

from app.access.auth import Visitor
from app.entry.frame import Here
from app.history.ways_back import Said
from app.shell import session
from app.shell.session import text
from app.shell.widgets import plain
from db.store.engine import Store

SAID = "history_said"  # what became of the last click

More = ParamSpec("More")


def say() -> None:
    """What became of the last click, until something else is looked at."""
    said: Said | None = st.session_state.get(SAID)
    if said is not None:
        show = st.success if said.done else st.error
        show(text(said.key, **{name: plain(session.said(value)) for name, value in said.values.items()}))


def carry_out(
    here: Here, way: Callable[Concatenate[Store, Visitor, More], Said], *more: More.args, **named: More.kwargs
) -> None:
    """A way of app.history.ways_back (undo, reopen, settle): stored before anything is drawn."""
    st.session_state[SAID] = way(here.store, here.visitor, *more, **named)
