"""What a visitor's session remembers: every session_state key is named here and nowhere else."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app.i18n import LANGUAGES, choose_language, translate

if TYPE_CHECKING:
    from l2a.tagger import Suggestions

LANGUAGE = "lang"  # also in the address, so that a reload or a link keeps it
SAMPLE = "sample"
TITLE = "title"
DESCRIPTION = "description"
SUBMIT = "submit"
ANSWER = "answer"


@dataclass(frozen=True)
class Answer:
    """A result, and the title it was made for: the boxes may hold another text by now."""

    title: str
    result: "Suggestions"


def open_language(setting: str) -> None:
    """Set the language of a new session: the address says it, or the setting, or the browser."""
    if LANGUAGE not in st.session_state:
        asked = st.query_params.get(LANGUAGE)
        st.session_state[LANGUAGE] = asked if asked in LANGUAGES else choose_language(setting, st.context.locale)


def keep_language() -> None:
    """Write the language just chosen into the address."""
    st.query_params[LANGUAGE] = st.session_state[LANGUAGE]


def text(key: str, **values: object) -> str:
    """An interface text in the visitor's language; app/main.py opens the session before any page runs."""
    return translate(st.session_state[LANGUAGE], key, **values)


def fill_in_sample() -> None:
    """Copy the picked sample question into the boxes; an older answer does not belong to it and goes."""
    question = st.session_state[SAMPLE]
    if question is not None:
        st.session_state[TITLE] = question.title
        st.session_state[DESCRIPTION] = question.description
        st.session_state.pop(ANSWER, None)
