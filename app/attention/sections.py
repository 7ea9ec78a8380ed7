"""Parts of the attention page: what is chosen on it and what it draws. What they mean: content.py."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.attention import files as attention_files
from app.attention.content import (
    KINDS,
    TAG_SOURCES,
    WAYS,
    Address,
    Look,
    compare_with,
    file_name,
    hint_share,
    read_address,
    source_words,
    split_tags,
    writable,
    write_link,
)
from app.entry import question_choice
from app.entry.frame import Here
from app.entry.question_choice import ChosenQuestion
from app.figures.attention import heatmap_figure, occlusion_figure
from app.figures.heatmap import Heatmap, Measures
from app.history.content import OTHERS, snapshot
from app.serving.model_folder import folder_of
from app.serving.suggester import Suggester
from app.shell import session
from app.shell.session import text
from app.shell.widgets import percent, plain
from db.ledger import labels
from db.models import registry
from db.store.engine import Store

if TYPE_CHECKING:
    from l2a.explain import Explanation, Occlusion

OPENED = "attention-opened"
TAGS_FROM = "attention-tags-from"
TAGS = "attention-tags"
KIND = "attention-kind"
HOW = "attention-how"
LAYER = "attention-layer"
HEAD = "attention-head"
HINTS = "attention-hints"
MODEL = "attention-model"
BESIDE = "attention-beside"
CHECKED = "attention-checked"
# A wide picture scrolls inside its box instead of shrinking to it; a box that is too narrow says so.
SCROLL = """<style>
[class*="st-key-attention-scroll"] {{ overflow-x: auto; display: block; }}
[class*="st-key-attention-scroll"] > [data-testid="stElementContainer"] {{ max-width: none; overflow: visible; }}
[class*="st-key-attention-box"] {{ container-type: inline-size; }}
.l2a-continues {{ display: none; margin: 0; text-align: right; font-size: 0.875rem; }}
@container (max-width: {narrow}px) {{ .l2a-continues {{ display: block; }} }}
</style><p class="l2a-continues">{words} <span aria-hidden="true">→</span></p>"""
MODEL_WIDTH = 240
QUIET = {"displayModeBar": False}
TALLEST = 720  # pixels; a longer list of bars scrolls


@dataclass(frozen=True)
class ChosenModel:
    version: str
    folder: Path | None  # None: the live one


def open_link() -> None:
    """Set everything to what the address says, once for each address that is opened."""
    given = st.query_params.to_dict()
    named = {name: value for name, value in given.items() if name not in (session.PERSON, session.LANGUAGE)}
    if not named or st.session_state.get(OPENED) == named:
        return
    st.session_state[OPENED] = named
    address = read_address(named)
    question_choice.open_with(
        "attention", question=address.question, title=address.title, description=address.description
    )
    if address.tags:
        st.session_state[TAGS_FROM], st.session_state[TAGS] = "typed", "、".join(address.tags)
    look = address.look
    st.session_state.update({KIND: look.kind, HOW: look.how, LAYER: look.layer, HEAD: look.head})
    st.session_state[HINTS] = look.hints
    st.session_state.update({MODEL: address.model, BESIDE: address.beside})


def choose_models(store: Store, live: str) -> list[ChosenModel]:
    """The model, and the one beside it if any."""
    with store.read() as reading:
        paths = {model.version: model.path for model in registry.everything(reading)}
    versions = [live, *(version for version in reversed(paths) if version != live)]
    names = dict.fromkeys(versions) | {"": text("attention.nothing"), live: text("attention.live", version=live)}
    first = _choose(st.selectbox, "attention.version", versions, MODEL, lambda v: names[v] or v, width=MODEL_WIDTH)
    others = ["", *(version for version in versions if version != first)]
    second = _choose(st.selectbox, "attention.beside", others, BESIDE, lambda v: names[v] or v, width=MODEL_WIDTH)
    return [
        ChosenModel(version, None if version == live else folder_of(paths[version]))
        for version in (first, second)
        if version
    ]


def choose_tags(here: Here, question: ChosenQuestion, decode: Callable) -> list[str]:
    """The tags whose writing is looked at; empty after saying why there are none."""
    names = {
        "model": text("attention.model"),
        "decisions": text("attention.decisions"),
        "typed": text("attention.typed"),
    }
    with st.container(horizontal=True):
        source = _choose(
            st.segmented_control, "attention.tags_from", TAG_SOURCES, TAGS_FROM, names.get, width="content"
        )
        if source == "typed":
            st.session_state.setdefault(TAGS, "")
            tags = split_tags(st.text_input(text("attention.tags"), key=TAGS, persist_state="session", max_chars=500))
        else:
            tags, note = _decided(here, question) if source == "decisions" else _suggested(decode)
            with st.container(gap="xsmall"):
                st.caption(note)
                st.text("、".join(tags))
    if source == "typed" and not tags:
        st.info(text("attention.no_tags"))
    return tags


def leave_out_unwritable(suggester: Suggester, question: ChosenQuestion, tags: Sequence[str], model) -> list[str]:
    """The tags this model can write here; names the others."""
    can, cannot = writable(suggester.tagger(model.folder), question.title, question.description, tags)
    if cannot:
        st.warning(plain(text("attention.cannot", version=model.version, tags="、".join(cannot))))
    return can


def choose_look(explanations: Sequence["Explanation"]) -> Look:
    """Which attention, how layers and heads are put together, and whether the retriever's words are shown."""
    kinds = {"cross": text("attention.cross"), "self": text("attention.self")}
    ways = {
        "mean": text("attention.mean"),
        "max": text("attention.max"),
        "rollout": text("attention.rollout"),
        "head": text("attention.head"),
    }
    layers, heads = explanations[0].cross.shape[:2]
    kind = _choose(st.segmented_control, "attention.kind", KINDS, KIND, kinds.get, width="content")
    how = _choose(st.segmented_control, "attention.how", WAYS, HOW, ways.get, width="content")
    look = Look(kind, how)
    if how == "head":
        layer = _choose(st.selectbox, "attention.layer", range(1, layers + 1), LAYER, str, width=80)
        head = _choose(st.selectbox, "attention.head_number", range(1, heads + 1), HEAD, str, width=80)
        look = Look(kind, how, layer, head)
    if any(explanation.hints for explanation in explanations):
        st.session_state.setdefault(HINTS, False)
        with st.container(width="content", gap="xsmall"):
            st.caption(text("attention.hints_label"))
            shown = st.toggle(text("attention.show_hints"), key=HINTS, persist_state="session")
        look = replace(look, hints=shown)
    return look


