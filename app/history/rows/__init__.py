"""A list of rows of which one is chosen, by mouse or by keyboard: a component of our own, because Streamlit's table is
painted, chooses a row by Shift+Space only, and takes as much room for six rows as this one for ten."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


@cache
def _component() -> ComponentRenderer:
    html, css, js = ((FOLDER / f"rows.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("l2a_rows", html=html, css=css, js=js)


def mount(data: Mapping[str, object], *, key: str, on_choose: Callable[[], None]) -> None:
    """Draw the rows; the callback finds the id of the chosen one in session_state[key].chosen.

    data: `label` for those who cannot see, `columns` as (name, kind) and `rows` as {id, dim, cells}; a cell is a text,
    or a list of chips as {text, kind}. `selected` is the id of the row that is open.
    """
    _component()(key=key, data=data, on_chosen_change=on_choose, height="content")
