"""The name a visitor goes by in local mode: they say it, and the address they came by can only ask for it."""

import streamlit as st

from app.access import consent
from app.shell import session
from app.shell.session import AGREED, PERSON


def chosen() -> str | None:
    """The name, as far as they have said so themselves."""
    return st.session_state.get(PERSON)


def asked_for(own: str) -> str | None:
    """The name that the address asks for, if it is not the visitor's already. `own`: who they are without one.

    A page elsewhere can send a browser to any address: it takes a click to become somebody. A browser in which that was
    clicked is not asked again.
    """
    asked = (st.query_params.get(PERSON) or "").strip()
    if not asked or asked == st.session_state.get(PERSON, own):
        return None
    if consent.was_given(st.context.cookies, asked, st.query_params.get(AGREED)):
        become(asked)
        return None
    return asked


def become(name: str) -> None:
    """Be somebody else from now on, by a click; what lies on the desk is not theirs."""
    session.clear_desk()
    consent.give(st.context.cookies, name)
    st.session_state[PERSON] = name
    st.query_params[PERSON] = name
    st.query_params[AGREED] = consent.proof(st.context.cookies, name)


def stay() -> None:
    """Be nobody else: the address asked in vain."""
    for key in (PERSON, AGREED):
        st.query_params.pop(key, None)
