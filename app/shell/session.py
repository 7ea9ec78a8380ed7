"""What a visitor's session remembers: every session_state key is named here and nowhere else."""

from datetime import tzinfo

import streamlit as st

from app.shell import clock, error_text
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


def zone() -> tzinfo:
    """The visitor's time zone, as their browser says it."""
    return clock.zone_of(st.context.timezone, st.context.timezone_offset)


def end_if_unwanted() -> None:
    """Leave a script whose visitor has gone or has asked for something else meanwhile, as drawing anything would.

    Streamlit ends such a script when it touches the session. Not for callbacks: a new run asked for there is lost.
    """
    st.session_state.get(DESK)


def clear_desk() -> None:
    """Another person, or another queue: what lies on the desk is not theirs. The lease runs out or is resumed."""
    for key in (DESK, EVIDENCE, NO_EVIDENCE, MATCHES):
        st.session_state.pop(key, None)
