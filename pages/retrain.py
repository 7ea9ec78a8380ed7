"""Retrain: what there is to learn from, a training, whether its model is better, and which one is live. Layout only."""

import streamlit as st

from app.dashboard.content import zone_of
from app.entry import frame
from app.learning import process, snapshot
from app.retrain import content as view
from app.retrain import result as retrain_result
from app.retrain import sections as parts
from app.shell.session import text
from db.figures import dashboard
from db.models.decided import Material
from db.models.training_runs import Run

EVERY_SECONDS = 2  # a run that is going is looked at again

here = frame.enter("retrain")
zone = zone_of(st.context.timezone, st.context.timezone_offset)


@st.cache_data(show_spinner=False, max_entries=4)
def load_material(database: str, last: int, _store) -> Material:
    """What a training would begin with now, once for each line of the ledger."""
    with _store.read() as reading:
        return snapshot.count(reading)


@st.fragment(run_every=EVERY_SECONDS)
@frame.guarded(here, "retrain")
def watch(begun: Run) -> None:
    run = process.look(here.store)
    if run is None or run.id != begun.id:
        st.rerun()  # it has ended: the whole page has news
    parts.draw_running(here, run, zone)


@frame.guarded(here, "retrain")
def draw() -> None:
    run = process.look(here.store)
    with here.store.read() as reading:
        found, last = view.standing(reading), dashboard.last_number(reading)
    if found.live is None:
        frame.explain(text("retrain.no_live"), text("retrain.no_live_message"), text("retrain.no_live_hint"))
    parts.draw_live(here, found)
    with st.spinner(text("retrain.counting")):
        material = load_material(here.settings.database, last, here.store)
    parts.draw_material(material, found)
    if run is not None:
        with st.container(border=True):
            watch(run)
    else:
        if found.stopped is not None:
            parts.draw_stopped(here, found.stopped, zone)
        with st.container(border=True):
            parts.draw_start(here, material)
    if found.results:
        retrain_result.draw_result(here, found)
    with st.expander(text("retrain.versions"), expanded=True, key="retrain_versions"):
        parts.draw_versions(here, found, zone)
    with st.expander(text("retrain.runs"), key="retrain_runs"):
        parts.draw_runs(found, zone)


parts.done_message()
draw()
