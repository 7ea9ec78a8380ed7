"""Comparing a candidate again, on the decisions there are by now, and letting it run in the shadow until then."""

import streamlit as st

from app.entry.frame import Here
from app.learning import process
from app.retrain.asking import act
from app.retrain.standing import Finished, Standing, decided_since
from app.serving.model_folder import is_there
from app.shell.session import text
from app.shell.widgets import plain
from db.models import shadow
from db.models.shadow import Shadow
from db.models.training_runs import Run
from db.store.tables import ModelVersion

QUESTIONS = 200  # in the shadow, unless somebody says otherwise


def draw_again(here: Here, found: Standing, result: Finished) -> None:
    """How many decisions have come since, and what to do about it."""
    with here.store.read() as reading:
        since, standing = decided_since(reading, result.run), shadow.standing(reading)
    compared = result.findings["questions"]
    st.caption(text("retrain.since_snapshot", since=f"{since:,}", compared=f"{compared:,}"))
    candidate = found.version(result.run.candidate)
    is_here = candidate is not None and standing is not None and standing.version == candidate.version
    if standing is not None and is_here:
        st.progress(standing.done / standing.questions if standing.left else 1.0, text=_shadow_words(standing))
    if candidate is None or candidate.state in ("live", "pruned") or not here.may("change models"):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if is_there(candidate.version, candidate.path):
            _compare_button(here, result.run, is_running=any(run.state == "running" for run in found.runs))
            if not is_here:
                _shadow_button(here, candidate, standing)
        if is_here:
            _stop_button(here)


def _compare_button(here: Here, run: Run, *, is_running: bool) -> None:
    if st.button(
        text("retrain.compare_again"),
        icon=":material/balance:",
        help=text("retrain.compare_again_hint"),
        disabled=is_running,
        key="retrain_compare",
    ):
        act(lambda: process.compare_again(here.settings, here.store, here.visitor.id, run.id), lambda _: None)


def _shadow_button(here: Here, candidate: ModelVersion, other: Shadow | None) -> None:
    questions = st.number_input(
        text("retrain.shadow_questions"), 1, shadow.MOST_QUESTIONS, QUESTIONS, key="retrain_shadow_questions", width=180
    )
    hint = text("retrain.shadow_hint")
    if other is not None:
        hint += " " + text("retrain.shadow_instead", version=other.version)
    if st.button(text("retrain.shadow"), icon=":material/visibility_off:", help=plain(hint), key="retrain_shadow"):
        act(
            lambda: here.store.run(
                lambda session: shadow.start(session, candidate.version, int(questions), here.visitor.id)
            ),
            lambda begun: text("retrain.shadow_begun", version=begun.version, questions=f"{begun.questions:,}"),
        )


def _stop_button(here: Here) -> None:
    if st.button(text("retrain.shadow_stop"), icon=":material/stop_circle:", key="retrain_shadow_stop"):
        act(lambda: here.store.run(lambda session: shadow.stop(session, here.visitor.id)), lambda _: None)


def _shadow_words(standing: Shadow) -> str:
    numbers = {"done": f"{standing.done:,}", "questions": f"{standing.questions:,}"}
    return text("retrain.shadow_done", **numbers) if not standing.left else text("retrain.in_the_shadow", **numbers)
