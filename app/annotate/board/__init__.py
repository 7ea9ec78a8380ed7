"""The board on the annotate page: a component of our own, so that a key answers at once and never decides twice."""

from functools import cache
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent
SCRIPTS = ("dom", "drafts", "precedents", "drawing", "board")  # one script in the browser, in this order
LEGEND = (
    ("1-9 0", "key.digits"),
    ("A", "key.all"),
    ("Enter", "key.submit"),
    ("/", "key.search"),
    ("↑ ↓", "key.arrows"),
    ("␣ X", "key.judge"),
    ("S", "key.skip"),
    ("F", "key.flag"),
    ("U", "key.undo"),
)
REASONS = ("skip.unsure", "skip.field", "skip.unclear", "skip.later")


@cache
def _component():
    html, css = ((FOLDER / f"board.{kind}").read_text(encoding="utf-8") for kind in ("html", "css"))
    js = "\n".join((FOLDER / f"{part}.js").read_text(encoding="utf-8") for part in SCRIPTS)
    return st.components.v2.component("l2a_board", html=html, css=css, js=js)


def mount(data: dict, *, key: str, on_act, on_query, on_look, on_alive):
    """Draw the board. Each callback finds what the browser sent in session_state[key]."""
    return _component()(
        key=key,
        data=data,
        on_act_change=on_act,
        on_query_change=on_query,
        on_look_change=on_look,
        on_alive_change=on_alive,
        height="content",
    )
