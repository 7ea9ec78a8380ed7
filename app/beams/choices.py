"""What is chosen on the beams page: the beam, the votes a tag needs, and what a person asks for."""

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.beams import thresholds
from app.beams.thresholds import LARGEST_BEAM
from app.entry import question_choice
from app.entry.question_choice import ChosenQuestion
from app.shell.session import BEAMS_BAN as BAN
from app.shell.session import BEAMS_BEAM as BEAM
from app.shell.session import BEAMS_CLOSED as CLOSED
from app.shell.session import BEAMS_FORCE as FORCE
from app.shell.session import BEAMS_OPENED as OPENED
from app.shell.session import BEAMS_VOTES as VOTES
from app.shell.session import text
from db.store.engine import Store
from db.tags import listing as tag_list

if TYPE_CHECKING:
    from l2a.tagger import Constraints


def open_link() -> None:
    """Set the question to the one in the address, once for each address that is opened."""
    named = {name: st.query_params[name] for name in ("question", "title", "description") if name in st.query_params}
    if named and st.session_state.get(OPENED) != named:
        st.session_state[OPENED] = named
        number = named.get("question", "")
        question_choice.open_with(
            "beams",
            question=int(number) if number.isascii() and number.isdigit() else None,
            title=named.get("title", ""),
            description=named.get("description", ""),
        )


def choose_beam(first: int, column: DeltaGenerator) -> int:
    st.session_state.setdefault(BEAM, min(first, LARGEST_BEAM))
    return column.slider(text("beams.beam"), 1, LARGEST_BEAM, key=BEAM, persist_state="session")


def choose_votes(threshold: float, beam: int, column: DeltaGenerator) -> int:
    """The votes a tag must exceed; begins with the model's own threshold at every beam."""
    return column.slider(
        text("beams.votes"), 0, beam, min(beam, round(threshold * beam)), key=f"{VOTES}-{beam}", persist_state="session"
    )


def choose_constraints(
    store: Store, question: ChosenQuestion, known: Sequence[str], columns: Sequence[DeltaGenerator]
) -> "Constraints | None":
    """Tags to leave out, one to begin with, and whether only the store's count; `known` are offered."""
    which = question.id or zlib.crc32(f"{question.title}\n{question.description}".encode())
    ban = columns[0].multiselect(
        text("beams.ban"),
        list(known),
        placeholder=text("beams.ban_hint"),
        accept_new_options=True,
        select_all=False,  # "Select 7 matches" would ban seven
        key=f"{BAN}-{which}",
    )
    first = columns[1].selectbox(
        text("beams.force"),
        list(known),
        index=None,
        placeholder=text("beams.force_hint"),
        accept_new_options=True,
        key=f"{FORCE}-{which}",
    )
    closed = columns[1].toggle(text("beams.closed"), key=CLOSED)
    return thresholds.make_constraints(ban, first, _store_tags(store) if closed else None)


def _store_tags(store: Store) -> tuple[str, ...]:
    with store.read() as reading:
        return tuple(tag.name for tag in tag_list.list_tags(reading, "active"))
