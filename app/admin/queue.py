"""How the queue stands: shares, opinions a question, who holds what."""

from datetime import tzinfo

import streamlit as st

from app.admin.done import DONE, TABLE_HEIGHT, draw_history
from app.entry.frame import Here
from app.shell.clock import when
from app.shell.feedback import carry_out
from app.shell.session import text
from app.shell.tables import table
from db.figures import admin_log
from db.figures import statistics as stats
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares


def draw_queue(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        found, holders = stats.overview(reading), queue.holders(reading)
        log = admin_log.recent(reading, ("queue",))
    numbers = (
        (text("queue.open"), found.open),
        (text("queue.held"), found.held),
        (text("queue.answered"), found.answered),
        (text("queue.conflicts"), found.conflicts),
        (text("queue.reviewed"), found.reviewed),
    )
    for column, (label, number) in zip(st.columns(5), numbers, strict=True):
        column.metric(label, f"{number:,}")
    pools = {
        "ordered": text("queue.ordered"),
        "random": text("queue.random"),
        "blind": text("queue.blind"),
    }
    listed = " · ".join(f"{pools[pool]} {found.pools.get(pool, 0):,}" for pool in pools)
    st.caption(f"{text('queue.pools')}: {listed}")
    left, right = st.columns(2)
    with left:
        _shares(here, found.shares)
    with right:
        _overlap(here, found.sources)
    st.markdown(f"**{text('queue.holders')}**")
    if not holders:
        st.caption(text("queue.nobody_holds"))
    else:
        table(
            {
                text("queue.question"): [str(holder.question_id) for holder in holders],
                text("queue.person"): [holder.person for holder in holders],
                text("queue.since"): [when(holder.since, zone) for holder in holders],
                text("queue.until"): [when(holder.expires_at, zone) for holder in holders],
            },
            height=TABLE_HEIGHT,
        )
    draw_history(log, zone, "queue")


def _shares(here: Here, shares: Shares) -> None:
    with st.form("queue_shares"):
        st.markdown(f"**{text('queue.shares')}**", help=text("queue.shares_hint"))
        # In the key, so that the form shows what is in force after somebody changed it.
        mark = f"{shares.random}-{shares.blind}"
        with st.container(horizontal=True, vertical_alignment="bottom"):
            random = st.number_input(
                text("queue.random_share"),
                0.0,
                100.0,
                100 * shares.random,
                1.0,
                format="%g",
                key=f"queue_random_{mark}",
            )
            blind = st.number_input(
                text("queue.blind_share"), 0.0, 100.0, 100 * shares.blind, 1.0, format="%g", key=f"queue_blind_{mark}"
            )
        if st.form_submit_button(text("queue.save")):
            chosen = Shares(round(random / 100, 4), round(blind / 100, 4))
            carry_out(
                DONE,
                lambda: here.store.run(lambda session: set_shares(session, chosen, by=here.visitor.id)),
                lambda _: text("queue.shares_saved", random=f"{random:g}", blind=f"{blind:g}"),
            )


def _overlap(here: Here, sources: dict[str, int]) -> None:
    with st.form("queue_overlap"):
        st.markdown(f"**{text('queue.overlap')}**", help=text("queue.overlap_hint"))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            overlap = st.number_input(text("queue.opinions"), 1, 20, 1, key="queue_overlap_number")
            source = st.selectbox(
                text("queue.of_source"),
                list(sources),
                index=None,
                placeholder=text("queue.all_sources"),
                key="queue_overlap_source",
            )
        if st.form_submit_button(text("queue.apply")):
            carry_out(
                DONE,
                lambda: here.store.run(
                    lambda session: queue.set_overlap(session, int(overlap), source=source, by=here.visitor.id)
                ),
                lambda changed: text("queue.overlap_saved", number=int(overlap), changed=f"{changed:,}"),
            )
