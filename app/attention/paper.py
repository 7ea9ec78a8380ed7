"""The part of the attention page that makes a figure for a paper: in the language of the paper, with its caption."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.attention.address import file_name
from app.attention.choices import choose_side_by_side
from app.attention.weights import View, hint_share, one_head_of
from app.entry.frame import Here
from app.entry.question_choice import ChosenQuestion
from app.figures import heatmap_files
from app.figures.heatmap import Heatmap
from app.figures.heatmap_files import Panel, Titles
from app.shell import session
from app.shell.i18n import LANGUAGES, translate
from app.shell.session import ATTENTION_PAPER_LANGUAGE as PAPER_LANGUAGE
from app.shell.session import ATTENTION_PAPER_PREVIEW as PREVIEW
from app.shell.session import text
from app.shell.widgets import percent

if TYPE_CHECKING:
    from l2a.explain import Explanation


@dataclass(frozen=True)
class Shown:
    """What a model's heatmap shows, comparable with the one beside it if there is one."""

    heatmap: Heatmap
    explanation: "Explanation"
    version: str


def figure_box(here: Here, shown: Sequence[Shown], question: ChosenQuestion, view: View) -> None:
    """The figure's files, what it looks like, and its caption to copy."""
    st.markdown(f"**{text('paper.heading')}**")
    st.session_state.setdefault(PAPER_LANGUAGE, session.language())
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        language = choose_side_by_side("paper.language", LANGUAGES, PAPER_LANGUAGE)
        words = caption(shown, question, view, language)
        panels, titles = paper_panels(shown, language), paper_titles(view, language)
        name = file_name(question.id, view, "-".join(one.version for one in shown))
        for kind, mime in heatmap_files.KINDS.items():
            st.download_button(
                kind.upper(),
                here.asking("look into the model", partial(heatmap_files.write, panels, titles, words, kind)),
                file_name=f"{name}.{kind}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                disabled=not heatmap_files.can_draw(kind),
                key=f"attention-{kind}",
            )
        preview = st.toggle(text("paper.preview"), key=PREVIEW, persist_state="session")
    if not heatmap_files.can_draw("png"):
        st.warning(text("paper.font"))
    if preview:
        kind = "png" if heatmap_files.can_draw("png") else "svg"
        picture = heatmap_files.write(panels, titles, words, kind)
        if kind == "png":
            st.image(picture, width=heatmap_files.width_on_screen(picture))
        else:
            st.image(picture.decode())
    st.caption(text("paper.caption"))
    st.code(words, language=None, wrap_lines=True)


def paper_panels(shown: Sequence[Shown], language: str) -> list[Panel]:
    return [
        Panel(
            one.heatmap,
            translate(
                language,
                "paper.panel",
                version=one.version,
                order=translate(language, f"order.{one.explanation.order}"),
            ),
        )
        for one in shown
    ]


def paper_titles(view: View, language: str) -> Titles:
    return Titles(
        rows=translate(language, "paper.rows"),
        columns=translate(language, f"paper.columns_{view.kind}"),
        weight=translate(language, "paper.weight"),
    )


def caption(shown: Sequence[Shown], question: ChosenQuestion, view: View, language: str) -> str:
    """Question, tags, model, layer and head in the language of the paper, and all that the colours do not say."""
    say = partial(translate, language)
    between = say("paper.between")
    tags = between.join(shown[0].explanation.tags)
    number = "" if question.id is None else say("paper.number", number=question.id)
    parts = [say(f"paper.about_{view.kind}", title=question.title, number=number, tags=tags)]
    if question.description.strip() and view.kind == "cross":
        parts.append(say("paper.description"))
    parts.append(_models(shown, view, language))
    if view.how != "head":
        parts.append(say(f"paper.how_{view.how}"))
    parts.append(say("paper.scale", top=f"{shown[0].heatmap.darkest:.3f}"))
    if any(len(one.heatmap.masked) for one in shown):
        parts.append(say("paper.hatched" if view.kind == "self" else "paper.hatched_words"))
    hints = [percent(hint_share(one.explanation, view)) for one in shown if one.explanation.hints]
    if hints and view.kind == "cross":
        key = "paper.hints" if view.hints else "paper.hints_hidden"
        parts.append(say(key, share=between.join(hints)))
    return ("" if language == "zh" else " ").join(parts)


def _models(shown: Sequence[Shown], view: View, language: str) -> str:
    """Each model with its layers and heads, the one that is looked at if it is one, and its own tags if they differ."""
    say = partial(translate, language)
    told = []
    for place, one in enumerate(shown):
        explanation = one.explanation
        layers, heads = explanation.cross.shape[:2]
        if view.how == "head":
            layer, head = one_head_of(explanation, view)
            where = say("paper.one_head", layer=layer, head=head)
        else:
            where = say("paper.layers", layers=layers, heads=heads)
        order = say(f"order.{explanation.order}")
        model = say("paper.model", version=one.version, order=order, where=where)
        if explanation.tags != shown[0].explanation.tags:
            model += say("paper.own_tags", tags=say("paper.between").join(explanation.tags))
        told.append(say("paper.above" if place == 0 else "paper.below", model=model) if len(shown) > 1 else model)
    models = say("paper.models", models=say("paper.and").join(told))
    return models[:1].upper() + models[1:]
