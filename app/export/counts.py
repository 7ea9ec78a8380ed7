"""How many questions and labels an export would hold: at once for a small store, when asked for in a large one."""

import streamlit as st

from app.entry.frame import Here
from app.entry.labels_seen import STATES
from app.export import contents, files
from app.export.bar import with_bar
from app.shell.memory import kept, remembered
from app.shell.session import EXPORT_SUMMARY as SUMMARY
from app.shell.session import text
from db.transfer.export import STATES as EXPORT_STATES
from db.transfer.export import ExportFilter, Tally


def draw_counts(here: Here, chosen: ExportFilter, number: int, questions: int) -> None:
    """`number`: the newest entry; `questions`: that the ledger knows."""
    if questions > files.SMALL:
        hint = text("export.count_hint", questions=f"{questions:,}")
        asked = st.button(text("export.count"), key="export_count", help=hint)
        if not asked and kept(SUMMARY)[1:] != (chosen,):
            return
        if not asked and kept(SUMMARY) != (number, chosen):
            st.caption(text("export.newer", number=kept(SUMMARY)[0]))
            number = kept(SUMMARY)[0]
    summary = remembered(
        SUMMARY,
        (number, chosen),
        lambda: with_bar("export.counting", lambda bar: contents.count(here.store, chosen, bar)),
    )
    shown = {name: f"{getattr(summary, name):,}" for name in ("rows", "labels", "rejected", "redacted")}
    st.markdown(f"**{text('export.counts', **shown)}**")
    st.caption(" · ".join(_about(summary)))


def _about(summary: Tally) -> list[str]:
    said = [f"{text(STATES[state])} {summary.states[state]:,}" for state in EXPORT_STATES if summary.states[state]]
    if summary.flagged or summary.commented or summary.held_back:
        notes = {name: f"{getattr(summary, name):,}" for name in ("flagged", "commented", "held_back")}
        said.append(text("export.notes", **notes))
    return said
