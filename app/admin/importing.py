"""Questions or a list of tags come in: an upload or a file on the server, first as a dry run, then for good."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.admin import orders
from app.admin.orders import Order, Outcome
from app.entry.frame import Here
from app.shell.options import called
from app.shell.session import IMPORT_OUTCOME as OUTCOME
from app.shell.session import said, text
from app.shell.widgets import plain
from app.transfer.importer import BadLine
from db.errors import StoreError
from db.tags.importing import IncomingTag
from db.transfer.importing import IncomingQuestion
from l2a.data.questions import FORMATS
from l2a.errors import L2AError


def draw(here: Here, kind: str, take_back: Callable[[int], None] | None = None) -> None:
    """`kind`: questions or tags. `take_back`: undoes the entry of an import of tags, and says what became of it."""
    order, upload, path = _choose(kind, here.settings.import_from)
    outcome: Outcome | None = st.session_state.get(OUTCOME)
    if outcome is not None and outcome.order.kind != kind:
        outcome = None
    rehearsed = outcome is not None and outcome.dry_run and order is not None and outcome.order == order
    with st.container(horizontal=True, vertical_alignment="center"):
        # Never disabled: leaving the field by a click on the button is what hands its text over.
        try_it = st.button(text("queue.dry_run"), key="queue_dry_run")
        do_it = st.button(text("queue.import_now"), type="primary", disabled=not rehearsed, key="queue_import")
        st.caption(text("queue.first_dry"), width="content")
    if try_it and order is None:
        st.error(text("queue.fill_in"))
    elif order is not None and (try_it or do_it):
        _run(here, order, upload, path, dry_run=not do_it)
        st.rerun()
    if outcome is not None:
        _report(outcome, take_back)


def _choose(kind: str, folder: Path | None) -> tuple[Order | None, UploadedFile | None, Path | None]:
    """`folder`: below which files on the server may be read; None: none may."""
    origins = {"upload": text("queue.upload")} | ({"path": text("queue.path")} if folder is not None else {})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        origin = st.segmented_control(
            text("queue.where"),
            list(origins),
            default="upload",
            required=True,
            format_func=called(origins),
            key="queue_origin",
            width="content",
        )
        skip_bad = st.toggle(
            text("queue.skip_bad"), help=text("queue.skip_bad_hint"), key="queue_skip_bad", width="content"
        )
    if kind == "tags":
        st.caption(text("queue.tag_list_hint"))
    upload: UploadedFile | None = None
    path: Path | None = None
    if origin == "path" and folder is not None:
        path, mark = _path(folder)
    else:
        upload, mark = _upload(folder)
    if kind == "tags":
        order = Order("tags", mark, skip_bad=skip_bad)
    else:
        source, fmt, overlap, record = _options()
        order = Order("questions", mark, source, fmt, overlap, skip_bad, record)
    return (order if mark else None), upload, path


def _options() -> tuple[str, str | None, int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = st.text_input(
            text("queue.source"), help=text("queue.source_hint"), max_chars=100, key="queue_source", width=220
        )
        fmt = st.selectbox(
            text("queue.format"), FORMATS, index=None, placeholder=text("queue.detect"), key="queue_format", width=200
        )
        overlap = st.number_input(
            text("queue.overlap"), 1, 20, 1, help=text("queue.overlap_hint"), key="queue_new_overlap", width=160
        )
        record = st.toggle(text("queue.record"), help=text("queue.record_hint"), key="queue_record", width="content")
    return source.strip(), fmt, int(overlap), record


def _upload(folder: Path | None) -> tuple[UploadedFile | None, str]:
    """The file, and what tells it from others."""
    label = "queue.choose" if folder is None else "queue.choose_or_path"
    upload = st.file_uploader(
        text(label, megabytes=orders.UPLOAD_MEGABYTES),
        type=list(orders.UPLOAD_TYPES),
        max_upload_size=orders.UPLOAD_MEGABYTES,
        key="queue_upload",
    )
    return upload, "" if upload is None else f"{upload.name}|{upload.file_id}"


def _path(folder: Path) -> tuple[Path | None, str]:
    hint = text("queue.server_path_hint", folder=plain(str(folder)))
    given = st.text_input(text("queue.server_path"), help=hint, key="queue_path")
    if not given.strip():
        return None, ""
    try:
        path = orders.find_file(given, folder)
        return path, orders.file_mark(path)
    except (L2AError, OSError) as error:
        st.error(plain(said(error)))
        return None, ""


@contextmanager
def _file(upload: UploadedFile | None, path: Path | None) -> Iterator[Path]:
    """One of the two is there where there is an order."""
    if upload is not None:
        with orders.kept_upload(upload) as found:
            yield found
    elif path is not None:
        yield path


def _run(here: Here, order: Order, upload: UploadedFile | None, path: Path | None, *, dry_run: bool) -> None:
    """The error of a file that is of no use stays on the page: the caller must not start it again then."""
    st.session_state.pop(OUTCOME, None)
    bar = st.progress(0.0, text=text("queue.reading"))

    def show(done: int, total: int | None) -> None:
        words = text("queue.rows_done", done=f"{done:,}")
        bar.progress(min(1.0, done / total) if total else 0.0, text=words)

    try:
        with _file(upload, path) as found:
            # An upload is kept in a temporary folder, which says nothing to anybody.
            name = found.name if upload is not None else None
            outcome = orders.run_order(
                here.store,
                order,
                found,
                here.visitor.id,
                dry_run=dry_run,
                name=name,
                limits=here.settings.limits,
                progress=show,
            )
    except (StoreError, L2AError, OSError) as error:
        bar.empty()
        st.error(text("error.refused", message=plain(said(error))))
        if isinstance(error, BadLine):
            st.caption(text("queue.stopped_dry" if dry_run else "queue.stopped"))
        st.stop()
    bar.empty()
    st.session_state[OUTCOME] = outcome


def _report(outcome: Outcome, take_back: Callable[[int], None] | None) -> None:
    heading = text("queue.would") if outcome.dry_run else text("queue.did")
    if outcome.order.kind == "tags":
        numbers = (
            (text("queue.rows"), outcome.rows),
            (text("queue.new_tags"), outcome.added),
            (text("queue.aliases"), outcome.aliases),
            (text("queue.parents"), outcome.parents),
            (text("queue.bad"), outcome.bad),
        )
    else:
        numbers = (
            (text("queue.rows"), outcome.rows),
            (text("queue.added"), outcome.added),
            (text("queue.duplicates"), outcome.duplicates),
            (text("queue.labels"), outcome.labels),
            (text("queue.bad"), outcome.bad),
        )
    with st.container(border=True, gap="small"):
        st.markdown(f"**{heading}**")
        for column, (label, number) in zip(st.columns(5), numbers, strict=True):
            column.metric(label, f"{number:,}")
        if outcome.dry_run:
            _preview(outcome)
        for note in outcome.notes:
            st.warning(plain(said(note)))
        if outcome.relabelled:
            _relabelled(outcome)
        if outcome.noted:
            _noted(outcome)
        if outcome.resumed_after:
            st.text(text("queue.resumed", rows=f"{outcome.resumed_after:,}"))
        if outcome.messages:
            st.caption(text("queue.complaints", shown=len(outcome.messages), bad=f"{outcome.bad:,}"))
            st.code("\n".join(map(said, outcome.messages)), language=None, wrap_lines=True)
        if outcome.dry_run:
            st.caption(text("queue.dry_note"))
        elif outcome.order.kind == "questions":
            st.caption(text("queue.resumable"))
        elif outcome.entry is not None and take_back is not None:
            _way_back(outcome.entry, take_back)


def _way_back(number: int, take_back: Callable[[int], None]) -> None:
    def on_click() -> None:
        st.session_state.pop(OUTCOME, None)
        take_back(number)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(text("queue.way_back", number=number), width="content")
        st.button(text("tags.undo"), key="queue_undo_tags", on_click=on_click, width="content")


def _preview(outcome: Outcome) -> None:
    """The first rows as they were read, tags as chips: counts alone do not show that a file was misread."""
    if not outcome.first:
        return
    st.caption(text("queue.first_rows", shown=len(outcome.first)))
    chips = text("queue.row_aliases" if outcome.order.kind == "tags" else "queue.row_tags")
    st.dataframe(
        [_row(row) for row in outcome.first],
        hide_index=True,
        column_config={chips: st.column_config.ListColumn(chips)},
    )


def _row(row: IncomingQuestion | IncomingTag) -> dict[str, object]:
    """The cells of a row by their headings; the number of its line has none."""
    cells: dict[str, object]
    if isinstance(row, IncomingTag):
        cells = {
            "tag_name": row.name,
            "parent": row.parent,
            "aliases": list(row.aliases),
            "definition": row.definition,
        }
    else:
        cells = {
            "title": row.title,
            "tags": list(row.tags),
            "description": row.description,
            "origin": row.source,
        }
    return {"": row.line, **{text(f"queue.row_{name}"): value for name, value in cells.items()}}


def _relabelled(outcome: Outcome) -> None:
    number = f"{outcome.relabelled:,}"
    if outcome.receipts:
        first, last = outcome.receipts[0], outcome.receipts[-1]
        st.info(text("queue.recorded", number=number, first=first, last=last))
    elif outcome.order.record:
        st.info(text("queue.would_record", number=number))
    else:
        st.warning(text("queue.relabelled", number=number, switch=text("queue.record")))


def _noted(outcome: Outcome) -> None:
    """Flags and comments, which our own exports hold: they belong to decisions."""
    numbers = {"number": f"{outcome.noted:,}", "recorded": f"{outcome.notes_recorded:,}"}
    if outcome.notes_recorded == outcome.noted:
        st.info(text("queue.notes_recorded", **numbers))
    elif outcome.order.record and outcome.dry_run:
        st.info(text("queue.notes_would", **numbers))
    else:
        st.warning(text("queue.notes_left", switch=text("queue.record"), **numbers))
