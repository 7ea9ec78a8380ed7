"""The tab Import: an upload or a file on the server, first as a dry run, then for good."""

from contextlib import contextmanager, nullcontext
from pathlib import Path

import streamlit as st

from app import queue_view as view
from app.frame import Here
from app.queue_view import Order, Outcome
from app.session import said, text
from app.widgets import plain
from db.errors import StoreError
from l2a.data import FORMATS
from l2a.errors import L2AError

OUTCOME = "queue_outcome"  # of the last dry run or import


def draw(here: Here) -> None:
    order, upload, path = _choose()
    outcome: Outcome | None = st.session_state.get(OUTCOME)
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
        _report(outcome)


def _choose() -> tuple[Order | None, object, Path | None]:
    kinds = {"questions": text("queue.questions"), "tags": text("queue.tag_list")}
    origins = {"upload": text("queue.upload"), "path": text("queue.path")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            text("queue.what"),
            list(kinds),
            default="questions",
            required=True,
            format_func=kinds.get,
            key="queue_kind",
            width="content",
        )
        origin = st.segmented_control(
            text("queue.where"),
            list(origins),
            default="upload",
            required=True,
            format_func=origins.get,
            key="queue_origin",
            width="content",
        )
        skip_bad = st.toggle(
            text("queue.skip_bad"), help=text("queue.skip_bad_hint"), key="queue_skip_bad", width="content"
        )
    upload, path, mark = _upload() if origin == "upload" else _path()
    if kind == "tags":
        st.caption(text("queue.tag_list_hint"))
        order = Order("tags", mark, skip_bad=skip_bad)
    else:
        source, fmt, overlap = _options()
        order = Order("questions", mark, source, fmt, overlap, skip_bad)
    return (order if mark else None), upload, path


def _options() -> tuple[str, str | None, int]:
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
    return source.strip(), fmt, int(overlap)


def _upload() -> tuple[object, None, str]:
    upload = st.file_uploader(
        text("queue.choose", megabytes=view.UPLOAD_MEGABYTES),
        type=list(view.UPLOAD_TYPES),
        max_upload_size=view.UPLOAD_MEGABYTES,
        key="queue_upload",
    )
    return upload, None, "" if upload is None else f"{upload.name}|{upload.file_id}"


def _path() -> tuple[None, Path | None, str]:
    given = st.text_input(text("queue.server_path"), help=text("queue.server_path_hint"), key="queue_path")
    if not given.strip():
        return None, None, ""
    try:
        path = view.find_file(given)
        return None, path, view.file_mark(path)
    except (L2AError, OSError):
        st.error(text("queue.no_file", path=plain(given)))
        return None, None, ""


@contextmanager
def _file(upload, path: Path | None):
    with view.kept_upload(upload) if upload is not None else nullcontext(path) as found:
        yield found


def _run(here: Here, order: Order, upload, path: Path | None, *, dry_run: bool) -> None:
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
            outcome = view.run_order(
                here.store, order, found, here.visitor.id, dry_run=dry_run, name=name, progress=show
            )
    except (StoreError, L2AError, OSError) as error:
        bar.empty()
        st.error(text("error.refused", message=plain(said(error))))
        st.caption(text("queue.stopped"))
        st.stop()
    bar.empty()
    st.session_state[OUTCOME] = outcome


def _report(outcome: Outcome) -> None:
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
        if outcome.resumed_after:
            st.text(text("queue.resumed", rows=f"{outcome.resumed_after:,}"))
        if outcome.messages:
            st.caption(text("queue.complaints", shown=len(outcome.messages), bad=f"{outcome.bad:,}"))
            st.code("\n".join(map(said, outcome.messages)), language=None, wrap_lines=True)
        st.caption(text("queue.dry_note") if outcome.dry_run else text("queue.resumable"))
