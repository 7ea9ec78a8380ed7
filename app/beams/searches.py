"""Searches of the beams page: each done once a visit, and one at every beam size when somebody wants to know."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.beams import thresholds
from app.beams.thresholds import BEAMS, BeamRow
from app.entry.frame import Here
from app.entry.question_choice import ChosenQuestion
from app.shell.memory import remember
from app.shell.session import BEAMS_KNOWN as KNOWN
from app.shell.session import BEAMS_TRIED as TRIED
from app.shell.session import text
from app.shell.widgets import percent

if TYPE_CHECKING:
    from l2a.tagger import Constraints, Suggestions


def search(
    here: Here,
    question: ChosenQuestion,
    version: str,
    constraints: "Constraints | None",
    beam: int,
    threshold: float,
) -> "Suggestions":
    """The N-best list, searched once a visit. A threshold is named, whichever: tags are then ordered by votes alone."""
    known = st.session_state.setdefault(KNOWN, {})
    call = partial(
        here.suggester.decode,
        question.title,
        question.description,
        beam=beam,
        threshold=threshold,
        constraints=constraints,
    )
    return remember(known, (version, question.title, question.description, beam, constraints), call)


def beam_sizes(
    here: Here, question: ChosenQuestion, version: str, constraints: "Constraints | None", threshold: float
) -> None:
    """What each beam size gives, when somebody wants to know: the searches take their time."""
    st.markdown(f"**{text('beams.sizes')}**")
    sizes = ", ".join(map(str, BEAMS))
    st.caption(text("beams.try_hint", sizes=sizes, threshold=percent(threshold)))
    asked = (version, question, constraints, threshold)
    if st.button(text("beams.try"), key="beams-try"):
        # Not from memory: the seconds in the table are those of a search.
        decode = partial(
            here.suggester.decode, question.title, question.description, threshold=threshold, constraints=constraints
        )
        st.session_state[TRIED] = asked, _try_beams(lambda beam: decode(beam=beam), threshold)
    if (tried := st.session_state.get(TRIED)) and tried[0] == asked:
        _beams_table(tried[1])


def _try_beams(decode: Callable[[int], "Suggestions"], threshold: float) -> list[BeamRow]:
    """The result at every beam size, with a bar that says how far it is."""
    rows: list[BeamRow] = []
    bar = st.progress(0.0, text("beams.trying", beam=BEAMS[0]))
    for row in thresholds.try_beams(decode, threshold):
        rows.append(row)
        if len(rows) < len(BEAMS):
            bar.progress(sum(BEAMS[: len(rows)]) / sum(BEAMS), text("beams.trying", beam=BEAMS[len(rows)]))
    bar.empty()
    return rows


def _beams_table(rows: Sequence[BeamRow]) -> None:
    st.dataframe(
        [
            {
                text("beams.size"): row.beam,
                text("beams.size_kept"): list(row.kept),
                text("beams.voted"): row.voted,
                text("beams.best"): None if row.best is None else round(row.best, 2),
                text("beams.seconds"): round(row.seconds, 2),
            }
            for row in rows
        ],
        hide_index=True,
    )
