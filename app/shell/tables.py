"""Tables that are as long as what they show, up to a height from which they scroll."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

SHORT = 7  # rows that are shown as they are


def table(columns: Mapping[str, Sequence[Any]], *, height: int) -> None:
    """Columns by their names; cells are whatever Streamlit shows. `height`: of a table of more than a few rows."""
    rows = len(next(iter(columns.values())))
    st.dataframe(columns, hide_index=True, height=height if rows > SHORT else "auto")
