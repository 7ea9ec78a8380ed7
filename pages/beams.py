"""Beams: the N-best list, how it votes, and what another search would give. Layout only."""

import streamlit as st

from app.beams import choices
from app.beams import result as drawn
from app.beams.searches import beam_sizes, search
from app.entry import frame, question_choice
from app.entry.question_choice import ChosenQuestion
from app.entry.unread import what_was_not_read
from app.shell.session import said, text
from app.shell.widgets import plain, votes_figure
from db.errors import StoreError
from l2a.errors import L2AError

VOTES_HEIGHT = 440

here = frame.enter("beams")


def show(question: ChosenQuestion) -> None:
    with st.spinner(text("model.loading")):
        live = here.suggester.live()
    own = live.tagger.settings_with(here.settings.beam)
    columns = st.columns(4, gap="medium")
    beam = choices.choose_beam(own.beam, columns[0])
    votes = choices.choose_votes(own.threshold, beam, columns[1])
    with st.spinner(text("beams.working")):
        base = search(here, question, live.version, None, beam, own.threshold)
        known = [tag.tag for tag in base.suggestions]
        constraints = choices.choose_constraints(here.store, question, known, columns[2:])
        result = base if constraints is None else search(here, question, live.version, constraints, beam, own.threshold)
    for note in result.notes:
        st.caption(what_was_not_read(note))
    drawn.kept_line(result, votes, base)
    threshold = votes / beam
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(f"**{text('beams.list', count=len(result.hypotheses))}**")
        drawn.nbest_table(result)
        st.caption(text("beams.colours", version=plain(live.version)))
        drawn.download(here, result, question, threshold, constraints)
    with right:
        st.markdown(f"**{text('beams.chart')}**")
        with st.container(height=VOTES_HEIGHT, border=False):
            votes_figure(result.suggestions, beam=beam, threshold=threshold)
        st.caption(text("beams.votes_are"))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{text('beams.thresholds')}**")
        drawn.draw_thresholds(result, votes)
    with right:
        beam_sizes(here, question, live.version, constraints, threshold)


try:
    choices.open_link()
    question = question_choice.choose("beams", here.store)
    if question is None:
        st.info(text("pick.first"))
    else:
        show(question)
except L2AError as error:
    st.error(text("error.refused", message=plain(said(error))))
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
