"""The heatmaps of the attention page, what is said about them, and their numbers to take along."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.attention import files as attention_files
from app.attention.address import file_name
from app.attention.choices import ChosenModel
from app.attention.weights import View, hint_share
from app.entry.frame import Here
from app.entry.question_choice import ChosenQuestion
from app.entry.unread import what_was_not_read
from app.figures.heatmap import Heatmap, Measures
from app.figures.heatmap_screen import heatmap_figure
from app.shell.session import text
from app.shell.widgets import percent, plain

if TYPE_CHECKING:
    from l2a.explain import Explanation

# A wide picture scrolls inside its box instead of shrinking to it; a box that is too narrow says so.
SCROLL = """<style>
[class*="st-key-attention-scroll"] {{ overflow-x: auto; display: block; }}
[class*="st-key-attention-scroll"] > [data-testid="stElementContainer"] {{ max-width: none; overflow: visible; }}
[class*="st-key-attention-box"] {{ container-type: inline-size; }}
.l2a-continues {{ display: none; margin: 0; text-align: right; font-size: 0.875rem; }}
@container (max-width: {narrow}px) {{ .l2a-continues {{ display: block; }} }}
</style><p class="l2a-continues">{words} <span aria-hidden="true">→</span></p>"""

QUIET = {"displayModeBar": False}


def draw_heatmap(heatmap: Heatmap, room: Measures, explanation: "Explanation", view: View, model: ChosenModel) -> None:
    """In a box of its own that scrolls: the cells keep their size."""
    dark = st.context.theme.type == "dark"
    st.markdown(f"**{text('attention.cross_heading' if view.kind == 'cross' else 'attention.self_heading')}**")
    scale = text("attention.brighter" if dark else "attention.darker", top=f"{heatmap.darkest:.3f}")
    st.caption(f"{plain(model.version)} · {text(f'order.{explanation.order}')} · {scale}")
    if explanation.hints and view.kind == "cross":
        key = "attention.hints" if view.hints else "attention.hints_hidden"
        st.caption(text(key, count=explanation.hints, share=percent(hint_share(explanation, view))))
    if len(heatmap.masked):
        st.caption(text("attention.hatched" if view.kind == "self" else "attention.hatched_words"))
    for note in explanation.notes:
        st.caption(what_was_not_read(note))
    words = (text("attention.row"), text("attention.column"), text("attention.weight"))
    figure = heatmap_figure(heatmap, room, dark=dark, labels=words)
    wide = int(figure.layout.width)
    with st.container(key=f"attention-box-{model.version}"):
        st.html(SCROLL.format(narrow=wide - 1, words=text("attention.continues", count=len(heatmap.columns))))
        with st.container(key=f"attention-scroll-map-{model.version}"):
            st.plotly_chart(figure, width=wide, config=QUIET, key=f"attention-map-{model.version}")


def number_files(
    here: Here, heatmap: Heatmap, explanation: "Explanation", question: ChosenQuestion, view: View, model: ChosenModel
) -> None:
    """The numbers of a model; each file is made when it is asked for."""
    kinds = {
        "csv": ("text/csv", partial(attention_files.to_csv, heatmap)),
        "npz": ("application/octet-stream", partial(attention_files.to_npz, explanation, heatmap)),
    }
    name = file_name(question.id, view, model.version)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(text("attention.numbers"), width="content")
        for suffix, (mime, make) in kinds.items():
            st.download_button(
                suffix.upper(),
                here.asking("look into the model", make),
                file_name=f"{name}.{suffix}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=f"attention-{suffix}-{model.version}",
            )


def captions(view: View) -> None:
    st.caption(text("attention.states"))
    if view.how == "rollout":
        st.caption(text("attention.rollout_means"))
