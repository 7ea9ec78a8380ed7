"""The result on the page Retrain: whether the trained model is better, why one says so, and making it live."""

from typing import Any

import streamlit as st

from app.entry import live_model
from app.entry.frame import Here
from app.figures import learning as figures
from app.learning import gate
from app.retrain import measures
from app.retrain.again import draw_again
from app.retrain.asking import act, ask, forget, is_asked
from app.retrain.standing import Finished, Standing
from app.retrain.versions import TABLE_HEIGHT, VERDICTS
from app.serving.model_folder import is_there
from app.shell.options import called
from app.shell.session import text
from app.shell.tables import table
from app.shell.widgets import plain

MOST_TAGS = 50
LOOKS = {
    "better": ":green[:material/trending_up:]",
    "same": ":gray[:material/drag_handle:]",
    "worse": ":red[:material/trending_down:]",
    "few": ":gray[:material/hourglass_empty:]",
}


def draw_result(here: Here, found: Standing) -> None:
    """The newest finished run, or another one: its verdict, what it rests on, and the way to make it live."""
    results = {result.run.id: result for result in found.results}
    with st.container(border=True):
        chosen = next(iter(results))
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**{text('retrain.result')}**", width="content")
            if len(results) > 1:
                names = {
                    number: text("retrain.run_name", run=number, candidate=result.run.candidate)
                    for number, result in results.items()
                }
                chosen = st.selectbox(
                    text("retrain.which"),
                    list(names),
                    format_func=called(names),
                    key="retrain_result",
                    label_visibility="collapsed",
                    width=320,
                )
        findings = results[chosen].findings
        verdict = VERDICTS[findings["verdict"]]
        st.header(f"{LOOKS[verdict]} {text(f'retrain.{verdict}')}", anchor=False)
        questions = f"{findings['questions']:,}"
        hints = {
            "better": text("retrain.better_hint", questions=questions),
            "same": text("retrain.same_hint", questions=questions),
            "worse": text("retrain.worse_hint", questions=questions),
            "few": text("retrain.few_hint", questions=questions, enough=gate.ENOUGH),
        }
        st.markdown(hints[verdict])
        _promotion(here, found, results[chosen])
        draw_again(here, found, results[chosen])
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _measures(findings)
        with right:
            _difference(findings)
            _parts(findings)
        _tags(findings)


def _promotion(here: Here, found: Standing, result: Finished) -> None:
    model = found.version(result.run.candidate)
    if model is None:
        return
    if model.state in ("live", "pruned"):
        st.caption(text("retrain.is_live") if model.state == "live" else text("retrain.is_pruned"))
    elif not is_there(model.version, model.path):
        st.caption(plain(text("retrain.folder_gone", path=model.path)))
    elif here.may("change models"):
        _promote_button(here, model.version, is_sure=measures.is_sure(result.findings))


def _promote_button(here: Here, version: str, *, is_sure: bool) -> None:
    def promote() -> None:
        act(
            lambda: live_model.promote(here, version),
            lambda model: text("retrain.now_live", version=model.version),
        )

    if is_sure:
        if st.button(text("retrain.promote"), type="primary", key="retrain_promote"):
            promote()
    elif not is_asked("promote", version):
        st.button(text("retrain.promote"), key="retrain_promote", on_click=ask, args=("promote", version))
    else:
        st.warning(plain(text("retrain.promote_sure", version=version)))
        with st.container(horizontal=True):
            yes = st.button(text("retrain.promote_anyway"), type="primary", key="retrain_promote_yes")
            st.button(text("retrain.leave"), on_click=forget, key="retrain_promote_no")
        if yes:
            promote()


def _measures(found: dict[str, Any]) -> None:
    rows = measures.measures(found)
    st.dataframe(
        {
            text("retrain.measure"): [text(f"retrain.m_{name}") for name, _, _ in rows],
            text("retrain.was_live", version=found["live"]["version"]): [live for _, live, _ in rows],
            text("retrain.is_candidate", version=found["candidate"]["version"]): [new for *_, new in rows],
        },
        hide_index=True,
    )


def _difference(found: dict[str, Any]) -> None:
    low, high = found["interval"]
    words = text(
        "retrain.difference",
        difference=f"{100 * found['difference']:+.1f}",
        low=f"{100 * low:+.1f}",
        high=f"{100 * high:+.1f}",
    )
    st.caption(words)
    chart = figures.difference_chart(found["difference"], (low, high), words=words, axis=text("retrain.points"))
    st.plotly_chart(chart, theme="streamlit", config={"displayModeBar": False}, key="retrain_difference")


def _parts(found: dict[str, Any]) -> None:
    """Questions served at random and in order, apart."""
    rows = measures.parts(found)
    if not rows:
        return
    names = {gate.RANDOM: text("retrain.at_random"), gate.ORDERED: text("retrain.in_order")}
    table(
        {
            text("retrain.served"): [names[part.name] for part in rows],
            text("retrain.questions"): [part.questions for part in rows],
            text("retrain.part_live"): [part.live for part in rows],
            text("retrain.part_candidate"): [part.candidate for part in rows],
            text("retrain.part_difference"): [part.difference for part in rows],
            text("retrain.outcome"): [text(f"retrain.{VERDICTS[part.verdict]}") for part in rows],
        },
        height=TABLE_HEIGHT,
    )
    st.caption(text("retrain.parts_hint"))


def _tags(found: dict[str, Any]) -> None:
    worse, better = measures.changed_tags(found)
    for column, heading, tags in zip(
        st.columns(2), (text("retrain.worse_tags"), text("retrain.better_tags")), (worse, better), strict=True
    ):
        with column.container(gap="xsmall"):
            st.markdown(f"**{heading}** ({len(tags):,})")
            if not tags:
                st.caption(text("retrain.no_tags"))
            else:
                _tag_table(tags[:MOST_TAGS])


def _tag_table(tags: list[dict[str, Any]]) -> None:
    def both(name: str) -> list[str]:
        return ["{} → {}".format(*tag[name]) for tag in tags]

    columns = {
        text("retrain.tag"): [tag["tag"] for tag in tags],
        text("retrain.right"): both("right"),
        text("retrain.wrong"): both("wrong"),
    }
    table(columns, height=TABLE_HEIGHT)
