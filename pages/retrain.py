"""Retrain: what there is to learn from, a training, whether its model is better, and which one is live. Layout only."""

import streamlit as st

from app.entry import frame
from app.learning import process
from app.retrain import asking, overview, result, run, versions
from app.retrain.material import load_material
from app.retrain.standing import standing
from app.shell import session
from app.shell.session import text
from db.ledger import history
from db.models.training_runs import Run

EVERY_SECONDS = 2  # a run that is going is looked at again

here = frame.enter("retrain")
zone = session.zone()


@st.fragment(run_every=EVERY_SECONDS)
@frame.guarded(here, "retrain")
def watch(begun: Run) -> None:
    going = process.look(here.store)
    if going is None or going.id != begun.id:
        st.rerun()  # it has ended: the whole page has news
    run.draw_running(here, going, zone)


@frame.guarded(here, "retrain")
def draw() -> None:
    going = process.look(here.store)
    with here.store.read() as reading:
        found, last = standing(reading), history.last_number(reading)
    if found.live is None:
        frame.explain(text("retrain.no_live"), text("retrain.no_live_message"), text("retrain.no_live_hint"))
    overview.draw_live(here, found.live.version, found)
    with st.spinner(text("retrain.counting")):
        material = load_material(here.settings.database, last, here.store)
    overview.draw_material(material, found)
    if going is not None:
        with st.container(border=True):
            watch(going)
    else:
        if found.stopped is not None:
            run.draw_stopped(here, found.stopped, zone)
        with st.container(border=True):
            run.draw_start(here, material)
    if found.results:
        result.draw_result(here, found)
    with st.expander(text("retrain.versions"), expanded=True, key="retrain_versions"):
        versions.draw_versions(here, found, zone)
    with st.expander(text("retrain.runs"), key="retrain_runs"):
        versions.draw_runs(found, zone)


asking.done_message()
draw()
