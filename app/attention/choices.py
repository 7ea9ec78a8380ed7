"""What is chosen on the attention page: models and how the weights are looked at."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from app.attention.weights import KINDS, WAYS, View
from app.serving.model_folder import folder_of
from app.shell.options import called
from app.shell.session import ATTENTION_BESIDE as BESIDE
from app.shell.session import ATTENTION_HEAD as HEAD
from app.shell.session import ATTENTION_HINTS as HINTS
from app.shell.session import ATTENTION_HOW as HOW
from app.shell.session import ATTENTION_KIND as KIND
from app.shell.session import ATTENTION_LAYER as LAYER
from app.shell.session import ATTENTION_MODEL as MODEL
from app.shell.session import text
from db.models import registry
from db.store.engine import Store

if TYPE_CHECKING:
    from l2a.explain import Explanation

MODEL_WIDTH = 240

Option = TypeVar("Option")


@dataclass(frozen=True)
class ChosenModel:
    version: str
    folder: Path | None  # None: the live one


def choose_models(store: Store, live: str) -> list[ChosenModel]:
    """The model, and the one beside it if any."""
    with store.read() as reading:
        paths = {model.version: model.path for model in registry.everything(reading)}
    versions = [live, *(version for version in reversed(paths) if version != live)]
    names = {"": text("attention.nothing"), live: text("attention.live", version=live)}
    first = choose_listed("attention.version", versions, MODEL, called(names), width=MODEL_WIDTH)
    others = ["", *(version for version in versions if version != first)]
    second = choose_listed("attention.beside", others, BESIDE, called(names), width=MODEL_WIDTH)
    return [
        ChosenModel(version, None if version == live else folder_of(paths[version]))
        for version in (first, second)
        if version
    ]


def choose_view(explanations: Sequence["Explanation"]) -> View:
    """Which attention, how layers and heads are put together, and whether the retriever's words are shown."""
    kinds = {kind: text(f"attention.{kind}") for kind in KINDS}
    ways = {way: text(f"attention.{way}") for way in WAYS}
    layers, heads = explanations[0].cross.shape[:2]
    kind = choose_side_by_side("attention.kind", kinds, KIND)
    how = choose_side_by_side("attention.how", ways, HOW)
    view = View(kind, how)
    if how == "head":
        layer = choose_listed("attention.layer", range(1, layers + 1), LAYER, str, width=80)
        head = choose_listed("attention.head_number", range(1, heads + 1), HEAD, str, width=80)
        view = View(kind, how, layer, head)
    if any(explanation.hints for explanation in explanations):
        st.session_state.setdefault(HINTS, False)
        with st.container(width="content", gap="xsmall"):
            st.caption(text("attention.hints_label"))
            shown = st.toggle(text("attention.show_hints"), key=HINTS, persist_state="session")
        view = replace(view, hints=shown)
    return view


def choose_listed(
    label: str, options: Sequence[Option], key: str, name: Callable[[Option], str], *, width: int
) -> Option:
    """From a list that opens."""
    _have_a_value(key, options)
    return st.selectbox(text(label), options, format_func=name, key=key, persist_state="session", width=width)


def choose_side_by_side(label: str, names: Mapping[str, str], key: str) -> str:
    """From options that are all in sight."""
    options = list(names)
    _have_a_value(key, options)
    chosen = st.segmented_control(
        text(label),
        options,
        format_func=called(names),
        key=key,
        persist_state="session",
        required=True,
        width="content",
    )
    return chosen or options[0]


def _have_a_value(key: str, options: Sequence[object]) -> None:
    """Always, also where a link or an older visit named one that is not there."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
