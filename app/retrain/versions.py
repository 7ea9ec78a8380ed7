"""All versions, with the ones to give up, and all runs."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.learning import gate, pruning
from app.retrain.asking import act, ask, forget, is_asked
from app.retrain.standing import Standing
from app.shell.clock import when
from app.shell.session import text
from app.shell.tables import table
from app.shell.widgets import plain
from db.store.tables import ModelVersion

TABLE_HEIGHT = 280
VERDICTS = dict(zip(gate.VERDICTS, ("better", "same", "worse", "few"), strict=True))


def draw_versions(here: Here, found: Standing, zone: tzinfo) -> None:
    states = {
        "candidate": text("retrain.candidate"),
        "live": text("retrain.live_state"),
        "retired": text("retrain.retired"),
        "pruned": text("retrain.pruned"),
    }
    names = {model.id: model.version for model in found.versions}
    newest = found.versions[::-1]
    table(
        {
            text("retrain.version"): [model.version for model in newest],
            text("retrain.state"): [states[model.state] for model in newest],
            text("retrain.parent"): [_parent(model, names) for model in newest],
            text("retrain.when"): [when(model.registered_at, zone) for model in newest],
            text("retrain.path"): [model.path for model in newest],
        },
        height=TABLE_HEIGHT,
    )
    if here.may("change models") and (choices := pruning.prunable(found.versions)):
        _prune(here, choices)


def _parent(model: ModelVersion, names: dict[int, str]) -> str:
    return "–" if model.parent_id is None else names.get(model.parent_id, "–")


def _prune(here: Here, choices: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        version = st.selectbox(
            text("retrain.prune_label"),
            choices,
            index=None,
            placeholder=text("retrain.prune_choose"),
            key="retrain_prune_version",
            on_change=forget,
            width=320,
        )
        st.button(
            text("retrain.prune"), key="retrain_prune", disabled=version is None, on_click=ask, args=("prune", version)
        )
    if version is None or not is_asked("prune", version):
        return
    st.warning(plain(text("retrain.prune_sure", version=version)))
    with st.container(horizontal=True):
        yes = st.button(text("retrain.prune_yes"), type="primary", key="retrain_prune_yes")
        st.button(text("retrain.leave"), on_click=forget, key="retrain_prune_no")
    if yes:
        act(lambda: pruning.prune(here.settings, here.store, version, here.visitor.id), _pruned)


def _pruned(done: pruning.Pruned) -> str:
    if done.deleted:
        return text("retrain.prune_done", version=done.version, path=done.path)
    return text("retrain.prune_kept", version=done.version, path=done.path)


def draw_runs(found: Standing, zone: tzinfo) -> None:
    if not found.runs:
        st.caption(text("retrain.no_runs"))
        return
    runs = found.runs
    verdicts = [text(f"retrain.{VERDICTS[run.gate['verdict']]}") if run.gate else "–" for run in runs]
    table(
        {
            text("retrain.run"): [run.id for run in runs],
            text("retrain.state"): [text(f"retrain.s_{run.state}") for run in runs],
            text("retrain.person"): [run.requested_by or text("retrain.program") for run in runs],
            text("retrain.begun"): [when(run.requested_at, zone) for run in runs],
            text("retrain.ended"): [when(run.ended_at, zone) for run in runs],
            text("retrain.version"): [run.candidate or "–" for run in runs],
            text("retrain.outcome"): verdicts,
            text("retrain.change"): [f"{100 * run.gate['difference']:+.1f}" if run.gate else "–" for run in runs],
        },
        height=TABLE_HEIGHT,
    )
