"""Doing what a button asks: the page runs again and says what was done, or says why it was not."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from app.shell.outcome import Outcome
from app.shell.session import said, text
from app.shell.widgets import plain
from db.errors import StoreError

Result = TypeVar("Result")


def done_message(key: str) -> None:
    """What was just done, once; `key` is the page's own."""
    if (message := st.session_state.pop(key, None)) is not None:
        st.success(plain(message))


def carry_out(key: str, work: Callable[[], Result], message: Callable[[Result], str | None]) -> None:
    """Do it and show the page anew with the message, or say why it was not done."""
    try:
        result = work()
    except StoreError as error:
        st.error(text("error.refused", message=plain(said(error))))
        return
    if (words := message(result)) is not None:
        st.session_state[key] = words
    st.rerun()


def show(outcome: Outcome) -> None:
    """What became of the last click; it stays until whoever remembers it forgets it."""
    words = text(outcome.key, **{name: plain(said(value)) for name, value in outcome.values.items()})
    (st.success if outcome.done else st.error)(words)
