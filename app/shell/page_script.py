"""What the browser does on every page (page_script.js)."""

from functools import cache
from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).with_suffix(".js")
LANGUAGE_CODES = {"zh": "zh-CN", "en": "en"}  # for <html lang>


@cache
def _component():
    return st.components.v2.component("l2a_page", js=SCRIPT.read_text(encoding="utf-8"))


def run(language: str) -> None:
    _component()(key="page_script", data={"language": LANGUAGE_CODES[language]}, height=0)
