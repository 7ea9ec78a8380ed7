"""What the page Retrain asks again before it is done, and what was just done."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from app.shell import feedback
from app.shell.session import RETRAIN_DONE as DONE
from app.shell.session import RETRAIN_SURE as SURE

Result = TypeVar("Result")


def done_message() -> None:
    feedback.done_message(DONE)


def act(work: Callable[[], Result], message: Callable[[Result], str | None]) -> None:
    """As `feedback.carry_out`; what was to be confirmed is settled then."""

    def settle(result: Result) -> str | None:
        forget()
        return message(result)

    feedback.carry_out(DONE, work, settle)


def is_asked(what: str, version: str) -> bool:
    return st.session_state.get(SURE) == (what, version)


def ask(what: str, version: str) -> None:
    st.session_state[SURE] = (what, version)


def forget() -> None:
    st.session_state.pop(SURE, None)
