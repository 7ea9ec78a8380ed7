"""The versions of the model, and which one is live."""

from datetime import tzinfo

import streamlit as st

from app.admin.done import DONE, TABLE_HEIGHT, draw_history
from app.entry import live_model
from app.entry.frame import Here
from app.serving.model_folder import is_there
from app.shell.clock import when
from app.shell.feedback import carry_out
from app.shell.session import text
from app.shell.tables import table
from db.figures import admin_log
from db.figures import statistics as stats
from db.models import registry


def draw_models(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        models = registry.everything(reading)
        log = admin_log.recent(reading, ("register", "promote", "rollback", "retrain", "prune"))
        answered = stats.overview(reading).suggestions
        before = registry.earlier(reading)
    if not models:
        st.caption(text("queue.no_models"))
        return
    states = {
        "candidate": text("queue.candidate"),
        "live": text("queue.live"),
        "retired": text("queue.retired"),
        "pruned": text("queue.pruned"),
    }
    there = {model.version: is_there(model.version, model.path) for model in models}
    table(
        {
            text("queue.version"): [model.version for model in models],
            text("queue.state"): [states[model.state] for model in models],
            text("queue.folder"): [
                model.path if there[model.version] else text("queue.folder_gone", path=model.path) for model in models
            ],
            text("queue.registered"): [when(model.registered_at, zone) for model in models],
            text("queue.suggestions"): [answered.get(model.version, 0) for model in models],
        },
        height=TABLE_HEIGHT,
    )
    st.caption(text("queue.models_hint"))
    others = [m.version for m in models if m.state not in ("live", "pruned") and there[m.version]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        version = st.selectbox(
            text("queue.version"), others, index=None, placeholder=text("queue.choose_version"), width=320
        )
        promote = st.button(text("queue.promote"), type="primary", disabled=version is None)
        live_model.roll_back_button(before, "queue")
    live_model.confirm_roll_back(here, before, "queue", DONE)
    if promote and version is not None:
        carry_out(
            DONE,
            lambda: live_model.promote(here, version),
            lambda model: text("queue.promoted", version=model.version),
        )
    draw_history(log, zone, "models")
