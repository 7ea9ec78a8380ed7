"""The votes of the question on the desk as a chart, worked out again with another beam."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.annotate.desk import Item
from app.figures.votes import Voted
from app.serving.model_queue import Overloaded
from app.serving.suggester import Suggester
from app.shell import session
from app.shell.widgets import plain, votes_figure
from db.models.suggestion_rows import StoredSuggestion
from l2a.errors import L2AError


def votes_again(item: Item, suggester: Suggester) -> None:
    """The votes of a question as a chart, with the beam and the threshold to move; nothing here is stored."""
    stored = item.suggestion
    if stored is None:
        return
    beam_column, cut_column = st.columns(2)
    beam = beam_column.slider(session.text("annotate.beam"), 1, 48, stored.beam, key=f"{session.BEAM}-{stored.id}")
    cut = cut_column.slider(
        session.text("annotate.threshold"),
        0,
        beam,
        min(beam, round(stored.threshold * beam)),
        key=f"{session.CUT}-{stored.id}-{beam}",
    )
    tags: Sequence[Voted] = _voted(stored)
    if beam != stored.beam:
        st.caption(session.text("annotate.search_again"))
        try:  # by the model that made the suggestion, whatever is live by now
            folder = suggester.folder_for(stored.model_version)
            found = suggester.decode(  # a threshold is named: votes alone order the tags
                item.claim.title, item.claim.description, beam=beam, threshold=stored.threshold, folder=folder
            )
        except Overloaded as error:
            st.caption(plain(session.said(error)))
            return
        except L2AError:
            st.caption(session.text("annotate.model_gone", version=stored.model_version))
            return
        tags = found.suggestions
    votes_figure(tags, beam=beam, threshold=cut / beam)


def _voted(suggestion: StoredSuggestion) -> Sequence[Voted]:
    """The tags that hypotheses contain, most votes first."""
    return sorted((tag for tag in suggestion.tags if tag.votes), key=lambda tag: (-tag.votes, -tag.probability))
