"""What every panel of the dashboard has: a title, its chart or table, its numbers to take along."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from app.dashboard.tables import Table
from app.entry.frame import Here
from app.shell.session import text
from db.figures.rate import JUDGED, SHOWN

if TYPE_CHECKING:
    from app.figures.dashboard import go

NAMES, TOTALS = "see who did what", "see the team's totals"

TABLE_HEIGHT = 280


def panel(
    here: Here,
    title: str,
    table: Table,
    draw: Callable[[], object],
    hint: str = "",
    control: Callable[[], object] | None = None,
) -> None:
    """A chart under its title, with its numbers to take along; `control` stands beside the title."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.markdown(f"**{title}**", width="content", help=hint or None)
                if control is not None:
                    control()
            if table.rows:
                st.download_button(
                    "CSV",
                    here.asking(_seen_with(here, table), table.csv),
                    file_name=f"{table.name}.csv",
                    mime="text/csv",
                    key=f"dashboard_csv_{table.name}",
                    icon=":material/download:",
                    type="tertiary",
                    on_click="ignore",
                )
        if not table.rows:
            st.caption(text("dashboard.nothing"))
        else:
            draw()


def of_what(among: str) -> str:
    """The words for what a share is of: they stand beside every one."""
    return {SHOWN: text("dashboard.of_shown"), JUDGED: text("dashboard.of_judged")}[among]


def _seen_with(here: Here, table: Table) -> str:
    """What one must be allowed for these numbers: a file with names in it must not outlive the leave to see them."""
    return NAMES if "person" in table.heads and here.may(NAMES) else TOTALS


def plot(figure: "go.Figure") -> None:
    st.plotly_chart(figure, theme="streamlit", config={"displayModeBar": False})
