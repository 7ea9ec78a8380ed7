"""What there is on the page Retrain: the live version with the way back, and what a training would begin with."""

import streamlit as st

from app.entry import live_model
from app.entry.frame import Here
from app.learning import gate
from app.retrain.asking import DONE
from app.retrain.standing import Standing
from app.shell.session import text
from app.shell.widgets import plain
from db.models.decided import Material


def draw_live(here: Here, live: str, found: Standing) -> None:
    """Which version is live, with the way back."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(plain(text("retrain.live", version=live)), anchor=False, help=text("retrain.live_hint"))
        if here.may("change models"):
            live_model.roll_back_button(found.earlier, "retrain")
    if here.may("change models"):
        live_model.confirm_roll_back(here, found.earlier, "retrain", DONE)


def draw_material(material: Material, found: Standing) -> None:
    since = text("retrain.since_hint") if found.live_was_trained_here else text("retrain.since_all_hint")
    numbers = (
        (text("retrain.decisions"), material.train, text("retrain.decisions_hint")),
        (text("retrain.rejected"), material.rejected, None),
        (
            text("retrain.held_out"),
            material.held_out,
            text("retrain.held_out_hint", enough=gate.ENOUGH, reserved=material.reserved),
        ),
        (text("retrain.since"), found.since, since),
    )
    for column, (label, number, hint) in zip(st.columns(4), numbers, strict=True):
        column.metric(label, f"{number:,}", help=hint)
