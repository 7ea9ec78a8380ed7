"""Parts of pages that are more than one Streamlit call."""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.figures.votes import LOOKS, VoteLabels, votes_chart
from app.serving.model_queue import Overloaded
from app.shell import session
from app.shell.i18n import LANGUAGES
from l2a.errors import L2AError
from l2a.search.voting import is_kept

if TYPE_CHECKING:
    from app.annotate.desk import Item
    from app.serving.suggester import Suggester


def language_switch() -> None:
    """The languages side by side; the choice goes into the address too."""
    st.segmented_control(
        session.text("app.language"),
        list(LANGUAGES),
        default=session.language(),
        required=True,
        format_func=LANGUAGES.get,
        key=session.LANGUAGE_SWITCH,
        on_change=session.take_language,
        label_visibility="collapsed",
        width="content",
    )


def votes_again(item: "Item", suggester: "Suggester") -> None:
    """The votes of a question as a chart, with the beam and the threshold to move; nothing here is stored."""
    beam_column, cut_column = st.columns(2)
    stored = item.suggestion
    beam = beam_column.slider(session.text("annotate.beam"), 1, 48, stored.beam, key=f"{session.BEAM}-{stored.id}")
    cut = cut_column.slider(
        session.text("annotate.threshold"),
        0,
        beam,
        min(beam, round(stored.threshold * beam)),
        key=f"{session.CUT}-{stored.id}-{beam}",
    )
    tags = stored.tags
    if beam != stored.beam:
        st.caption(session.text("annotate.search_again"))
        try:  # by the model that made the suggestion, whatever is live by now
            folder = suggester.folder_for(stored.model_version)
            tags = suggester.decode(item.claim.title, item.claim.description, beam=beam, folder=folder).suggestions
        except Overloaded as error:
            st.caption(plain(session.said(error)))
            return
        except L2AError:
            st.caption(session.text("annotate.model_gone", version=stored.model_version))
            return
    votes_figure(tags, beam=beam, threshold=cut / beam)


def votes_figure(tags: Sequence, *, beam: int, threshold: float) -> None:
    """Tags against votes, by who gave them, with the threshold as a line."""
    labels = VoteLabels(
        votes=session.text("votes.axis"),
        threshold=session.text("votes.threshold", threshold=percent(threshold)),
        new=session.text("result.new"),
        voters={voter: session.text(f"votes.{voter}") for voter in LOOKS},
        fewer=partial(session.text, "votes.fewer"),
    )
    kept = sum(is_kept(tag.votes, beam, threshold) for tag in tags)
    figure = votes_chart(tags, kept=kept, beam=beam, threshold=threshold, labels=labels)
    st.plotly_chart(figure, config={"displayModeBar": False})


def plain(message: str) -> str:
    """A text to be shown as it is where Streamlit would read it as Markdown."""
    return re.sub(r"([\\`*_\[\]<>$~#|])", r"\\\1", message)


def percent(share: float) -> str:
    """A share of 1 as a percentage: 0.25 -> 25%, and one digit more under 10% so that small ones differ."""
    return f"{share:.0%}" if share >= 0.0995 or share == 0 else f"{share:.1%}"
