"""The check beside a heatmap: how far a tag falls without each word, with its attention."""

from typing import TYPE_CHECKING

import streamlit as st

from app.attention.check import compare_with
from app.attention.choices import ChosenModel
from app.attention.weights import View, source_words
from app.figures.occlusion import occlusion_figure
from app.shell.session import ATTENTION_CHECKED as CHECKED
from app.shell.session import text

if TYPE_CHECKING:
    from l2a.explain import Explanation, Occlusion

TALLEST = 720  # pixels; a longer list of bars scrolls


def choose_checked_tag(explanation: "Explanation", model: ChosenModel) -> int:
    """The place of the tag whose words are taken away one by one."""
    st.markdown(f"**{text('attention.check')}**")
    return st.selectbox(
        text("attention.check_tag"),
        range(len(explanation.tags)),
        format_func=lambda place: explanation.tags[place],
        label_visibility="collapsed",
        key=f"{CHECKED}-{model.version}-{'/'.join(explanation.tags)}",
    )


def occlusion_bars(
    occlusion: "Occlusion", explanation: "Explanation", tag: int, view: View, model: ChosenModel
) -> None:
    """The fall of the tag without each word, with its attention as dots."""
    compared = compare_with(occlusion, explanation, tag, view)
    correlation = compared.rank_correlation
    shown = text("attention.undefined") if correlation is None else f"{correlation:+.2f}"
    st.caption(text("attention.check_means", score=f"{compared.log_probability:.2f}", correlation=f"**{shown}**"))
    figure = occlusion_figure(
        source_words(explanation, view),
        compared.drops,
        compared.attention,
        (text("attention.fall"), text("attention.looked")),
    )
    with st.container(height=min(TALLEST, int(figure.layout.height) + 36), border=False):
        st.plotly_chart(figure, config={"displayModeBar": False}, key=f"attention-check-{model.version}")
