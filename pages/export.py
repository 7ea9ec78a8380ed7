"""Export: filters, counts, a format with its preview, the file, and the difference to an earlier one. Layout only."""

import streamlit as st

from app.entry import frame
from app.export.choices import choose_filter, choose_format
from app.export.comparison import draw_difference
from app.export.counts import draw_counts
from app.export.download import downloads, prepared_file
from app.export.preview import draw_preview
from app.shell import session
from app.shell.memory import remembered
from app.shell.session import EXPORT_QUESTIONS as QUESTIONS
from app.shell.session import said, text
from app.shell.widgets import plain
from db.errors import StoreError
from db.ledger import history
from l2a.errors import L2AError

here = frame.enter("export")
zone = session.zone()

try:
    side, main = st.columns([3, 8], gap="medium")
    with side:
        wanted = choose_filter(here, zone)
    with here.store.read() as reading:
        newest = history.last_number(reading)
        decided = remembered(QUESTIONS, (newest,), lambda: history.count_questions(reading))
    with main:
        # A place of its own for each: what comes and goes in one must not close what is open in another.
        places = [st.container() for _ in range(5)]
    with places[0]:
        draw_counts(here, wanted, newest, decided)
    with places[1]:
        name = choose_format()
    with places[3]:
        prepared = prepared_file(here, wanted, name, newest, decided)
        if prepared is not None:
            downloads(here, prepared, name)
    with places[2]:
        draw_preview(here, wanted, name, newest, zone, prepared)
    with places[4]:
        draw_difference(here, wanted, newest)
except (StoreError, L2AError) as error:
    st.error(text("error.refused", message=plain(said(error))))
