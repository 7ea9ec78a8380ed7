"""A bar for work that takes its time."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from app.export.contents import Progress
from app.shell.session import text

Result = TypeVar("Result")


def with_bar(label: str, work: Callable[[Progress], Result]) -> Result:
    """`work(progress)` under a bar. A click elsewhere breaks it off at the next step."""
    bar = st.progress(0.0, text(label, done=0, total="…"))

    def show(done: int, total: int) -> None:
        bar.progress(min(1.0, done / max(1, total)), text(label, done=f"{done:,}", total=f"{total:,}"))

    try:
        return work(show)
    finally:
        bar.empty()
