"""Suggest: a question in, the kept tags out, and below them how the hypotheses voted. Layout only."""

import streamlit as st

from app import figures, resources, session, widgets
from app.session import Answer, text
from app.settings import Settings
from app.widgets import plain
from l2a.errors import L2AError
from l2a.text import join_question


def ask() -> bool:
    """Draw the boxes; True when the question was handed in."""
    samples = resources.load_samples()
    if samples:
        st.selectbox(
            text("suggest.sample"),
            samples,
            index=None,
            format_func=lambda question: question.title,
            placeholder=text("suggest.sample_hint"),
            key=session.SAMPLE,
            on_change=session.fill_in_sample,
            label_visibility="collapsed",
        )
    with st.form("question"):
        st.text_input(text("suggest.title"), key=session.TITLE, placeholder=text("suggest.title_hint"))
        st.text_area(
            text("suggest.description"),
            key=session.DESCRIPTION,
            placeholder=text("suggest.description_hint"),
            height=120,
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            submitted = st.form_submit_button(text("suggest.button"), type="primary", key=session.SUBMIT)
            st.caption(text("suggest.shortcut"), width="content")
    return submitted


def answer(suggester, beam: int | None) -> None:
    """Compute the suggestions for what is in the boxes and remember them; a complaint is shown instead."""
    title, description = st.session_state[session.TITLE], st.session_state[session.DESCRIPTION]
    st.session_state.pop(session.ANSWER, None)
    if not title.strip():
        st.error(text("error.no_title"))
    elif not join_question(title, description)[0]:
        st.error(text("error.no_words"))
    else:
        try:
            with st.spinner(text("suggest.working")):
                result = suggester.suggest(title, description, beam=beam)
        except L2AError as error:
            st.error(text("error.refused", message=plain(str(error))))
        else:
            st.session_state[session.ANSWER] = Answer(title, result)


def show(title: str, result) -> None:
    """The kept tags, then what the vote looked like."""
    threshold = widgets.percent(result.threshold)
    st.subheader(text("result.heading"), anchor=False)
    widgets.quoted_title(title)
    for note in result.notes:
        st.info(text(f"note.{note.kind}", read=note.read, total=note.total))
    if result.kept:
        widgets.suggestion_list(result.kept, beam=result.beam, threshold=result.threshold)
    elif result.suggestions:
        st.info(text("result.none", threshold=threshold))
    else:
        st.info(text("result.none_at_all"))
    st.caption(text("result.settings", beam=result.beam, threshold=threshold, version=result.model_version))
    if result.suggestions:
        with st.expander(text("votes.heading", count=len(result.suggestions))):
            labels = figures.VoteLabels(
                votes=text("votes.axis"),
                kept=text("votes.kept"),
                dropped=text("votes.dropped"),
                threshold=text("votes.threshold", threshold=threshold),
                new=text("result.new"),
            )
            figure = figures.votes_chart(
                result.suggestions,
                kept=len(result.kept),
                beam=result.beam,
                threshold=result.threshold,
                labels=labels,
            )
            st.plotly_chart(figure, config={"displayModeBar": False})
    if result.hypotheses:
        with st.expander(text("nbest.heading", count=len(result.hypotheses))):
            widgets.hypothesis_table(result.hypotheses)


def open_model(settings: Settings):
    """The shared suggester, or None after saying on the page what is wrong with the model folder."""
    if not settings.model.is_dir():
        st.error(text("error.no_model", path=settings.shown_model))
        return None
    try:
        with st.spinner(text("suggest.loading")):
            return resources.load_suggester(settings.model)
    except L2AError as error:
        st.error(text("error.model", message=plain(str(error))))
        return None


settings = Settings.from_environment()
st.markdown(text("suggest.intro"))
submitted = ask()
suggester = open_model(settings)  # after the boxes: one can write while the model loads
if submitted and suggester is not None:
    answer(suggester, settings.beam)
if session.ANSWER in st.session_state:
    show(st.session_state[session.ANSWER].title, st.session_state[session.ANSWER].result)
