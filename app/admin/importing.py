"""Questions or a list of tags come in: an upload or a file on the server, first as a dry run, then for good."""

from contextlib import contextmanager, nullcontext
from pathlib import Path

import streamlit as st

from app.admin import content as view
from app.admin.content import Order, Outcome
from app.entry.frame import Here
from app.shell.session import said, text
from app.shell.widgets import plain
from app.tags import outcome as tags_outcome
from app.transfer.importer import BadLine
from db.errors import StoreError
from l2a.data.questions import FORMATS
from l2a.errors import L2AError

OUTCOME = "import_outcome"  # of the last dry run or import


def draw(here: Here, kind: str) -> None:
    """`kind`: questions or tags."""
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
        _report(here, outcome)


def _choose(kind: str, folder: Path | None) -> tuple[Order | None, object, Path | None]:
    """`folder`: below which files on the server may be read; None: none may."""
    origins = {"upload": text("queue.upload")} | ({"path": text("queue.path")} if folder is not None else {})
    with st.container(horizontal=True, vertical_alignment="bottom"):
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
    if kind == "tags":
        st.caption(text("queue.tag_list_hint"))
    by_path = origin == "path" and folder is not None
    upload, path, mark = _path(folder) if by_path else _upload(folder)
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


def _upload(folder: Path | None) -> tuple[object, None, str]:
    label = "queue.choose" if folder is None else "queue.choose_or_path"
    upload = st.file_uploader(
        text(label, megabytes=view.UPLOAD_MEGABYTES),
        type=list(view.UPLOAD_TYPES),
        max_upload_size=view.UPLOAD_MEGABYTES,
        key="queue_upload",
    )
    return upload, None, "" if upload is None else f"{upload.name}|{upload.file_id}"


def _path(folder: Path) -> tuple[None, Path | None, str]:
    hint = text("queue.server_path_hint", folder=plain(str(folder)))
    given = st.text_input(text("queue.server_path"), help=hint, key="queue_path")
    if not given.strip():
        return None, None, ""
    try:
        path = view.find_file(given, folder)
        return None, path, view.file_mark(path)
    except (L2AError, OSError) as error:
        st.error(plain(said(error)))
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


def _report(here: Here, outcome: Outcome) -> None:
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
        elif outcome.entry is not None:
            _way_back(here, outcome.entry)


def _way_back(here: Here, number: int) -> None:
    """What became of it is said by the page Tags."""

    def take_back() -> None:
        st.session_state.pop(OUTCOME, None)
        tags_outcome.take_back(here, number)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(text("queue.way_back", number=number), width="content")
        st.button(text("tags.undo"), key="queue_undo_tags", on_click=take_back, width="content")


def _preview(outcome: Outcome) -> None:
    """The first rows as they were read, tags as chips: counts alone do not show that a file was misread."""
    if not outcome.first:
        return
    st.caption(text("queue.first_rows", shown=len(outcome.first)))
    if outcome.order.kind == "tags":
        names = ("tag_name", "parent", "aliases", "definition")
        rows = [(row.name, row.parent, list(row.aliases), row.definition) for row in outcome.first]
    else:
        names = ("title", "tags", "description", "origin")
        rows = [(row.title, list(row.tags), row.description, row.source) for row in outcome.first]
    headings = [text(f"queue.row_{name}") for name in names]
    table = [
        {"": row.line, **dict(zip(headings, values, strict=True))}
        for row, values in zip(outcome.first, rows, strict=True)
    ]
    chips = text("queue.row_aliases" if outcome.order.kind == "tags" else "queue.row_tags")
    st.dataframe(table, hide_index=True, column_config={chips: st.column_config.ListColumn(chips)})


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
