"""Parts of the export page that take time: they show a bar, and remember what they found for the session."""

from collections.abc import Callable

import streamlit as st

from app import export_view as view
from app.frame import Here
from app.session import text
from app.widgets import plain
from db.export import ExportFilter
from db.formats import FORMATS

# What the session remembers, each with what it was worked out from; the keys of the widgets begin alike.
PREPARED = "export_prepared"
DIFFERENCE = "export_difference"


def kept(name: str) -> tuple:
    """What a remembered result was worked out from; empty if there is none."""
    return st.session_state.get(name, ((),))[0]


def remembered(name: str, key: tuple, work: Callable[[], object]):
    """The result of `work`, done once for each `key` in a session."""
    if name not in st.session_state or st.session_state[name][0] != key:
        st.session_state[name] = (key, work())
    return st.session_state[name][1]


def with_bar(label: str, work: Callable[[Callable[[int, int], None]], object]):
    """`work(progress)` under a bar. A click elsewhere breaks it off at the next step."""
    bar = st.progress(0.0, text(label, done=0, total="…"))
    try:
        return work(
            lambda done, total: bar.progress(
                min(1.0, done / max(1, total)), text(label, done=f"{done:,}", total=f"{total:,}")
            )
        )
    finally:
        bar.empty()


def file(here: Here, chosen: ExportFilter, number: int, questions: int) -> None:
    """A format, the file in it, and its manifest. A small export is ready at once: one click brings it."""
    names = {name: text(key) for name, key in view.FORMAT_NAMES.items()}
    name = st.selectbox(text("export.format"), list(names), format_func=names.get, key="export_format")
    st.caption(plain(text(view.ESCAPES[name])))
    if name in view.SPREADSHEET_FORMATS:
        st.caption(text("export.spreadsheet"))
    if questions > view.SMALL and not st.button(text("export.prepare"), type="primary", key="export_prepare"):
        if kept(PREPARED)[1:] != (chosen, name):
            if kept(PREPARED):
                st.caption(text("export.stale"))
            return
        if kept(PREPARED)[0] != number:  # a large file is not thrown away for one more decision
            number = kept(PREPARED)[0]
            st.caption(text("export.newer", number=number))
    prepared = remembered(
        PREPARED,
        (number, chosen, name),
        lambda: with_bar("export.preparing", lambda bar: view.prepare(here.store, chosen, name, number, bar)),
    )
    with st.container(horizontal=True):
        st.download_button(
            text("export.download", name=plain(prepared.path.name), size=view.shown_size(prepared.manifest.bytes)),
            prepared.open,  # read on a click, in a thread of its own: the page never holds the file
            prepared.path.name,
            FORMATS[name].media_type,
            type="primary",
            on_click="ignore",
            key="export_download",
        )
        st.download_button(
            text("export.download_manifest"),
            prepared.manifest_text(),
            f"{prepared.path.name}.manifest.json",
            "application/json",
            on_click="ignore",
            key="export_download_manifest",
        )
    with st.expander(text("export.manifest"), key="export_manifest_open"):
        st.json(prepared.manifest_values, expanded=1)


def difference(here: Here, chosen: ExportFilter, number: int) -> None:
    """An earlier export is uploaded and held against what an export would hold now."""
    with st.expander(text("export.difference"), key="export_difference_open"):
        older = st.file_uploader(
            text("export.older", megabytes=view.UPLOAD_MEGABYTES),
            type=list(view.UPLOAD_TYPES),
            max_upload_size=view.UPLOAD_MEGABYTES,
            key="export_older",
        )
        if older is None:
            return
        older.seek(0)  # an earlier comparison may have read it
        if older.size > view.UPLOAD_MEGABYTES << 20:  # the browser was asked to refuse it, but it need not
            st.error(text("export.too_large", megabytes=view.UPLOAD_MEGABYTES))
            return
        found = remembered(
            DIFFERENCE,
            (number, chosen, older.file_id),
            lambda: with_bar(
                "export.comparing", lambda bar: view.difference(here.store, chosen, older, older.name, bar)
            ),
        )
        tally = found.counts
        by = text("export.by_id") if tally.by == "id" else text("export.by_text")
        shown = {name: f"{getattr(tally, name):,}" for name in ("added", "removed", "changed", "same")}
        st.markdown(f"**{text('export.differences', by=by, **shown)}**")
        if found.bad:
            st.warning(text("export.bad_lines", bad=f"{found.bad:,}"))
        if found.first:
            st.dataframe(view.difference_table(found.first, text), hide_index=True)
        if len(found.first) < tally.added + tally.removed + tally.changed:
            st.caption(text("export.first_differences", count=len(found.first)))
