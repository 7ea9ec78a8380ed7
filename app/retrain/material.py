"""What a training would begin with now."""

import streamlit as st

from app.learning import snapshot
from db.models.decided import Material
from db.store.engine import Store


@st.cache_data(show_spinner=False, max_entries=4)
def load_material(database: str, last: int, _store: Store) -> Material:
    """Counted once for each line of the ledger; `last` is its newest."""
    with _store.read() as reading:
        return snapshot.count(reading)
