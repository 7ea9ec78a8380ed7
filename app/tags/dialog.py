"""One tag in a dialog: what is known about it, and each change with what it would touch before it is carried out."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here, guarded
from app.shell import session
from app.shell.clock import when
from app.shell.memory import forget
from app.shell.session import TAGS_OPEN as OPEN
from app.shell.session import TAGS_OPERATION as OPERATION
from app.shell.session import TAGS_TYPED as TYPED
from app.shell.session import said, text
from app.shell.widgets import plain
from app.tags import changing, field, markup, outcome
from app.tags import controls as tag_controls
from db.errors import NotFound, StoreError
from db.tags import listing as tag_list
from db.tags.listing import TagDetails
from db.tags.planning import Plan

FIELDS = {"rename": "new_name", "merge": "into", "alias": "new_alias"}


def open_tag(tag_id: int, operation: str = "") -> None:
    close()
    forget(outcome.OUTCOME)
    st.session_state[OPEN] = (tag_id, operation)


def is_open() -> bool:
    return OPEN in st.session_state


def close() -> None:
    forget(OPEN, TYPED, OPERATION)


def draw(here: Here, zone: tzinfo, *, may_change: bool) -> None:
    """The dialog, if a tag is open."""
    if not is_open():
        return
    tag_id, operation = st.session_state[OPEN]
    with here.store.read() as reading:
        tag = tag_list.describe(reading, f"#{tag_id}")
    dialog = st.dialog(plain(tag.name), width="medium", on_dismiss=close)
    dialog(guarded(here, "tags")(_tag))(here, tag, operation, zone, may_change)


def _tag(here: Here, tag: TagDetails, operation: str, zone: tzinfo, may_change: bool) -> None:
    if not is_open():  # it was carried out: the page behind shows what became of it
        st.rerun()
    outcome.show(here)  # why it was not done
    st.html(markup.details_html(tag, text))
    if may_change and tag.status == "merged":
        st.caption(text("tags.is_merged"))
    elif may_change:
        _change(here, tag, operation)
    if tag.changes:
        _past(here, tag, zone, may_change)


def _change(here: Here, tag: TagDetails, operation: str) -> None:
    offered = changing.OPERATIONS[tag.status]
    chosen = st.segmented_control(
        text("tags.operation"),
        offered,
        default=operation if operation in offered else offered[0],
        required=True,
        format_func=lambda name: text(f"tags.{name}"),
        key=OPERATION,
        on_change=forget,
        args=(TYPED, outcome.OUTCOME),
    )
    st.caption(text(f"tags.{chosen}_hint"))
    if chosen == "define":
        _define(here, tag)
        return
    other = ""
    if chosen in FIELDS:
        other = _field(here, chosen, focus=chosen == operation)
    elif chosen == "split":
        other = _alias(tag)
    if chosen in (*FIELDS, "split") and not other:
        st.caption(text("tags.type_to_see"))
        return
    _preview(here, chosen, tag.name, other)


def _field(here: Here, operation: str, *, focus: bool) -> str:
    """A field whose text is known while somebody types; for a merge it offers the tags there are."""
    typed = st.session_state.get(TYPED, "")
    matches = None
    if operation == "merge":
        matches = here.tag_search.search(typed, field.OFFERED) if typed.strip() else []
    scheme = st.context.theme.type or "light"
    data = field.box_data(text(f"tags.{FIELDS[operation]}"), typed, matches, text, scheme, focus=focus)
    key = f"tags_box_{operation}"
    tag_controls.box(data, key=key, on_text=lambda: _on_text(key))
    return typed.strip()


def _on_text(key: str) -> None:
    st.session_state[TYPED] = st.session_state[key].text or ""
    forget(outcome.OUTCOME)


def _alias(tag: TagDetails) -> str:
    if not tag.aliases:
        st.caption(text("tags.no_aliases"))
        return ""
    return st.selectbox(text("tags.which_alias"), tag.aliases, key="tags_alias") or ""


def _preview(here: Here, operation: str, name: str, other: str) -> None:
    """What the change would touch, and the button that does it."""
    try:
        with here.store.read() as reading:
            plan = changing.plan_change(reading, operation, name, other)
    except StoreError as error:
        if operation == "merge" and isinstance(error, NotFound) and here.tag_search.search(other, 1):
            st.caption(text("tags.choose_match"))  # somebody is still typing
        else:
            st.warning(plain(said(error)))
        return
    with st.container(border=True, key="tags_preview"):
        st.markdown(f"**{plain(said(plan.summary))}**")
        st.caption(touches(plan))
        st.button(
            text(f"tags.{operation}"),
            type="primary",
            key="tags_carry_out",
            on_click=_carry_out,
            args=(here, plan, operation, name, other),
        )


def touches(plan: Plan, key: str = "tags.touches") -> str:
    numbers = {"questions": plan.questions, "decisions": plan.decisions, "labels": plan.prior_labels}
    if not any(numbers.values()):
        return text("tags.touches_nothing")
    return text(key, **{name: f"{number:,}" for name, number in numbers.items()})


def _carry_out(here: Here, plan: Plan, operation: str, name: str, other: str) -> None:
    def work() -> outcome.Outcome:
        number = changing.change_tags(here.store, plan, operation, name, other, here.visitor.id)
        return outcome.changed(number, plan.summary)

    if outcome.attempt(work):
        close()


def _define(here: Here, tag: TagDetails) -> None:
    number = tag.id
    st.text_area(text("tags.definition"), tag.definition, max_chars=2000, key=f"tags_definition_{number}", height=90)
    st.text_input(text("tags.external_id"), tag.external_id or "", max_chars=200, key=f"tags_external_id_{number}")
    typed = st.session_state.get(TYPED, tag.parent or "")
    matches = here.tag_search.search(typed, field.OFFERED) if typed.strip() else []
    scheme = st.context.theme.type or "light"
    data = field.box_data(text("tags.column_parent"), typed, matches, text, scheme)
    tag_controls.box(data, key="tags_box_parent", on_text=lambda: _on_text("tags_box_parent"))
    # Never disabled: leaving the field by a click on the button is what hands its text over.
    st.button(text("tags.save"), type="primary", key="tags_save", on_click=_save, args=(here, tag))


def _save(here: Here, tag: TagDetails) -> None:
    given = {
        "definition": st.session_state[session.numbered(session.TAGS_DEFINITION, tag.id)].strip(),
        "external_id": st.session_state[session.numbered(session.TAGS_EXTERNAL_ID, tag.id)].strip(),
        "parent": st.session_state.get(TYPED, tag.parent or "").strip(),
    }
    known = {"definition": tag.definition, "external_id": tag.external_id or "", "parent": tag.parent or ""}
    new = {name: value for name, value in given.items() if value != known[name]}
    if outcome.attempt(lambda: outcome.changed(*changing.define(here.store, tag.name, here.visitor.id, **new))):
        close()


def _past(here: Here, tag: TagDetails, zone: tzinfo, may_change: bool) -> None:
    with st.expander(text("tags.past_changes"), expanded=tag.status == "merged"):
        for change in tag.changes:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{when(change.at, zone)}  {said(change.summary)}", width="stretch")
                if may_change:
                    st.button(
                        text("tags.undo_number", number=change.number),
                        key=f"tags_past_{change.number}",
                        on_click=_take_back,
                        args=(here, change.number),
                    )


def _take_back(here: Here, number: int) -> None:
    outcome.take_back(here, number)
    if st.session_state[outcome.OUTCOME].done:
        close()
