"""What a visitor's session remembers: every session_state key is named here and nowhere else."""

import streamlit as st

from app.access import consent
from app.annotate.desk import Desk
from app.shell import error_text
from app.shell.i18n import LANGUAGES, choose_language, translate

LANGUAGE = "lang"  # also in the address, so that a reload or a link keeps it
# The switch's own value, apart from the language: a page that is run again before the browser has drawn the switch
# can be told that nothing is chosen there.
LANGUAGE_SWITCH = "lang_switch"
AGREED = "agreed"  # in the address: proof of a click (app.access.consent)
PERSON = "as"  # the name in local mode; also in the address, which can only ask for it
DESK = "desk"
BOARD = "board"
EVIDENCE = "evidence"
NO_EVIDENCE = "no_evidence"  # the version whose evidence cannot be worked out
MATCHES = "matches"
ORDER = "order"
SOURCE = "source"
TAG_FILTER = "tag_filter"
BEAM = "beam"
CUT = "cut"
MORE = "more"  # whether the votes chart is open


def open_language(setting: str) -> None:
    """Set the language of a new session: the address says it, or the setting, or the browser."""
    if LANGUAGE not in st.session_state:
        asked = st.query_params.get(LANGUAGE)
        st.session_state[LANGUAGE] = asked if asked in LANGUAGES else choose_language(setting, st.context.locale)


def take_language() -> None:
    """The language just chosen is the session's from now on, and stands in the address."""
    chosen = st.session_state[LANGUAGE_SWITCH]
    if chosen in LANGUAGES:
        st.session_state[LANGUAGE] = st.query_params[LANGUAGE] = chosen


def language() -> str:
    return st.session_state[LANGUAGE]


def text(key: str, **values: object) -> str:
    """An interface text in the visitor's language; app/main.py opens the session before any page runs."""
    return translate(st.session_state[LANGUAGE], key, **values)


def said(error: object) -> str:
    """What an error or a message says, in the visitor's language."""
    return error_text.said(error, st.session_state[LANGUAGE])


def end_if_unwanted() -> None:
    """Leave a script whose visitor has gone or has asked for something else meanwhile, as drawing anything would.

    Streamlit ends such a script when it touches the session. Not for callbacks: a new run asked for there is lost.
    """
    st.session_state.get(DESK)


def local_name() -> str | None:
    """The name a visitor goes by in local mode, as far as they have said so themselves."""
    return st.session_state.get(PERSON)


def asked_name(own: str) -> str | None:
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
    clear_desk()
    consent.give(st.context.cookies, name)
    st.session_state[PERSON] = name
    st.query_params[PERSON] = name
    st.query_params[AGREED] = consent.proof(st.context.cookies, name)


def stay() -> None:
    """Be nobody else: the address asked in vain."""
    for key in (PERSON, AGREED):
        st.query_params.pop(key, None)


def desk() -> Desk:
    """What lies before this visitor on the annotate page."""
    return st.session_state.setdefault(DESK, Desk())


def clear_desk() -> None:
    """Another person, or another queue: what lies on the desk is not theirs. The lease runs out or is resumed."""
    for key in (DESK, EVIDENCE, NO_EVIDENCE, MATCHES):
        st.session_state.pop(key, None)
