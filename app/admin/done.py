"""What the tabs of Import and queue have in common: what was just done, and what the ledger says was done."""

from collections.abc import Mapping
from datetime import tzinfo

import streamlit as st

from app.shell import feedback
from app.shell.clock import when
from app.shell.session import QUEUE_DONE as DONE
from app.shell.session import text
from app.shell.tables import table
from db.figures import admin_log

TABLE_HEIGHT = 300


def done_message() -> None:
    feedback.done_message(DONE)


def draw_history(log: list[admin_log.LogLine], zone: tzinfo, name: str) -> None:
    """What the ledger says was done, as it says it."""
    with st.expander(text("queue.history"), key=f"queue_history_{name}"):
        if not log:
            st.caption(text("queue.no_history"))
            return
        done = [f"{text(f'queue.did_{line.kind}')}: {_payload(line.payload)}" for line in log]
        table(
            {
                text("queue.entry"): [line.number for line in log],
                text("queue.when"): [when(line.at, zone) for line in log],
                text("queue.person"): [line.person or text("queue.program") for line in log],
                text("queue.done"): done,
            },
            height=TABLE_HEIGHT,
        )


def _payload(payload: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in payload.items() if value is not None)
