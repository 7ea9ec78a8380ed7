"""An earlier export is uploaded and held against what an export would hold now."""

import streamlit as st

from app.entry.frame import Here
from app.export import earlier
from app.export.bar import with_bar
from app.shell.memory import remembered
from app.shell.session import EXPORT_DIFFERENCE as DIFFERENCE
from app.shell.session import text
from db.transfer.export import ExportFilter


def draw_difference(here: Here, chosen: ExportFilter, number: int) -> None:
    """An earlier export is uploaded and held against what an export would hold now."""
    with st.expander(text("export.difference"), key="export_difference_open"):
        older = st.file_uploader(
            text("export.older", megabytes=earlier.UPLOAD_MEGABYTES),
            type=list(earlier.UPLOAD_TYPES),
            max_upload_size=earlier.UPLOAD_MEGABYTES,
            key="export_older",
        )
        if older is None:
            return
        older.seek(0)  # an earlier comparison may have read it
        if older.size > earlier.UPLOAD_MEGABYTES << 20:  # the browser was asked to refuse it, but it need not
            st.error(text("export.too_large", megabytes=earlier.UPLOAD_MEGABYTES))
            return
        found = remembered(
            DIFFERENCE,
            (number, chosen, older.file_id),
            lambda: with_bar(
                "export.comparing",
                lambda bar: earlier.difference(here.store, chosen, older, older.name, here.settings.limits, bar),
            ),
        )
        tally = found.counts
        by = text("export.by_id") if tally.by == "id" else text("export.by_text")
        shown = {name: f"{getattr(tally, name):,}" for name in ("added", "removed", "changed", "same")}
        st.markdown(f"**{text('export.differences', by=by, **shown)}**")
        if found.bad:
            st.warning(text("export.bad_lines", bad=f"{found.bad:,}"))
        if found.first:
            st.dataframe(earlier.difference_table(found.first, text), hide_index=True)
        if len(found.first) < tally.added + tally.removed + tally.changed:
            st.caption(text("export.first_differences", count=len(found.first)))
