"""A training run: the form that starts one, how far it is, and why it stopped."""

from datetime import tzinfo
from pathlib import Path

import streamlit as st

from app.entry.frame import Here
from app.figures import learning as figures
from app.learning import gate, process
from app.learning.recipe import MODES, Options
from app.retrain import progress, standing, starting
from app.retrain.asking import act
from app.shell.clock import when
from app.shell.options import called
from app.shell.session import said, text
from app.shell.widgets import plain
from db.models.decided import Material
from db.models.training_runs import Run


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
    writable = starting.can_be_written(runs)
    if not writable:
        st.warning(plain(text("retrain.not_writable", folder=runs)))
    modes = dict(zip(MODES, (text("retrain.fine_tune"), text("retrain.scratch")), strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        mode = st.segmented_control(
            text("retrain.mode"),
            MODES,
            default=MODES[0],
            required=True,
            format_func=called(modes),
            help=text("retrain.mode_hint"),
            key="retrain_mode",
            width="content",
        )
        minutes = st.number_input(
            text("retrain.minutes"),
            1,
            starting.MOST_MINUTES,
            starting.DEFAULT_MINUTES,
            key="retrain_minutes",
            width=180,
        )
        with_replay = bool(replay) and st.toggle(
            text("retrain.replay", files=len(replay)),
            value=True,
            help=text("retrain.replay_hint"),
            key="retrain_replay",
            width="content",
        )
        missing = starting.missing_files(replay) if with_replay else []
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
    phase = text(f"retrain.phase_{run.phase if run.phase in standing.PHASES else 'begin'}")
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
    logged = progress.read_log(folder)
    left = None if run.cancel_requested else _time_left(run, logged, folder)
    st.progress(progress.progress(run), text=" · ".join(filter(None, (phase, left))))
    points = progress.loss_curve(logged)
    if len(points) < 2 and run.phase == "training":
        st.caption(text("retrain.no_curve"))
    elif len(points) > 1:
        chart = figures.loss_chart(points, step=text("retrain.step"), loss=text("retrain.loss"))
        st.plotly_chart(chart, theme="streamlit", config={"displayModeBar": False}, key="retrain_loss")
    with st.expander(text("retrain.log"), key="retrain_log"):
        st.code(progress.log_tail(folder / process.LOG) or text("retrain.no_log"), language=None, wrap_lines=True)
    st.caption(text("retrain.may_close"))


def _time_left(run: Run, logged: list[progress.Logged], folder: Path) -> str | None:
    """Of the present step, in words; nothing is said about steps that are over in a moment."""
    if run.phase not in ("training", "gate"):
        return None
    seconds = progress.seconds_left(run, logged, folder)
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
        st.text(said(run.message) if run.message else text("retrain.cancelled_message"))
        tail = progress.log_tail(process.folder_of(here.settings, run.id) / process.LOG)
        if tail:
            with st.expander(text("retrain.log"), key="retrain_log"):
                st.code(tail, language=None, wrap_lines=True)
