"""The changes of tags, newest first, each with its way back."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.shell.clock import when
from app.shell.session import said, text
from app.tags import outcome
from db.figures import admin_log


def draw(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        log = admin_log.recent(reading, ("tag",))
    if not log:
        st.info(text("tags.no_changes"))
        return
    for line in log:
        with st.container(horizontal=True, vertical_alignment="center", key=f"tags_change_{line.number}"):
            about = f"{line.number} · {when(line.at, zone)} · {line.person or text('tags.program')}"
            with st.container(gap=None):
                st.text(said(line.summary))
                st.caption(about)
            if line.undone_by is not None:
                st.caption(text("tags.taken_back", number=line.undone_by), width="content")
            else:
                st.button(
                    text("tags.undo"),
                    key=f"tags_undo_{line.number}",
                    on_click=outcome.take_back,
                    args=(here, line.number),
                    width="content",
                )
