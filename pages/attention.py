"""Attention: where the model looks while it writes tags, and whether that mattered. Layout only."""

from dataclasses import replace
from functools import partial

import streamlit as st

from app.annotate.hint_words import shown_words
from app.attention import paper as attention_paper
from app.attention import sections as parts
from app.attention.content import Address, make_heatmap, remember
from app.entry import frame, question_choice
from app.figures.heatmap import make_comparable, measure
from app.shell.session import said, text
from app.shell.widgets import plain
from db.errors import StoreError
from l2a.errors import L2AError

KNOWN = "attention-known"  # results of this visit: moving a control does not ask the model again

here = frame.enter("attention")
known = st.session_state.setdefault(KNOWN, {})


def ask(name, model, question, *rest):
    """What the model says (`explain`, `occlude` or `decode`), asked once a visit."""
    call = partial(getattr(here.suggester, name), question.title, question.description, *rest, folder=model.folder)
    return remember(known, (name, model.version, question.title, question.description, *rest), call)


def explain(question, tags, model):
    """This model's attention for the tags it can write; None, and a word about it, if there are none."""
    written = parts.leave_out_unwritable(here.suggester, question, tags, model)
    if not written:
        return None
    found = ask("explain", model, question, tuple(written))
    return replace(found, source_words=shown_words(found.source_words))


def check(explanation, question, look, model) -> None:
    tag = parts.choose_checked_tag(explanation, model)
    summary = "mean" if look.how == "head" else look.how
    occlusion = ask("occlude", model, question, explanation.tags, tag, summary)
    parts.occlusion_bars(occlusion, explanation, tag, look, model)


def show(question, models, tags, controls) -> None:
    """The heatmaps, each with its check: beside it, or below it where two models share the width."""
    alone = len(models) == 1
    columns = st.columns([2, 1] if alone else 2, gap="medium")
    found = []
    for model, column in zip(models, columns, strict=False):
        with column, st.spinner(text("attention.working")):
            try:
                if (explanation := explain(question, tags, model)) is not None:
                    found.append((model, column, explanation))
            except L2AError as error:  # the other model may still have an answer
                st.error(text("error.refused", message=plain(said(error))))
    if not found:
        return
    with controls:
        look = parts.choose_look([explanation for _, _, explanation in found])
    own = [make_heatmap(explanation, look) for _, _, explanation in found]
    heatmaps = make_comparable(own)
    room = measure(*heatmaps)
    for (model, column, explanation), heatmap, numbers in zip(found, heatmaps, own, strict=True):
        with column:
            parts.draw_heatmap(heatmap, room, explanation, look, model)
            parts.number_files(here, numbers, explanation, question, look, model)
        with columns[1] if alone else column:
            check(explanation, question, look, model)
    beside = "" if alone else models[1].version
    with columns[0] if alone else st.container():
        attention_paper.figure_box(
            here,
            [
                attention_paper.Shown(heatmap, explanation, model.version)
                for (model, _, explanation), heatmap in zip(found, heatmaps, strict=True)
            ],
            question,
            look,
        )
        parts.captions(look)
        parts.link_box(
            Address(
                question.id, question.title, question.description, found[0][2].tags, look, models[0].version, beside
            )
        )


try:
    parts.open_link()
    question = question_choice.choose("attention", here.store)
    if question is None:
        st.info(text("pick.first"))
        st.stop()
    tags_row, controls = st.container(), st.container(horizontal=True, vertical_alignment="top")
    with controls:
        with st.spinner(text("model.loading")):
            live = here.suggester.live().version
        models = parts.choose_models(here.store, live)
    with tags_row:
        tags = parts.choose_tags(here, question, partial(ask, "decode", models[0], question))
    if tags:
        show(question, models, tags, controls)
except L2AError as error:
    st.error(text("error.refused", message=plain(said(error))))
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
