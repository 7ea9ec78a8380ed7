"""Parts of the export page that take time: they show a bar, and remember what they found for the session."""

from collections.abc import Callable, Sequence
from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.export import content as view
from app.export import preview as export_preview
from app.shell.session import text
from app.shell.widgets import plain
from db.store.records import LabelledQuestion
from db.transfer.export import ExportFilter
from db.transfer.formats import FORMATS

# What the session remembers, each with what it was worked out from; the keys of the widgets begin alike.
PREPARED = "export_prepared"
PREVIEW = "export_preview"
DIFFERENCE = "export_difference"
CODE_HEIGHT = 250  # pixels: the download stands below on the first screen


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


def choose_format() -> str:
    """A format, how it keeps every character, and what it has no place for."""
    names = {name: text(key) for name, key in view.FORMAT_NAMES.items()}
    name = st.selectbox(text("export.format"), list(names), format_func=names.get, key="export_format")
    said = [plain(text(view.ESCAPES[name]))]
    if name in view.SPREADSHEET_FORMATS:
        said.append(text("export.spreadsheet"))
    if not FORMATS[name].keeps_notes:
        said.append(text("export.no_notes"))
    st.caption("  \n".join(said))
    return name


def prepared_file(here: Here, chosen: ExportFilter, name: str, number: int, questions: int) -> view.Prepared | None:
    """The file. A small export is ready at once, and one click brings it; a large one waits to be asked for."""
    if questions > view.SMALL and not st.button(text("export.prepare"), type="primary", key="export_prepare"):
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
        lambda: with_bar("export.preparing", lambda bar: view.prepare(here.store, chosen, name, number, bar)),
    )


def downloads(here: Here, prepared: view.Prepared, name: str) -> None:
    """The file and its manifest, each at one click."""
    with st.container(horizontal=True):
        st.download_button(
            text("export.download", name=plain(prepared.path.name), size=view.shown_size(prepared.manifest.bytes)),
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


def preview(
    here: Here, chosen: ExportFilter, name: str, number: int, zone: tzinfo, prepared: view.Prepared | None
) -> None:
    """The first rows: as the file has them, or in columns with names that a visitor knows."""
    found = remembered(PREVIEW, (number, chosen), lambda: view.preview(here.store, chosen))
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
        format_func=looks.get,
        key="export_look",
        label_visibility="collapsed",
    )
    if look == "table":
        _preview_table(found.rows, zone)
    else:
        _preview_file(found.rows, name, prepared)


def _preview_file(rows: Sequence[LabelledQuestion], name: str, prepared: view.Prepared | None) -> None:
    if prepared is None:
        begins = export_preview.rehearsal(rows, name)
    else:
        with prepared.open() as stream:
            begins = export_preview.head(stream, name)
    st.caption(text("export.file_preview", rows=min(len(rows), export_preview.ROWS)))
    if begins.table is not None:
        st.dataframe(begins.table, hide_index=True, key=f"export_head_{name}")
    else:
        st.code(begins.text, language=None, wrap_lines=True, height=CODE_HEIGHT)
    if begins.cut:
        st.caption(text("export.file_preview_cut", characters=f"{export_preview.MOST_CHARACTERS:,}"))
    if prepared is None and name in view.REORDERED:
        st.caption(text("export.file_preview_order"))


def _preview_table(rows: Sequence[LabelledQuestion], zone: tzinfo) -> None:
    st.caption(text("export.preview", rows=len(rows)))
    named = {column: text(name) for column, name in view.COLUMNS.items()}
    st.dataframe(
        view.preview_table(rows, zone, text),
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
                "export.comparing",
                lambda bar: view.difference(here.store, chosen, older, older.name, here.settings.limits, bar),
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
