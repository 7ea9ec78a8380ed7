"""Import and queue: questions in, the queue, people, models; each tab for those who may. Layout only."""

from functools import partial

import streamlit as st

from app.admin import done, importing, models, people, queue
from app.entry import frame
from app.shell import session
from app.shell.session import said, text
from db.access import allows
from db.errors import StoreError

here = frame.enter("queue")
zone = session.zone()
done.done_message()
tabs = (
    (text("queue.tab_import"), partial(importing.draw, here, "questions")),
    (text("queue.tab_queue"), partial(queue.draw_queue, here, zone)),
    (text("queue.tab_people"), partial(people.draw_people, here, zone)),
    (text("queue.tab_models"), partial(models.draw_models, here, zone)),
)
parts = [tab for action, tab in zip(frame.QUEUE_TABS, tabs, strict=True) if allows(here.visitor.role, action)]
try:
    # Only the tab that is open works: the others would read the store for nothing.
    for tab, (_, draw) in zip(
        st.tabs([name for name, _ in parts], key="queue_tab", on_change="rerun"), parts, strict=True
    ):
        if tab.open:
            with tab:
                draw()
except StoreError as error:
    frame.explain(text("error.store"), said(error), text("error.store_hint"))
