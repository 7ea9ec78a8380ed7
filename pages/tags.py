"""Tags: all of them in a list, likely duplicates, what was changed, and lists to import. Layout only."""

import streamlit as st

from app.admin import importing as queue_import
from app.dashboard.content import zone_of
from app.entry import frame
from app.shell.session import said, text
from app.tags import changes as tags_changes
from app.tags import dialog as tags_dialog
from app.tags import duplicates as tags_duplicates
from app.tags import listing as tags_list
from app.tags import outcome as tags_outcome
from db.errors import StoreError

here = frame.enter("tags")
may_change = here.may("change tags")
zone = zone_of(st.context.timezone, st.context.timezone_offset)

parts = {"list": lambda: tags_list.draw(here, may_change=may_change)}
if may_change:  # duplicates stand beside questions that others tagged, and changes beside who made them
    parts["duplicates"] = lambda: tags_duplicates.draw(here)
    parts["changes"] = lambda: tags_changes.draw(here, zone)
    parts["import"] = lambda: queue_import.draw(here, "tags")


if st.session_state.get("tags_section") not in parts:  # somebody who may less than before
    tags_outcome.forget("tags_section")


def on_section() -> None:
    tags_dialog.close()
    tags_outcome.forget(tags_outcome.OUTCOME)


try:
    section = st.segmented_control(
        text("tags.section"),
        list(parts),
        default="list",
        required=True,
        format_func=lambda name: text(f"tags.{name}"),
        key="tags_section",
        on_change=on_section,
        label_visibility="collapsed",
    )
    if not may_change:
        st.caption(text("tags.look_only"))
    if not tags_dialog.is_open():  # which shows it itself
        tags_outcome.show(here)
    parts[section]()
    tags_dialog.draw(here, zone, may_change=may_change)
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
