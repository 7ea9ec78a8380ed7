"""Two controls of our own for the page Tags: a table that the server sorts and pages, and a box that completes tags."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


@cache
def _component(name: str) -> ComponentRenderer:
    css, js = ((FOLDER / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return st.components.v2.component(f"l2a_tag_{name}", html=f'<div class="{name}"></div>', css=css, js=js)


def table(data: Mapping[str, object], *, key: str, on_act: Callable[[], None]) -> None:
    """Rows with their actions; `on_act` finds what was pressed in session_state[key].act."""
    _component("table")(key=key, data=data, on_act_change=on_act, height="content")


def box(data: Mapping[str, object], *, key: str, on_text: Callable[[], None]) -> None:
    """A text field that offers tags while somebody types; `on_text` finds the text in session_state[key].text."""
    _component("box")(key=key, data=data, on_text_change=on_text, height="content")
