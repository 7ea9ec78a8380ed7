"""The file of an export: written at once or when asked for, and downloaded."""

import streamlit as st

from app.entry.frame import Here
from app.export import files
from app.export.bar import with_bar
from app.shell.memory import kept, remembered
from app.shell.session import EXPORT_PREPARED as PREPARED
from app.shell.session import text
from app.shell.widgets import plain
from db.transfer.export import ExportFilter
from db.transfer.formats import FORMATS


def prepared_file(here: Here, chosen: ExportFilter, name: str, number: int, questions: int) -> files.Prepared | None:
    """The file. A small export is ready at once, and one click brings it; a large one waits to be asked for."""
    if questions > files.SMALL and not st.button(text("export.prepare"), type="primary", key="export_prepare"):
        if kept(PREPARED)[1:] != (chosen, name):
            if kept(PREPARED):
                st.caption(text("export.stale"))
            return None
        if kept(PREPARED)[0] != number:  # a large file is not thrown away for one more decision
            number = kept(PREPARED)[0]
            st.caption(text("export.newer", number=number))
    return remembered(
        PREPARED,
        (number, chosen, name),
        lambda: with_bar("export.preparing", lambda bar: files.prepare(here.store, chosen, name, number, bar)),
    )


def downloads(here: Here, prepared: files.Prepared, name: str) -> None:
    """The file and its manifest, each at one click."""
    with st.container(horizontal=True):
        st.download_button(
            text("export.download", name=plain(prepared.path.name), size=files.shown_size(prepared.manifest.bytes)),
            # Read on a click, in a thread of its own: the page never holds the file.
            here.asking("export labels", prepared.open),
            prepared.path.name,
            FORMATS[name].media_type,
            type="primary",
            on_click="ignore",
            key="export_download",
        )
        st.download_button(
            text("export.download_manifest"),
            here.asking("export labels", prepared.manifest_text),
            f"{prepared.path.name}.manifest.json",
            "application/json",
            on_click="ignore",
            key="export_download_manifest",
        )
    with st.expander(text("export.manifest"), key="export_manifest_open"):
        st.json(prepared.manifest_values, expanded=1)
