"""Making a version live, and going back to the one that was before: asked once, and off where nothing precedes.

Two pages offer both; each says by `key` how its widgets' keys begin, and by `done` where it keeps what was just done.
"""

import streamlit as st

from app.entry.frame import Here
from app.serving.model_folder import is_there
from app.shell import feedback, session
from app.shell.session import text
from app.shell.widgets import plain
from db.models import registry
from db.store.tables import ModelVersion


def promote(here: Here, version: str) -> ModelVersion:
    """Raises StoreError where it may not be."""
    return here.store.run(lambda session: registry.promote(session, version, here.visitor.id))


def roll_back_button(before: ModelVersion | None, key: str) -> None:
    """`before`: the version that a roll-back goes to (db.models.registry.earlier)."""
    gone = before is not None and not is_there(before.version, before.path)
    if before is None:
        hint = text("roll_back.nothing_before")
    elif gone:
        hint = text("roll_back.files_gone", version=before.version, path=before.path)
    else:
        hint = text("roll_back.hint", version=before.version)
    st.button(
        text("roll_back.roll_back"),
        icon=":material/undo:",
        help=plain(hint),
        disabled=before is None or gone,
        key=f"{key}_back",
        on_click=_ask,
        args=(key, before.version if before is not None else None),
    )


def confirm_roll_back(here: Here, before: ModelVersion | None, key: str, done: str) -> None:
    """The question, while it is open; it is about one version, and gone when a roll-back would go to another."""
    if before is None or st.session_state.get(session.sure_key(key)) != before.version:
        return
    st.warning(plain(text("roll_back.sure", version=before.version)))
    with st.container(horizontal=True):
        yes = st.button(text("roll_back.yes"), type="primary", key=f"{key}_back_yes")
        st.button(text("roll_back.no"), key=f"{key}_back_no", on_click=_forget, args=(key,))
    if yes:
        _forget(key)
        feedback.carry_out(
            done,
            lambda: here.store.run(lambda session: registry.roll_back(session, here.visitor.id, to=before.version)),
            lambda model: text("retrain.now_live", version=model.version),
        )


def _ask(key: str, version: str | None) -> None:
    st.session_state[session.sure_key(key)] = version


def _forget(key: str) -> None:
    st.session_state.pop(session.sure_key(key), None)
