"""Tags: the list, names that come up, likely duplicates, what was changed, and lists to import. Layout only."""

from functools import partial

import streamlit as st

from app.admin import importing
from app.entry import frame
from app.shell import session
from app.shell.memory import forget
from app.shell.session import said, text
from app.tags import changes, dialog, duplicates, emerging, listing, outcome
from db.errors import StoreError

here = frame.enter("tags")
may_change = here.may("change tags")
zone = session.zone()

parts = {"list": partial(listing.draw, here, may_change=may_change)}
if may_change:  # names and duplicates stand beside questions that others tagged, and changes beside who made them
    parts["emerging"] = partial(emerging.draw, here, zone)
    parts["duplicates"] = partial(duplicates.draw, here)
    parts["changes"] = partial(changes.draw, here, zone)
    parts["import"] = partial(importing.draw, here, "tags", partial(outcome.take_back, here))


if st.session_state.get(session.TAGS_SECTION) not in parts:  # somebody who may less than before
    forget("tags_section")


def on_section() -> None:
    dialog.close()
    forget(outcome.OUTCOME)


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
    if not dialog.is_open():  # which shows it itself
        outcome.show(here)
    parts[section]()
    dialog.draw(here, zone, may_change=may_change)
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
