"""The link that repeats a view of attention: opened, and offered to be copied."""

import streamlit as st

from app.attention.address import Address, read_address, write_link
from app.attention.choices import BESIDE, HEAD, HINTS, HOW, KIND, LAYER, MODEL
from app.attention.tags import TAGS, TAGS_FROM
from app.entry import question_choice
from app.shell import session
from app.shell.session import ATTENTION_OPENED as OPENED
from app.shell.session import text


def open_link() -> None:
    """Set everything to what the address says, once for each address that is opened."""
    given = st.query_params.to_dict()
    named = {name: value for name, value in given.items() if name not in (session.PERSON, session.LANGUAGE)}
    if not named or st.session_state.get(OPENED) == named:
        return
    st.session_state[OPENED] = named
    address = read_address(named)
    question_choice.open_with(
        "attention", question=address.question, title=address.title, description=address.description
    )
    if address.tags:
        st.session_state[TAGS_FROM], st.session_state[TAGS] = "typed", "、".join(address.tags)
    view = address.view
    st.session_state.update({KIND: view.kind, HOW: view.how, LAYER: view.layer, HEAD: view.head})
    st.session_state[HINTS] = view.hints
    st.session_state.update({MODEL: address.model, BESIDE: address.beside})


def link_box(address: Address) -> None:
    """The link that repeats the view, to copy."""
    link = write_link(st.context.url or "attention", address, session.language())
    st.caption(text("attention.link"))
    if link is None:
        st.caption(text("attention.no_link"))
    else:
        st.code(link, language=None)
