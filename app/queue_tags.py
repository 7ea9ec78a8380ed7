"""The tab Tags of Import and queue: search, and changes that are planned before they are carried out."""

from datetime import tzinfo

import streamlit as st

from app import queue_view as view
from app.acts import act
from app.frame import Here
from app.queue_tabs import DONE, TABLE_HEIGHT, log_columns, table
from app.session import said, text
from app.widgets import plain
from db import admin_log
from db.errors import StoreError
from db.tags import Plan

PLAN = "queue_plan"  # (operation, tag, other, plan) of a dry run
MATCHES = 20


def draw_tags(here: Here, zone: tzinfo) -> None:
    query = st.text_input(
        text("queue.search"), max_chars=100, key="queue_search", placeholder=text("queue.search_hint")
    )
    if query.strip():
        _matches(here, query)
    names = {
        "rename": text("queue.rename"),
        "merge": text("queue.merge"),
        "alias": text("queue.alias"),
        "split": text("queue.split"),
        "deprecate": text("queue.deprecate"),
        "reactivate": text("queue.reactivate"),
        "undo": text("queue.undo"),
    }
    others = {
        "rename": text("queue.new_name"),
        "merge": text("queue.into"),
        "alias": text("queue.spelling"),
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        operation = st.selectbox(
            text("queue.operation"), view.OPERATIONS, format_func=names.get, key="queue_operation", width=200
        )
        label = text("queue.entry_number") if operation == "undo" else text("queue.tag")
        tag = st.text_input(label, max_chars=100, key=f"queue_tag_{operation == 'undo'}", width=220).strip()
        other = ""
        if operation in view.WITH_OTHER:
            other = st.text_input(others[operation], max_chars=100, key=f"queue_other_{operation}", width=220).strip()
        ready = bool(tag) and (bool(other) or operation not in view.WITH_OTHER)
        # Never disabled: leaving the field by a click on the button is what hands its text over.
        look = st.button(text("queue.dry_run"), key="queue_tag_dry_run")
    if look and not ready:
        st.error(text("queue.fill_in"))
    elif look:
        st.session_state.pop(PLAN, None)
        try:
            with here.store.read() as reading:
                st.session_state[PLAN] = (operation, tag, other, view.plan_change(reading, operation, tag, other))
        except StoreError as error:
            st.error(text("error.refused", message=plain(said(error))))
    kept = st.session_state.get(PLAN)
    if kept is not None and kept[:3] == (operation, tag, other):
        _carry_out(here, names[operation], *kept)
    with here.store.read() as reading:
        log = admin_log.recent(reading, ("tag",))
    _tag_history(log, zone)


def _matches(here: Here, query: str) -> None:
    matches = here.tag_search.search(query, MATCHES)
    if not matches:
        st.caption(text("queue.no_match"))
        return
    states = {
        "active": text("queue.active"),
        "deprecated": text("queue.deprecated"),
        "merged": text("queue.merged"),
    }
    table(
        {
            text("queue.tag"): [match.name for match in matches],
            text("queue.matched"): [match.matched for match in matches],
            text("queue.state"): [states[match.status] for match in matches],
            text("queue.uses"): [match.uses for match in matches],
        },
        height=TABLE_HEIGHT,
    )


def _carry_out(here: Here, name: str, operation: str, tag: str, other: str, plan: Plan) -> None:
    """What the plan touches, and the button that does it."""
    with st.container(border=True):
        st.text(f"{name}: {tag} → {other}" if other else f"{name}: {tag}")
        if operation == "undo":
            st.text(said(plan.summary))
        st.caption(
            text(
                "queue.touches",
                decisions=f"{plan.decisions:,}",
                questions=f"{plan.questions:,}",
                labels=f"{plan.prior_labels:,}",
            )
        )
        if st.button(text("queue.carry_out"), type="primary", key="queue_carry_out"):
            st.session_state.pop(PLAN, None)
            act(
                DONE,
                lambda: view.change_tags(here.store, operation, tag, other, plan, here.visitor.id),
                lambda number: text("queue.tags_changed", number=number),
            )


def _tag_history(log: list[admin_log.LogLine], zone: tzinfo) -> None:
    st.markdown(f"**{text('queue.tag_changes')}**")
    if not log:
        st.caption(text("queue.no_history"))
        return
    columns = log_columns(log, zone, [said(line.payload.get("summary", "")) for line in log])
    columns[text("queue.taken_back")] = ["" if line.undone_by is None else str(line.undone_by) for line in log]
    table(columns, height=TABLE_HEIGHT)
