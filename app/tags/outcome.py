"""What became of a change on the page Tags: one line with a way back, until the next thing is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from app.entry.frame import Here
from app.shell.session import said, text
from app.shell.widgets import plain
from app.tags import changing
from db.errors import StoreError

OUTCOME = "tags_outcome"


@dataclass(frozen=True)
class Outcome:
    """`key` and `values` are a text of the page; `number` is the entry that can be taken back."""

    key: str
    values: Mapping[str, object]
    number: int | None = None
    done: bool = True


def attempt(work: Callable[[], Outcome]) -> bool:
    """Do it before anything is drawn, as a button's callback; whether it was done."""
    try:
        outcome = work()
    except StoreError as error:
        outcome = Outcome("error.refused", {"message": error.message}, done=False)
    st.session_state[OUTCOME] = outcome
    return outcome.done


def changed(number: int, summary: str) -> Outcome:
    return Outcome("tags.done", {"what": summary, "number": str(number)}, number)


def show(here: Here) -> None:
    """What became of the last change. The way back stands beside it: nobody has to look for a number."""
    outcome: Outcome | None = st.session_state.get(OUTCOME)
    if outcome is None:
        return
    words = text(outcome.key, **{name: plain(said(value)) for name, value in outcome.values.items()})
    with st.container(horizontal=True, vertical_alignment="center", key="tags_outcome_line"):
        (st.success if outcome.done else st.error)(words)
        if outcome.number is not None:
            st.button(
                text("tags.undo"),
                key="tags_undo_last",
                on_click=take_back,
                args=(here, outcome.number),
                width="content",
            )


def take_back(here: Here, number: int) -> None:
    attempt(lambda: changed(*changing.take_back(here.store, number, here.visitor.id)))
