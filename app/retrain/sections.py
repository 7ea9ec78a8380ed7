"""Parts of the page Retrain: what there is to train on, a run, all versions; retrain_result.py has the result."""

from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path

import streamlit as st

from app.entry.frame import Here
from app.figures import learning as figures
from app.learning import gate, process
from app.learning.recipe import MODES, Options
from app.retrain import content as view
from app.retrain import progress as retrain_progress
from app.retrain import roll_back
from app.retrain.content import Standing
from app.shell import acts
from app.shell.acts import when
from app.shell.messages import from_stored
from app.shell.session import said, text
from app.shell.widgets import plain
from db.models.decided import Material
from db.models.training_runs import Run

# What the session remembers; the keys of the widgets begin alike.
DONE = "retrain_done"  # what was just done, shown after the page has run again
SURE = "retrain_sure"  # (what, version) that somebody shall confirm
TABLE_HEIGHT = 280
VERDICTS = dict(zip(gate.VERDICTS, ("better", "same", "worse", "few"), strict=True))


def done_message() -> None:
    acts.done_message(DONE)


def act(work: Callable[[], object], message: Callable[[object], str | None]) -> None:
    """As `acts.act`; what was to be confirmed is settled then."""

    def settle(result: object) -> str | None:
        forget()
        return message(result)

    acts.act(DONE, work, settle)


def is_asked(what: str, version: str) -> bool:
    return st.session_state.get(SURE) == (what, version)


def ask(what: str, version: str) -> None:
    st.session_state[SURE] = (what, version)


def forget() -> None:
    st.session_state.pop(SURE, None)


# --- what there is ----------------------------------------------------------------------------------------------------


