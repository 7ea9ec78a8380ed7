"""What became of a change on the page Tags: one line with a way back, until the next thing is done."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from app.entry.frame import Here
from app.shell import feedback
from app.shell.outcome import Outcome, attempted
from app.shell.session import TAGS_OUTCOME as OUTCOME
from app.shell.session import text
from app.tags import changing
from db.messages import Message
from db.tags import refused

REFUSED = "tags.refused"  # a name that shall never be a tag


def attempt(work: Callable[[], Outcome]) -> bool:
    """Do it before anything is drawn, as a button's callback; whether it was done."""
    st.session_state[OUTCOME] = outcome = attempted(work)
    return outcome.done


def changed(number: int, summary: Message) -> Outcome:
    return Outcome("tags.done", {"what": summary, "number": str(number)}, number)


def show(here: Here) -> None:
    """What became of the last change. The way back stands beside it: nobody has to look for a number."""
    outcome: Outcome | None = st.session_state.get(OUTCOME)
    if outcome is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="tags_outcome_line"):
        feedback.show(outcome)
        if (way_back := _way_back(here, outcome)) is not None:
            st.button(text("tags.undo"), key="tags_undo_last", on_click=way_back, width="content")


def _way_back(here: Here, outcome: Outcome) -> Callable[[], None] | None:
    if outcome.number is not None:
        return partial(take_back, here, outcome.number)
    if outcome.key == REFUSED:
        return partial(allow, here, str(outcome.values["name"]))
    return None


def take_back(here: Here, number: int) -> None:
    attempt(lambda: changed(*changing.take_back(here.store, number, here.visitor.id)))


def allow(here: Here, name: str) -> None:
    """A name that was refused may come up again."""

    def work() -> Outcome:
        here.store.run(lambda session: refused.allow(session, name, here.visitor.id))
        return Outcome("tags.allowed", {"name": name})

    attempt(work)