def draw_heatmap(heatmap: Heatmap, room: Measures, explanation: "Explanation", look: Look, model: ChosenModel) -> None:
    """In a box of its own that scrolls: the cells keep their size."""
    dark = st.context.theme.type == "dark"
    st.markdown(f"**{text('attention.cross_heading' if look.kind == 'cross' else 'attention.self_heading')}**")
    scale = text("attention.brighter" if dark else "attention.darker", top=f"{heatmap.darkest:.3f}")
    st.caption(f"{plain(model.version)} · {text(f'order.{explanation.order}')} · {scale}")
    if explanation.hints and look.kind == "cross":
        key = "attention.hints" if look.hints else "attention.hints_hidden"
        st.caption(text(key, count=explanation.hints, share=percent(hint_share(explanation, look))))
    if len(heatmap.masked):
        st.caption(text("attention.hatched" if look.kind == "self" else "attention.hatched_words"))
    for note in explanation.notes:
        st.caption(say_note(note))
    words = (text("attention.row"), text("attention.column"), text("attention.weight"))
    figure = heatmap_figure(heatmap, room, dark=dark, labels=words)
    wide = int(figure.layout.width)
    with st.container(key=f"attention-box-{model.version}"):
        st.html(SCROLL.format(narrow=wide - 1, words=text("attention.continues", count=len(heatmap.columns))))
        with st.container(key=f"attention-scroll-map-{model.version}"):
            st.plotly_chart(figure, width=wide, config=QUIET, key=f"attention-map-{model.version}")


def number_files(here: Here, heatmap: Heatmap, explanation: "Explanation", question, look: Look, model) -> None:
    """The numbers of a model; each file is made when it is asked for."""
    kinds = {
        "csv": ("text/csv", partial(attention_files.to_csv, heatmap)),
        "npz": ("application/octet-stream", partial(attention_files.to_npz, explanation, heatmap)),
    }
    name = file_name(question.id, look, model.version)
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


def occlusion_bars(occlusion: "Occlusion", explanation: "Explanation", tag: int, look: Look, model) -> None:
    """The fall of the tag without each word, with its attention as dots."""
    compared = compare_with(occlusion, explanation, tag, look)
    correlation = compared.rank_correlation
    shown = text("attention.undefined") if correlation is None else f"{correlation:+.2f}"
    st.caption(text("attention.check_means", score=f"{compared.log_probability:.2f}", correlation=f"**{shown}**"))
    figure = occlusion_figure(
        source_words(explanation, look),
        compared.drops,
        compared.attention,
        (text("attention.fall"), text("attention.looked")),
    )
    with st.container(height=min(TALLEST, int(figure.layout.height) + 36), border=False):
        st.plotly_chart(figure, config=QUIET, key=f"attention-check-{model.version}")


def captions(look: Look) -> None:
    st.caption(text("attention.states"))
    if look.how == "rollout":
        st.caption(text("attention.rollout_means"))


def link_box(address: Address) -> None:
    """The link that repeats the view, to copy."""
    link = write_link(st.context.url or "attention", address, session.language())
    st.caption(text("attention.link"))
    if link is None:
        st.caption(text("attention.no_link"))
    else:
        st.code(link, language=None)


def say_note(note) -> str:
    """What the model did not read of a long question."""
    key = "pick.characters" if note.kind == "characters" else "pick.words"
    return text(key, read=f"{note.read:,}", total=f"{note.total:,}")


def _suggested(decode: Callable) -> tuple[list[str], str]:
    with st.spinner(text("attention.working")):
        result = decode()
    if result.kept:
        return [tag.tag for tag in result.kept], text("attention.tags_kept")
    best = [hypothesis.tags for hypothesis in result.hypotheses if hypothesis.tags][:1]
    return (list(best[0]), text("attention.not_kept")) if best else ([], text("attention.no_model_tags"))


def _decided(here: Here, question: ChosenQuestion) -> tuple[list[str], str]:
    """What was decided, as the history page would show it to this visitor, or else what the question came with."""
    if question.id is None:
        return [], text("attention.only_stored")
    sees_all = here.may(OTHERS)
    with here.store.read() as reading:
        decided = snapshot(reading, question.id, None, {}, here.visitor, sees_all=sees_all)
        prior = labels.look_at(reading, question.id).prior_tags
    if decided.tags:
        return list(decided.tags), text("attention.tags_decided" if sees_all else "attention.tags_own")
    if prior:
        return list(prior), text("attention.prior" if sees_all else "attention.prior_own")
    return [], text("attention.no_decision" if sees_all else "attention.no_own_decision")


def _choose(widget: Callable, label: str, options: Sequence, key: str, name: Callable, **more):
    """A choice that always has a value, also where a link or an older visit named one that is not there."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    if widget.__name__ == "segmented_control":
        more["required"] = True
    return widget(text(label), options, format_func=name, key=key, persist_state="session", **more)
