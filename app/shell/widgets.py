"""Parts of pages that are more than one Streamlit call."""

import re
from collections.abc import Sequence

import streamlit as st

from app.figures.votes import Voted, VoteLabels, votes_chart
from app.shell import session
from app.shell.i18n import LANGUAGES
from l2a.search.voting import is_kept


def language_switch() -> None:
    """The languages side by side; the choice goes into the address too."""
    st.segmented_control(
        session.text("app.language"),
        list(LANGUAGES),
        default=session.language(),
        required=True,
        format_func=lambda code: LANGUAGES.get(code, code),
        key=session.LANGUAGE_SWITCH,
        on_change=session.take_language,
        label_visibility="collapsed",
        width="content",
    )


def votes_figure(tags: Sequence[Voted], *, beam: int, threshold: float) -> None:
    """Tags against votes, best first, with the threshold as a line."""
    labels = VoteLabels(
        votes=session.text("votes.axis"),
        threshold=session.text("votes.threshold", threshold=percent(threshold)),
        new=session.text("result.new"),
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
