"""Parts of the beams page: what is chosen on it and what it draws. What they mean is in app/beams/content.py."""

import html
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from app.beams import content as beam_view
from app.beams.content import BEAMS, LARGEST_BEAM, MOST_KEPT, BeamRow
from app.entry import question_choice
from app.entry.question_choice import ChosenQuestion
from app.figures.beams import threshold_figure
from app.shell.session import text
from app.shell.widgets import percent
from db.store.engine import Store
from db.tags import listing as tag_list

if TYPE_CHECKING:
    from l2a.tagger import Constraints, Suggestions

OPENED = "beams-opened"
BEAM = "beams-beam"
VOTES = "beams-votes"
BAN = "beams-ban"
FORCE = "beams-force"
CLOSED = "beams-closed"
TABLE_HEIGHT = 420


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


def choose_beam(first: int, column) -> int:
    st.session_state.setdefault(BEAM, min(first, LARGEST_BEAM))
    return column.slider(text("beams.beam"), 1, LARGEST_BEAM, key=BEAM, persist_state="session")


def choose_votes(threshold: float, beam: int, column) -> int:
    """The votes a tag must exceed; begins with the model's own threshold at every beam."""
    return column.slider(
        text("beams.votes"), 0, beam, min(beam, round(threshold * beam)), key=f"{VOTES}-{beam}", persist_state="session"
    )


def choose_constraints(store: Store, question: ChosenQuestion, known: Sequence[str], columns) -> "Constraints | None":
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
    return beam_view.make_constraints(ban, first, _store_tags(store) if closed else None)


def kept_line(result: "Suggestions", votes: int, base: "Suggestions") -> None:
    """The tags that are kept, and those that were before a person asked for something."""
    threshold = votes / result.beam
    kept = beam_view.tags_over(result.suggestions, result.beam, threshold)[:MOST_KEPT]
    st.markdown(
        f"**{text('beams.kept', votes=votes, beam=result.beam, threshold=percent(threshold))}**", width="stretch"
    )
    if kept:
        st.html(beam_view.tag_chips(kept, result.suggestions, result.beam))
    else:
        st.text(text("beams.none"))
    if base is not result:
        before = beam_view.tags_over(base.suggestions, base.beam, threshold)[:MOST_KEPT]
        st.text(text("beams.without", tags="、".join(before) or text("beams.nothing")))


def nbest_table(result: "Suggestions") -> None:
    orders = {hypothesis.order: text(f"order.{hypothesis.order}") for hypothesis in result.hypotheses}
    names = [text("nbest.rank"), text("nbest.tags"), text("nbest.log_probability")]
    if len(orders) > 1:  # a model with two members
        names.insert(2, text("nbest.order"))
    heads = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
    rows = beam_view.hypothesis_rows(result.hypotheses, result.suggestions, result.beam, text("nbest.empty"), orders)
    st.html(
        f'<div class="l2a-scroll"><table class="l2a-nbest"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def thresholds(result: "Suggestions", votes: int) -> None:
    """The stairs, and under them which tags each step leaves."""
    steps = beam_view.threshold_steps(result.suggestions, result.beam)
    figure = threshold_figure(
        steps, threshold=votes / result.beam, labels=(text("beams.threshold"), text("beams.tags"))
    )
    st.plotly_chart(figure, config={"displayModeBar": False}, key="beams-stairs")
    rows = [
        {
            text("beams.over"): step.votes,
            text("beams.threshold"): percent(step.threshold),
            text("beams.count"): len(step.tags),
            text("beams.tags"): list(step.tags),
        }
        for step in steps
    ]
    st.dataframe(rows, hide_index=True, height=min(TABLE_HEIGHT, 38 + 35 * len(rows)))


def try_beams(decode: Callable[[int], "Suggestions"], threshold: float) -> list[BeamRow]:
    """The result at every beam size, with a bar that says how far it is."""
    rows = []
    bar = st.progress(0.0, text("beams.trying", beam=BEAMS[0]))
    for row in beam_view.try_beams(decode, threshold):
        rows.append(row)
        if len(rows) < len(BEAMS):
            bar.progress(sum(BEAMS[: len(rows)]) / sum(BEAMS), text("beams.trying", beam=BEAMS[len(rows)]))
    bar.empty()
    return rows


def beams_table(rows: Sequence[BeamRow]) -> None:
    st.dataframe(
        [
            {
                text("beams.size"): row.beam,
                text("beams.size_kept"): list(row.kept),
                text("beams.voted"): row.voted,
                text("beams.best"): None if row.best is None else round(row.best, 2),
                text("beams.seconds"): round(row.seconds, 2),
            }
            for row in rows
        ],
        hide_index=True,
    )


def _store_tags(store: Store) -> tuple[str, ...]:
    with store.read() as reading:
        return tuple(tag.name for tag in tag_list.list_tags(reading, "active"))
