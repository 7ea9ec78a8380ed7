"""Beams: the N-best list, how it votes, and what another search would give. Layout only."""

from functools import partial

import streamlit as st

from app.attention.content import remember
from app.attention.sections import say_note
from app.beams import content as beam_view
from app.beams import sections as parts
from app.entry import frame, question_choice
from app.shell.session import said, text
from app.shell.widgets import percent, plain, votes_figure
from db.errors import StoreError
from l2a.errors import L2AError

KNOWN = "beams-known"  # results of this visit: moving the threshold does not search again
TRIED = "beams-tried"
VOTES_HEIGHT = 440

here = frame.enter("beams")
known = st.session_state.setdefault(KNOWN, {})


def search(question, version, constraints, beam):
    """The N-best list, searched once a visit."""
    call = partial(here.suggester.decode, question.title, question.description, beam=beam, constraints=constraints)
    return remember(known, (version, question.title, question.description, beam, constraints), call)


def beam_sizes(question, version, constraints, threshold) -> None:
    """What each beam size gives, when somebody wants to know: the searches take their time."""
    st.markdown(f"**{text('beams.sizes')}**")
    sizes = ", ".join(map(str, beam_view.BEAMS))
    st.caption(text("beams.try_hint", sizes=sizes, threshold=percent(threshold)))
    asked = (version, question, constraints, threshold)
    if st.button(text("beams.try"), key="beams-try"):
        # Not from memory: the seconds in the table are those of a search.
        decode = partial(here.suggester.decode, question.title, question.description, constraints=constraints)
        st.session_state[TRIED] = asked, parts.try_beams(lambda beam: decode(beam=beam), threshold)
    if (tried := st.session_state.get(TRIED)) and tried[0] == asked:
        parts.beams_table(tried[1])


def show(question) -> None:
    with st.spinner(text("model.loading")):
        live = here.suggester.live()
    own = live.tagger.settings_with(here.settings.beam)
    columns = st.columns(4, gap="medium")
    beam = parts.choose_beam(own.beam, columns[0])
    votes = parts.choose_votes(own.threshold, beam, columns[1])
    with st.spinner(text("beams.working")):
        base = search(question, live.version, None, beam)
        constraints = parts.choose_constraints(here.store, question, [tag.tag for tag in base.suggestions], columns[2:])
        result = base if constraints is None else search(question, live.version, constraints, beam)
    for note in result.notes:
        st.caption(say_note(note))
    parts.kept_line(result, votes, base)
    threshold = votes / beam
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(f"**{text('beams.list', count=len(result.hypotheses))}**")
        parts.nbest_table(result)
        st.caption(text("beams.colours", version=plain(live.version)))
        st.download_button(
            text("beams.export"),
            here.asking(
                "look into the model",
                partial(
                    beam_view.to_jsonl,
                    result,
                    question_id=question.id,
                    title=question.title,
                    description=question.description,
                    threshold=threshold,
                    constraints=constraints,
                ),
            ),
            file_name=f"nbest-{question.id or 'typed'}-{beam}.jsonl",
            mime="application/jsonl",
            on_click="ignore",
            icon=":material/download:",
            key="beams-export",
        )
    with right:
        st.markdown(f"**{text('beams.chart')}**")
        with st.container(height=VOTES_HEIGHT, border=False):
            votes_figure(result.suggestions, beam=beam, threshold=threshold)
        st.caption(text("beams.voters"))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{text('beams.thresholds')}**")
        parts.thresholds(result, votes)
    with right:
        beam_sizes(question, live.version, constraints, threshold)


try:
    parts.open_link()
    question = question_choice.choose("beams", here.store)
    if question is None:
        st.info(text("pick.first"))
    else:
        show(question)
except L2AError as error:
    st.error(text("error.refused", message=plain(said(error))))
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
