"""Names that come up on the page Tags: looked for when somebody asks; made a tag, or never, by one press."""

import zlib
from datetime import tzinfo

import streamlit as st

from app.emerging import about
from app.emerging.about import NameFacts
from app.emerging.search import DAYS, LEAST, Look
from app.entry.frame import Here
from app.shell.clock import when
from app.shell.memory import forget
from app.shell.options import called
from app.shell.session import TAGS_DAYS, TAGS_PARENT, numbered, said, text
from app.shell.session import TAGS_NAMES_PAGE as PAGE
from app.shell.widgets import plain
from app.tags import changing, controls, field, markup, outcome, paging
from db.spellings.names import tag_key
from db.tags import refused
from l2a.errors import L2AError

WINDOWS = (7, DAYS, 90)  # days


def draw(here: Here, zone: tzinfo) -> None:
    days, asked = _ask(here)
    if asked:
        _look(here, days)
    if (look := here.emerging.last(days)) is None:
        st.info(text("tags.emerging_hint", least=LEAST))
    else:
        _names(here, look, zone)
    _refused(here)


def _ask(here: Here) -> tuple[int, bool]:
    """Which days, and whether to look now: nobody waits for a look that they have not asked for."""
    windows = {number: text("tags.last_days", days=number) for number in WINDOWS}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        days = st.segmented_control(
            text("tags.emerging_days"),
            list(windows),
            default=DAYS,
            required=True,
            format_func=called(windows),
            key=TAGS_DAYS,
            on_change=forget,
            args=(PAGE, outcome.OUTCOME),
            width="content",
        )
        days = days if days in WINDOWS else DAYS
        word = "look_for" if here.emerging.last(days) is None else "look_again"
        asked = st.button(text(f"tags.{word}"), key="tags_look", on_click=forget, args=(PAGE, outcome.OUTCOME))
    return days, asked


def _look(here: Here, days: int) -> None:
    """Look through the questions under a bar. What stands in the way is said; what was found before stays."""
    bar = st.progress(0.0, text("tags.loading_model"))

    def show(done: int, total: int) -> None:
        bar.progress(done / max(1, total), text("tags.reading_titles", done=f"{done:,}", total=f"{total:,}"))

    try:
        here.emerging.look(days, progress=show)
    except L2AError as error:
        bar.empty()
        st.warning(plain(said(error)))
    else:
        st.rerun()  # the button above says what it would do now


def _names(here: Here, look: Look, zone: tzinfo) -> None:
    with here.store.read() as reading:
        names = look.open_names(reading)
        words = text("tags.looked", read=f"{look.read:,}", at=when(look.at, zone))
        if look.is_old(reading):
            words += f" {text('tags.look_is_old')}"
    st.caption(words)
    if not names:
        st.info(text("tags.no_emerging", least=look.least))
        return
    for name in paging.shown(names, PAGE):
        with here.store.read() as reading:
            facts = about.facts(reading, here.tag_search, look, name, zone)
        _name(here, facts, zone)
    paging.buttons(names, PAGE, "tags_names")


def _name(here: Here, facts: NameFacts, zone: tzinfo) -> None:
    number = zlib.crc32(tag_key(facts.name).encode())
    with st.container(border=True, key=f"tags_name_{number}"):
        st.html(markup.name_html(facts, zone, text))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            with st.container(width=280):
                parent = _parent(here, facts, number)
            # Never disabled: leaving the field by a click on the button is what hands its text over.
            st.button(
                text("tags.create"),
                key=f"tags_create_{number}",
                type="primary",
                on_click=_create,
                args=(here, facts.name, parent, numbered(TAGS_PARENT, number)),
            )
            st.button(text("tags.never"), key=f"tags_never_{number}", on_click=_never, args=(here, facts.name))


def _parent(here: Here, facts: NameFacts, number: int) -> str:
    """A field for the tag above, which holds the one that the name ends in; other guesses stand among the facts."""
    remembered, box = numbered(TAGS_PARENT, number), f"tags_box_parent_{number}"
    typed = st.session_state.get(remembered, facts.parent or "")
    matches = here.tag_search.search(typed, field.OFFERED) if typed.strip() else []
    scheme = st.context.theme.type or "light"
    data = field.box_data(text("tags.column_parent"), typed, matches, text, scheme)
    controls.box(data, key=box, on_text=lambda: _on_text(box, remembered))
    return typed


def _on_text(box: str, remembered: str) -> None:
    st.session_state[remembered] = st.session_state[box].text or ""
    forget(outcome.OUTCOME)


def _create(here: Here, name: str, drawn: str, remembered: str) -> None:
    """Below what stands in the field; `drawn` is what stood there when the page was drawn, if nobody typed since."""
    parent = st.session_state.get(remembered, drawn).strip()
    outcome.attempt(lambda: outcome.changed(*changing.create(here.store, name, parent, here.visitor.id)))


def _never(here: Here, name: str) -> None:
    def work() -> outcome.Outcome:
        here.store.run(lambda session: refused.refuse(session, name, here.visitor.id))
        return outcome.Outcome(outcome.REFUSED, {"name": name})

    outcome.attempt(work)


def _refused(here: Here) -> None:
    with here.store.read() as reading:
        lines = refused.listed(reading)
    if not lines:
        return
    with st.expander(text("tags.refused_names", number=len(lines)), key="tags_refused"):
        for line in lines:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{line.name}  ({line.person})", width="stretch")
                st.button(
                    text("tags.take_up"),
                    key=f"tags_allow_{zlib.crc32(tag_key(line.name).encode())}",
                    on_click=outcome.allow,
                    args=(here, line.name),
                )
