"""Choosing a question to look at: one of the store, a sample, or a typed text. For pages that decide nothing."""

import html
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

from app.entry import resources
from app.shell import session
from app.shell.session import text
from db.store.engine import Store
from db.transfer.question_search import FoundQuestion, find_questions
from l2a.data.questions import Question, read_questions
from l2a.errors import L2AError

SOURCES = ("store", "sample", "typed")
SHOWN = 50  # questions in the list; more words in the search box find the others
LONGEST_TITLE = 1_000
LONGEST_DESCRIPTION = 20_000
DESCRIPTION_STYLE = "margin-top:-0.25rem;max-height:4.5rem;overflow:auto;white-space:pre-wrap"


@dataclass(frozen=True)
class ChosenQuestion:
    """A text to work on; `id` where it is a question of the store."""

    title: str
    description: str = ""
    id: int | None = None


def choose(page: str, store: Store) -> ChosenQuestion | None:
    """Draw the choice for `page` (its name begins the session keys); None as long as nothing is chosen."""
    names = {"store": text("pick.store"), "sample": text("pick.sample"), "typed": text("pick.typed")}
    with st.container(horizontal=True, vertical_alignment="top"):
        source = st.segmented_control(
            text("pick.from"),
            SOURCES,
            required=True,
            format_func=lambda source: names.get(source, source),
            width="content",
            **_kept(page, "from", "store"),
        )
        if source == "typed":
            return _typed(page)
        chosen = _sample(page) if source == "sample" else _stored(page, store)
    if chosen is not None and chosen.description:
        st.html(f'<div class="l2a-question" style="{DESCRIPTION_STYLE}">{html.escape(chosen.description)}</div>')
    return chosen


def open_with(page: str, *, question: int | None = None, title: str = "", description: str = "") -> None:
    """Set the choice to what a link names; before `choose` draws it."""
    if question is not None:
        st.session_state[session.choice_key(page, "from")] = "store"
        st.session_state[session.choice_key(page, "search")] = str(question)
    elif title:
        st.session_state[session.choice_key(page, "from")] = "typed"
        st.session_state[session.choice_key(page, "title")] = title[:LONGEST_TITLE]
        st.session_state[session.choice_key(page, "description")] = description[:LONGEST_DESCRIPTION]


def _stored(page: str, store: Store) -> ChosenQuestion | None:
    search = st.text_input(
        text("pick.search"), placeholder=text("pick.search_hint"), max_chars=200, width=220, **_kept(page, "search", "")
    )
    with store.read() as reading:
        found = {question.id: question for question in find_questions(reading, search, SHOWN)}
    chosen = st.selectbox(
        text("pick.question"),
        list(found),
        format_func=lambda number: f"{number} · {found[number].title}" if number in found else str(number),
        placeholder=text("pick.none"),
        key=f"{page}-question-{search}",
        persist_state="session",
    )
    question: FoundQuestion | None = found.get(chosen)
    return None if question is None else ChosenQuestion(question.title, question.description, question.id)


def _sample(page: str) -> ChosenQuestion | None:
    samples = _samples(resources.SAMPLES)
    chosen = st.selectbox(
        text("pick.question"),
        range(len(samples)),
        format_func=lambda place: samples[place].title,
        placeholder=text("pick.none"),
        key=f"{page}-sample",
        persist_state="session",
    )
    return None if chosen is None else ChosenQuestion(samples[chosen].title, samples[chosen].description)


def _typed(page: str) -> ChosenQuestion | None:
    title = st.text_input(text("pick.title"), max_chars=LONGEST_TITLE, **_kept(page, "title", ""))
    description = st.text_area(
        text("pick.description"), max_chars=LONGEST_DESCRIPTION, height=68, **_kept(page, "description", "")
    )
    return ChosenQuestion(title, description) if title.strip() else None


def _kept(page: str, name: str, first: object) -> dict:
    """Key and first value of a widget whose value outlives a visit to another page."""
    key = session.choice_key(page, name)
    if st.session_state.get(key) is None:  # also where the browser, asked too early, said so
        st.session_state[key] = first
    return {"key": key, "persist_state": "session"}


@lru_cache(maxsize=1)
def _samples(path: Path) -> tuple[Question, ...]:
    """The questions that come with the program; none where the file is not there."""
    try:
        return tuple(read_questions(path, skip_bad=True))
    except L2AError:
        return ()
