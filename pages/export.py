"""Export: filters, counts, a format with its preview, the file, and the difference to an earlier one. Layout only."""

import streamlit as st

from app.entry import frame
from app.export import content as view
from app.export.sections import choose_format, difference, downloads, kept, prepared_file, preview, remembered, with_bar
from app.history.content import STATES, visitor_zone
from app.shell.session import said, text
from app.shell.widgets import plain
from db import people
from db.errors import StoreError
from db.figures import statistics as stats
from db.ledger import history
from db.models import registry
from db.transfer.export import STATES as EXPORT_STATES
from db.transfer.export import ExportFilter
from l2a.errors import L2AError

# What the session remembers, each with what it was worked out from; the keys of the widgets begin alike.
QUESTIONS = "export_questions"
SUMMARY = "export_summary"

here = frame.enter("export")
zone = visitor_zone(st.context.timezone, st.context.timezone_offset)


def filters() -> ExportFilter:
    with here.store.read() as reading:
        names = [person.name for person in people.everyone(reading)]
        sources = list(stats.sources(reading))
        versions = [model.version for model in registry.everything(reading)]
    day = {"value": None, "format": "YYYY-MM-DD"}
    every = {"placeholder": text("export.all"), "select_all": False}  # nobody means all that happen to match
    flagged = {name: text(f"export.flagged_{name}") for name in view.FLAGGED}
    states = {state: text(STATES[state]) for state in EXPORT_STATES}
    source_names = {source: source or text("export.no_source") for source in sources}
    with st.container(horizontal=True, gap="small"):
        since = st.date_input(text("export.since"), key="export_since", width=140, **day)
        until = st.date_input(text("export.until"), key="export_until", width=140, **day)
    as_of = st.date_input(text("export.as_of"), key="export_as_of", help=text("export.as_of_hint"), **day)
    chosen = {
        "people": st.multiselect(text("export.people"), names, key="export_people", **every),
        "sources": st.multiselect(
            text("export.sources"),
            sources,
            format_func=lambda source: source_names.get(source, source),
            key="export_sources",
            **every,
        ),
        "models": st.multiselect(text("export.models"), versions, key="export_models", **every),
        "states": st.multiselect(
            text("export.states"),
            list(states),
            format_func=states.get,
            key="export_states",
            **every,
        ),
        "min_agreement": st.slider(
            text("export.min_agreement"),
            0.0,
            1.0,
            0.0,
            0.05,
            key="export_min_agreement",
            help=text("export.min_agreement_hint"),
        ),
        "reviewed_only": st.toggle(text("export.reviewed_only"), key="export_reviewed_only"),
        "rejections": st.toggle(text("export.rejections"), True, key="export_rejections"),
        "flagged": view.FLAGGED[
            st.selectbox(text("export.flagged"), list(flagged), format_func=flagged.get, key="export_flagged")
        ],
        "commented": st.toggle(text("export.commented"), key="export_commented"),
    }
    return view.chosen_filter(zone, since=since, until=until, as_of=as_of, **chosen)


def counts(chosen: ExportFilter, number: int, questions: int) -> None:
    """At once for a small store; when asked for in a large one."""

    def work() -> view.Summary:
        return with_bar("export.counting", lambda bar: view.count(here.store, chosen, bar))

    if questions > view.SMALL:
        hint = text("export.count_hint", questions=f"{questions:,}")
        asked = st.button(text("export.count"), key="export_count", help=hint)
        if not asked and kept(SUMMARY)[1:] != (chosen,):
            return
        if not asked and kept(SUMMARY) != (number, chosen):
            st.caption(text("export.newer", number=kept(SUMMARY)[0]))
            number = kept(SUMMARY)[0]
    summary = remembered(SUMMARY, (number, chosen), work)
    shown = {name: f"{getattr(summary, name):,}" for name in ("rows", "labels", "rejected", "redacted")}
    st.markdown(f"**{text('export.counts', **shown)}**")
    said = [f"{text(STATES[state])} {summary.states[state]:,}" for state in EXPORT_STATES if summary.states[state]]
    if summary.flagged or summary.commented or summary.held_back:
        notes = {name: f"{getattr(summary, name):,}" for name in ("flagged", "commented", "held_back")}
        said.append(text("export.notes", **notes))
    st.caption(" · ".join(said))


try:
    side, main = st.columns([3, 8], gap="medium")
    with side:
        wanted = filters()
    with here.store.read() as reading:
        newest = history.last_number(reading)
        decided = remembered(QUESTIONS, (newest,), lambda: history.count_questions(reading))
    with main:
        # A place of its own for each: what comes and goes in one must not close what is open in another.
        places = [st.container() for _ in range(5)]
    with places[0]:
        counts(wanted, newest, decided)
    with places[1]:
        name = choose_format()
    with places[3]:
        prepared = prepared_file(here, wanted, name, newest, decided)
        if prepared is not None:
            downloads(here, prepared, name)
    with places[2]:
        preview(here, wanted, name, newest, zone, prepared)
    with places[4]:
        difference(here, wanted, newest)
except (StoreError, L2AError) as error:
    st.error(text("error.refused", message=plain(said(error))))