def draw_live(here: Here, found: Standing) -> None:
    """Which version is live, with the way back."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(
            plain(text("retrain.live", version=found.live.version)), anchor=False, help=text("retrain.live_hint")
        )
        if here.may("change models"):
            roll_back.button(found.earlier, "retrain")
    if here.may("change models"):
        roll_back.confirm(here, found.earlier, "retrain", DONE)


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


# --- a run ------------------------------------------------------------------------------------------------------------


def draw_start(here: Here, material: Material) -> None:
    """The form that starts a run, for admins; what stands in the way is said instead."""
    st.markdown(f"**{text('retrain.start_heading')}**")
    runs, replay = here.settings.runs, here.settings.replay
    if not material.train:
        st.info(text("retrain.nothing"))
        return
    if material.held_out < gate.ENOUGH:
        st.caption(text("retrain.few_held_out", held_out=material.held_out, enough=gate.ENOUGH))
    if not here.may("change models"):
        st.caption(text("retrain.only_admins"))
        return
    writable = view.can_be_written(runs)
    if not writable:
        st.warning(plain(text("retrain.not_writable", folder=runs)))
    modes = dict(zip(MODES, (text("retrain.fine_tune"), text("retrain.scratch")), strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        mode = st.segmented_control(
            text("retrain.mode"),
            MODES,
            default=MODES[0],
            required=True,
            format_func=modes.get,
            help=text("retrain.mode_hint"),
            key="retrain_mode",
            width="content",
        )
        minutes = st.number_input(
            text("retrain.minutes"), 1, view.MOST_MINUTES, view.DEFAULT_MINUTES, key="retrain_minutes", width=180
        )
        with_replay = bool(replay) and st.toggle(
            text("retrain.replay", files=len(replay)),
            value=True,
            help=text("retrain.replay_hint"),
            key="retrain_replay",
            width="content",
        )
        missing = view.missing_files(replay) if with_replay else []
        start = st.button(
            text("retrain.start"), type="primary", disabled=not writable or bool(missing), key="retrain_start"
        )
    if not replay:
        st.caption(text("retrain.no_replay"))
    if missing:
        st.warning(plain(text("retrain.replay_missing", files=", ".join(missing))))
    if start:
        options = Options(mode=mode, minutes=float(minutes), replay=replay if with_replay else ())
        act(lambda: process.start(here.settings, here.store, here.visitor.id, options), _started)


def _started(run: Run) -> str | None:
    """A process that could not be started leaves a failed run, which the page shows."""
    return text("retrain.started", run=run.id) if run.state == "running" else None


def draw_running(here: Here, run: Run, zone: tzinfo) -> None:
    """How far a run is; the same whoever looks, and after any restart."""
    phase = text(f"retrain.phase_{run.phase if run.phase in view.PHASES else 'begin'}")
    if run.total:
        phase = text("retrain.of", phase=phase, done=f"{run.done:,}", total=f"{run.total:,}")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(gap="xxsmall"):
            heading = text("retrain.cancelling" if run.cancel_requested else "retrain.running", run=run.id)
            st.subheader(heading, anchor=False)
            st.caption(_asked(run, zone))
        if here.may("change models"):
            label = text("retrain.kill") if run.cancel_requested else text("retrain.cancel")
            if st.button(label, icon=":material/stop_circle:", key="retrain_cancel"):
                act(lambda: process.stop(here.store, run, here.visitor.id), lambda _: None)
    if run.cancel_requested:
        st.warning(text("retrain.cancel_asked"))
    folder = process.folder_of(here.settings, run.id)
    logged = retrain_progress.read_log(folder)
    left = None if run.cancel_requested else _time_left(run, logged, folder)
    st.progress(retrain_progress.progress(run), text=" · ".join(filter(None, (phase, left))))
    points = retrain_progress.loss_curve(logged)
    if len(points) < 2 and run.phase == "training":
        st.caption(text("retrain.no_curve"))
    elif len(points) > 1:
        chart = figures.loss_chart(points, step=text("retrain.step"), loss=text("retrain.loss"))
        st.plotly_chart(chart, theme="streamlit", config={"displayModeBar": False}, key="retrain_loss")
    with st.expander(text("retrain.log"), key="retrain_log"):
        st.code(view.log_tail(folder / process.LOG) or text("retrain.no_log"), language=None, wrap_lines=True)
    st.caption(text("retrain.may_close"))


def _time_left(run: Run, logged: list[retrain_progress.Logged], folder: Path) -> str | None:
    """Of the present step, in words; nothing is said about steps that are over in a moment."""
    if run.phase not in ("training", "gate"):
        return None
    seconds = retrain_progress.seconds_left(run, logged, folder)
    if seconds is None:
        return text("retrain.left_unknown")
    if seconds < 60:
        return text("retrain.left_moment")
    minutes = round(seconds / 60)
    if minutes < 60:
        return text("retrain.left_minutes", minutes=minutes)
    return text("retrain.left_hours", hours=minutes // 60, minutes=minutes % 60)


def _asked(run: Run, zone: tzinfo) -> str:
    person = plain(run.requested_by) if run.requested_by else text("retrain.program")
    return text("retrain.asked", person=person, when=when(run.requested_at, zone))


def draw_stopped(here: Here, run: Run, zone: tzinfo) -> None:
    """A run that did not come to its end: why, and how to go on."""
    headings = {
        "failed": text("retrain.failed", run=run.id),
        "cancelled": text("retrain.cancelled", run=run.id),
        "lost": text("retrain.lost", run=run.id),
    }
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(gap="xxsmall"):
                st.markdown(f"**{headings[run.state]}**")
                st.caption(_asked(run, zone))
            if here.may("change models") and st.button(
                text("retrain.again"),
                icon=":material/play_arrow:",
                help=text("retrain.again_hint"),
                key="retrain_again",
            ):
                act(lambda: process.start_again(here.settings, here.store, here.visitor.id, run.id), _started)
        st.text(said(from_stored(run.message)) if run.message else text("retrain.cancelled_message"))
        tail = view.log_tail(process.folder_of(here.settings, run.id) / process.LOG)
        if tail:
            with st.expander(text("retrain.log"), key="retrain_log"):
                st.code(tail, language=None, wrap_lines=True)


# --- versions and runs ------------------------------------------------------------------------------------------------


def draw_versions(here: Here, found: Standing, zone: tzinfo) -> None:
    states = {
        "candidate": text("retrain.candidate"),
        "live": text("retrain.live_state"),
        "retired": text("retrain.retired"),
        "pruned": text("retrain.pruned"),
    }
    names = {model.id: model.version for model in found.versions}
    newest = found.versions[::-1]
    st.dataframe(
        {
            text("retrain.version"): [model.version for model in newest],
            text("retrain.state"): [states[model.state] for model in newest],
            text("retrain.parent"): [names.get(model.parent_id, "–") for model in newest],
            text("retrain.when"): [when(model.registered_at, zone) for model in newest],
            text("retrain.path"): [model.path for model in newest],
        },
        hide_index=True,
        **({"height": TABLE_HEIGHT} if len(newest) > 7 else {}),
    )
    if here.may("change models") and (choices := view.prunable(found)):
        _prune(here, choices)


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
        act(lambda: view.prune(here.settings, here.store, version, here.visitor.id), _pruned)


def _pruned(done: view.Pruned) -> str:
    if done.deleted:
        return text("retrain.prune_done", version=done.version, path=done.path)
    return text("retrain.prune_kept", version=done.version, path=done.path)


def draw_runs(found: Standing, zone: tzinfo) -> None:
    if not found.runs:
        st.caption(text("retrain.no_runs"))
        return
    runs = found.runs
    verdicts = [text(f"retrain.{VERDICTS[run.gate['verdict']]}") if run.gate else "–" for run in runs]
    st.dataframe(
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
        hide_index=True,
        **({"height": TABLE_HEIGHT} if len(runs) > 7 else {}),
    )
