"""The first rows of an export: as its file has them, or in columns with names that a visitor knows."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.export import contents, file_head, files, formats
from app.shell.memory import remembered
from app.shell.options import called
from app.shell.session import EXPORT_PREVIEW as PREVIEW
from app.shell.session import text
from db.store.records import LabelledQuestion
from db.transfer.export import ExportFilter

CODE_HEIGHT = 250  # pixels: the download stands below on the first screen


def draw_preview(
    here: Here, chosen: ExportFilter, name: str, number: int, zone: tzinfo, prepared: files.Prepared | None
) -> None:
    """The first rows: as the file has them, or in columns with names that a visitor knows."""
    found = remembered(PREVIEW, (number, chosen), lambda: contents.preview(here.store, chosen))
    if found.cut:
        st.caption(text("export.preview_cut"))
    if not found.rows:
        if not found.cut:
            st.info(text("export.preview_none"))
        return
    looks = {"file": text("export.as_file"), "table": text("export.as_table")}
    look = st.segmented_control(
        text("export.preview_label"),
        list(looks),
        default="file",
        required=True,
        format_func=called(looks),
        key="export_look",
        label_visibility="collapsed",
    )
    if look == "table":
        _preview_table(found.rows, zone)
    else:
        _preview_file(found.rows, name, prepared)


def _preview_file(rows: Sequence[LabelledQuestion], name: str, prepared: files.Prepared | None) -> None:
    if prepared is None:
        begins = file_head.rehearsal(rows, name)
    else:
        with prepared.open() as stream:
            begins = file_head.head(stream, name)
    st.caption(text("export.file_preview", rows=min(len(rows), file_head.ROWS)))
    if begins.table is not None:
        st.dataframe(begins.table, hide_index=True, key=f"export_head_{name}")
    else:
        st.code(begins.text, language=None, wrap_lines=True, height=CODE_HEIGHT)
    if begins.cut:
        st.caption(text("export.file_preview_cut", characters=f"{file_head.MOST_CHARACTERS:,}"))
    if prepared is None and name in formats.REORDERED:
        st.caption(text("export.file_preview_order"))


def _preview_table(rows: Sequence[LabelledQuestion], zone: tzinfo) -> None:
    st.caption(text("export.preview", rows=len(rows)))
    named = {column: text(name) for column, name in contents.COLUMNS.items()}
    st.dataframe(
        contents.preview_table(rows, zone, text),
        height=min(248, 38 + 35 * len(rows)),
        hide_index=True,
        placeholder="—",
        column_config={
            **named,
            "title": st.column_config.TextColumn(named["title"], width=260),
            "tags": st.column_config.ListColumn(named["tags"], width=180),
            "rejected": st.column_config.ListColumn(named["rejected"], width=120),
            "flags": st.column_config.ListColumn(named["flags"], width=110),
            "agreement": st.column_config.NumberColumn(named["agreement"], format="%.2f", width=80),
        },
    )
