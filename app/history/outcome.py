"""What became of the last click on the history page, until something else is looked at."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import streamlit as st

from app.access.auth import Visitor
from app.entry.frame import Here
from app.shell import feedback
from app.shell.outcome import Outcome
from app.shell.session import HISTORY_SAID as SAID
from db.store.engine import Store

More = ParamSpec("More")


def say() -> None:
    """What became of the last click, until something else is looked at."""
    outcome: Outcome | None = st.session_state.get(SAID)
    if outcome is not None:
        feedback.show(outcome)


def carry_out(
    here: Here, way: Callable[Concatenate[Store, Visitor, More], Outcome], *more: More.args, **named: More.kwargs
) -> None:
    """A way of app.history.ways_back (undo, reopen, settle): stored before anything is drawn."""
    st.session_state[SAID] = way(here.store, here.visitor, *more, **named)
