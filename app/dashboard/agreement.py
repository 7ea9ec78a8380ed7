"""How far people agree with each other and with the model."""

import streamlit as st

from app.dashboard import tables
from app.dashboard.loading import load_agreement
from app.dashboard.panel import TABLE_HEIGHT, panel
from app.entry.frame import Here
from app.shell.session import DASHBOARD_AGREEMENT as AGREEMENT
from app.shell.session import text
from db.figures.agreement import ModelAgreement
from db.figures.statistics import Agreement


def draw_when_asked(here: Here, last: int) -> None:
    """It reads every opinion there is. `last`: the ledger's newest number."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(text("dashboard.agreement"), anchor=False, width="content")
        if st.session_state.get(AGREEMENT) != last and st.button(
            text("dashboard.compute"), type="secondary", key="dashboard_agreement_button"
        ):
            st.session_state[AGREEMENT] = last
            st.rerun()
    st.caption(text("dashboard.agreement_hint"))
    if (asked := st.session_state.get(AGREEMENT)) is not None:
        with st.spinner(text("dashboard.counting")):
            found = load_agreement(here.settings.database, asked, here.store)
        _draw(here, found)


def _draw(here: Here, found: Agreement) -> None:
    left, right = st.columns(2)
    with left:
        panel(here, text("dashboard.measures"), tables.agreement_table(found), lambda: _measures(found))
    with right:
        panel(
            here,
            text("dashboard.kappas"),
            tables.kappas_table(found),
            lambda: st.dataframe(
                {
                    text("dashboard.tag"): [item.tag for item in found.tags],
                    text("dashboard.kappa"): [_number(item.kappa) for item in found.tags],
                    text("dashboard.opinions"): [item.positive for item in found.tags],
                    text("dashboard.questions"): [item.questions for item in found.tags],
                },
                hide_index=True,
                height=TABLE_HEIGHT,
            ),
            text("dashboard.kappas_hint"),
        )


def _measures(found: Agreement) -> None:
    model, fair = found.model, found.model.unbiased
    names = {
        "acceptance_of_shown": text("dashboard.acceptance_of_shown"),
        "acceptance_of_judged": text("dashboard.acceptance_of_judged"),
        "precision": text("dashboard.precision"),
        "recall": text("dashboard.recall"),
        "similarity": text("dashboard.similarity"),
    }
    alpha = _number(found.alpha.value)
    rows = [(text("dashboard.alpha"), alpha, ""), (text("dashboard.answers"), f"{model.answers:,}", _count(fair))]
    rows += [
        (name, _number(getattr(model, measure)), _number(getattr(fair, measure, None)))
        for measure, name in names.items()
    ]
    heads = (text("dashboard.measure"), text("dashboard.everything"), text("dashboard.random"))
    st.dataframe(
        {head: [row[place] for row in rows] for place, head in enumerate(heads)},
        hide_index=True,
    )
    st.caption(_alpha_words(found))


def _alpha_words(found: Agreement) -> str:
    if not found.alpha.units:
        return text("dashboard.no_pairs")
    if found.alpha.value is None:
        return text("dashboard.no_variation")
    return text("dashboard.pairs", questions=f"{found.alpha.units:,}", opinions=f"{found.alpha.opinions:,}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _count(model: ModelAgreement | None) -> str:
    return "–" if model is None else f"{model.answers:,}"
