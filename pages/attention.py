"""Attention: where the model looks while it writes tags, and whether that mattered. Layout only."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.attention import answers, choices, link, maps, occlusion, paper, tags
from app.attention.address import Address
from app.attention.choices import ChosenModel
from app.attention.weights import View, make_heatmap
from app.entry import frame, question_choice
from app.entry.question_choice import ChosenQuestion
from app.figures.heatmap import make_comparable, measure
from app.shell.session import said, text
from app.shell.widgets import plain
from db.errors import StoreError
from l2a.errors import L2AError

if TYPE_CHECKING:
    from l2a.explain import Explanation

here = frame.enter("attention")


def check(explanation: "Explanation", question: ChosenQuestion, view: View, model: ChosenModel) -> None:
    tag = occlusion.choose_checked_tag(explanation, model)
    summary = "mean" if view.how == "head" else view.how
    found = answers.occlude(here, model, question, explanation.tags, tag, summary)
    occlusion.occlusion_bars(found, explanation, tag, view, model)


def show(
    question: ChosenQuestion, models: Sequence[ChosenModel], wanted: Sequence[str], controls: DeltaGenerator
) -> None:
    """The heatmaps, each with its check: beside it, or below it where two models share the width."""
    alone = len(models) == 1
    columns = st.columns([2, 1] if alone else 2, gap="medium")
    found = []
    for model, column in zip(models, columns, strict=False):
        with column, st.spinner(text("attention.working")):
            try:
                if (explanation := answers.explain(here, model, question, wanted)) is not None:
                    found.append((model, column, explanation))
            except L2AError as error:  # the other model may still have an answer
                st.error(text("error.refused", message=plain(said(error))))
    if not found:
        return
    with controls:
        view = choices.choose_view([explanation for _, _, explanation in found])
    own = [make_heatmap(explanation, view) for _, _, explanation in found]
    heatmaps = make_comparable(own)
    room = measure(*heatmaps)
    for (model, column, explanation), heatmap, numbers in zip(found, heatmaps, own, strict=True):
        with column:
            maps.draw_heatmap(heatmap, room, explanation, view, model)
            maps.number_files(here, numbers, explanation, question, view, model)
        with columns[1] if alone else column:
            check(explanation, question, view, model)
    with columns[0] if alone else st.container():
        shown = [
            paper.Shown(heatmap, explanation, model.version)
            for (model, _, explanation), heatmap in zip(found, heatmaps, strict=True)
        ]
        paper.figure_box(here, shown, question, view)
        maps.captions(view)
        beside = "" if alone else models[1].version
        written = found[0][2].tags
        link.link_box(
            Address(question.id, question.title, question.description, written, view, models[0].version, beside)
        )


try:
    link.open_link()
    question = question_choice.choose("attention", here.store)
    if question is None:
        st.info(text("pick.first"))
        st.stop()
    tags_row, controls = st.container(), st.container(horizontal=True, vertical_alignment="top")
    with controls:
        with st.spinner(text("model.loading")):
            live = here.suggester.live().version
        models = choices.choose_models(here.store, live)
    with tags_row:
        wanted = tags.choose_tags(here, question, partial(answers.decode, here, models[0], question))
    if wanted:
        show(question, models, wanted, controls)
except L2AError as error:
    st.error(text("error.refused", message=plain(said(error))))
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
