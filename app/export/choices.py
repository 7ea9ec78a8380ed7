"""What is chosen on the export page: which questions go out, and in which format."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.entry.labels_seen import STATES
from app.export import formats
from app.export.filters import FLAGGED, chosen_filter
from app.shell.options import called
from app.shell.session import text
from app.shell.widgets import plain
from db import people
from db.figures import statistics as stats
from db.models import registry
from db.transfer.export import STATES as EXPORT_STATES
from db.transfer.export import ExportFilter
from db.transfer.formats import FORMATS

DAY = "YYYY-MM-DD"


def choose_filter(here: Here, zone: tzinfo) -> ExportFilter:
    with here.store.read() as reading:
        names = [person.name for person in people.everyone(reading)]
        sources = list(stats.sources(reading))
        versions = [model.version for model in registry.everything(reading)]
    states = {state: text(STATES[state]) for state in EXPORT_STATES}
    source_names = {source: source or text("export.no_source") for source in sources}
    with st.container(horizontal=True, gap="small"):
        since = st.date_input(text("export.since"), None, key="export_since", width=140, format=DAY)
        until = st.date_input(text("export.until"), None, key="export_until", width=140, format=DAY)
    as_of = st.date_input(text("export.as_of"), None, key="export_as_of", help=text("export.as_of_hint"), format=DAY)
    return chosen_filter(
        zone,
        since=since,
        until=until,
        as_of=as_of,
        people=_some(text("export.people"), {name: name for name in names}, "export_people"),
        sources=_some(text("export.sources"), source_names, "export_sources"),
        models=_some(text("export.models"), {version: version for version in versions}, "export_models"),
        states=_some(text("export.states"), states, "export_states"),
        min_agreement=st.slider(
            text("export.min_agreement"),
            0.0,
            1.0,
            0.0,
            0.05,
            key="export_min_agreement",
            help=text("export.min_agreement_hint"),
        ),
        reviewed_only=st.toggle(text("export.reviewed_only"), key="export_reviewed_only"),
        rejections=st.toggle(text("export.rejections"), True, key="export_rejections"),
        flagged=FLAGGED[_flagged()],
        commented=st.toggle(text("export.commented"), key="export_commented"),
    )


def _some(label: str, names: dict[str, str], key: str) -> list[str]:
    """Any number of options; none of them means all."""
    return st.multiselect(
        label,
        list(names),
        format_func=called(names),
        placeholder=text("export.all"),
        select_all=False,  # nobody means all that happen to match
        key=key,
    )


def _flagged() -> str:
    names = {name: text(f"export.flagged_{name}") for name in FLAGGED}
    return st.selectbox(text("export.flagged"), list(names), format_func=called(names), key="export_flagged")


def choose_format() -> str:
    """A format, how it keeps every character, and what it has no place for."""
    names = {name: text(key) for name, key in formats.FORMAT_NAMES.items()}
    name = st.selectbox(text("export.format"), list(names), format_func=called(names), key="export_format")
    said = [plain(text(formats.ESCAPES[name]))]
    if name in formats.SPREADSHEET_FORMATS:
        said.append(text("export.spreadsheet"))
    if not FORMATS[name].keeps_notes:
        said.append(text("export.no_notes"))
    st.caption("  \n".join(said))
    return name
