"""Likely duplicates on the page Tags: two tags side by side, one press to keep either, or to say that they are two."""

from collections import Counter

import streamlit as st

from app.entry.frame import Here
from app.shell.memory import forget
from app.shell.session import TAGS_PAIRS_PAGE as PAGE
from app.shell.session import TAGS_REASON as REASON
from app.shell.session import said, text
from app.shell.widgets import plain
from app.tags import changing, markup, outcome, paging
from app.tags.dialog import touches
from db.errors import StoreError
from db.tags import distinct as tag_distinct
from db.tags import planning as tags
from db.tags import rows as tag_rows
from db.tags.duplicates import REASONS, Pair
from db.tags.rows import TagRow

ALL = "all"


def draw(here: Here) -> None:
    with st.spinner(text("tags.looking")):
        pairs = here.duplicates.find()
    if not pairs:
        st.info(text("tags.no_duplicates"))
        st.caption(text("tags.no_duplicates_hint"))
    else:
        _pairs(here, _of_one_reason(pairs))
    _dismissed(here)


def _of_one_reason(pairs: list[Pair]) -> list[Pair]:
    counted = Counter(reason for pair in pairs for reason in pair.reasons)
    names = {ALL: text("tags.reason_all", number=f"{len(pairs):,}")}
    names |= {reason: f"{text(f'tags.reason_{reason}')} {counted[reason]:,}" for reason in REASONS if counted[reason]}
    if st.session_state.get(REASON) not in names:
        forget(REASON)
    chosen = st.segmented_control(
        text("tags.reason"),
        list(names),
        default=ALL,
        required=True,
        format_func=lambda name: names.get(name, name),
        key=REASON,
        on_change=forget,
        args=(PAGE, outcome.OUTCOME),
        label_visibility="collapsed",
    )
    return [pair for pair in pairs if chosen in (None, ALL, *pair.reasons)]


def _pairs(here: Here, pairs: list[Pair]) -> None:
    for pair in paging.shown(pairs, PAGE):  # what each would touch is counted before anybody asks
        _pair(here, pair)
    paging.buttons(pairs, PAGE, "tags_pairs")


def _pair(here: Here, pair: Pair) -> None:
    with here.store.read() as reading:
        rows = tag_rows.rows_of(reading, (pair.first, pair.second))
        examples = markup.examples_of(reading, rows)
    if len(rows) < 2:
        return
    mark = f"{pair.first}_{pair.second}"
    with st.container(border=True, key=f"tags_pair_{mark}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            words = " · ".join(text(f"tags.reason_{reason}") for reason in pair.reasons)
            if pair.shared:
                words += f" · {text('tags.shared', shared=pair.shared, together=pair.together)}"
            st.caption(words, width="content")
            st.button(text("tags.not_duplicate"), key=f"tags_distinct_{mark}", on_click=_distinct, args=(here, *rows))
        for side, kept, other, titles in zip(st.columns(2, gap="medium"), rows, reversed(rows), examples, strict=True):
            with side:
                st.html(markup.side_html(kept, titles, text))
                _keep(here, kept, other, mark)


def _keep(here: Here, kept: TagRow, other: TagRow, mark: str) -> None:
    """What the merge would touch stands by its button, so one press is enough."""
    try:
        with here.store.read() as reading:
            plan = tags.plan_merge(reading, other.name, kept.name)
    except StoreError as error:
        st.caption(plain(said(error)))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            text("tags.keep", tag=plain(kept.name)),
            key=f"tags_keep_{kept.id}_of_{mark}",
            help=text("tags.keep_hint", other=plain(other.name)),
            on_click=_merge,
            args=(here, plan, other.name, kept.name),
        )
        st.caption(touches(plan, "tags.touches_short"), width="content")


def _merge(here: Here, plan: tags.Plan, name: str, into: str) -> None:
    def work() -> outcome.Outcome:
        return outcome.changed(
            changing.change_tags(here.store, plan, "merge", name, into, here.visitor.id), plan.summary
        )

    outcome.attempt(work)


def _distinct(here: Here, one: TagRow, other: TagRow) -> None:
    def work() -> outcome.Outcome:
        here.store.run(lambda session: tag_distinct.mark(session, one.id, other.id, here.visitor.id))
        return outcome.Outcome("tags.remembered", {"first": one.name, "second": other.name})

    outcome.attempt(work)


def _dismissed(here: Here) -> None:
    with here.store.read() as reading:
        lines = tag_distinct.listed(reading)
    if not lines:
        return
    with st.expander(text("tags.dismissed", number=len(lines)), key="tags_dismissed"):
        for line in lines:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{line.first} ≠ {line.second}  ({line.person})", width="stretch")
                st.button(
                    text("tags.take_up"),
                    key=f"tags_take_up_{line.first_id}_{line.second_id}",
                    on_click=_take_up,
                    args=(here, line),
                )


def _take_up(here: Here, line: tag_distinct.DistinctLine) -> None:
    def work() -> outcome.Outcome:
        here.store.run(lambda session: tag_distinct.unmark(session, line.first_id, line.second_id, here.visitor.id))
        return outcome.Outcome("tags.taken_up", {"first": line.first, "second": line.second})

    outcome.attempt(work)
