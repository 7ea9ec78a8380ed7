"""The other tabs of Import and queue: how the queue stands, people, models."""

from datetime import tzinfo

import streamlit as st

from app.entry.frame import Here
from app.retrain import roll_back
from app.serving.model_folder import is_there
from app.shell import acts
from app.shell.acts import act, when
from app.shell.session import text
from db import people
from db.figures import admin_log
from db.figures import statistics as stats
from db.models import registry
from db.queue import claims as queue
from db.store.settings import Shares, set_shares
from db.store.tables import ROLES

DONE = "queue_done"  # what was just done, shown after the page has run again
TABLE_HEIGHT = 300


def done_message() -> None:
    acts.done_message(DONE)


def table(columns: dict[str, list], *, height: int | None = None) -> None:
    size = len(next(iter(columns.values())))
    st.dataframe(columns, hide_index=True, **({"height": height} if height and size > 7 else {}))


# --- queue -----------------------------------------------------------------------------------------------------------


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
    _history(log, zone, "queue")


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
            act(
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
            act(
                DONE,
                lambda: here.store.run(
                    lambda session: queue.set_overlap(session, int(overlap), source=source, by=here.visitor.id)
                ),
                lambda changed: text("queue.overlap_saved", number=int(overlap), changed=f"{changed:,}"),
            )


def _history(log: list[admin_log.LogLine], zone: tzinfo, name: str) -> None:
    """What the ledger says was done, as it says it."""
    with st.expander(text("queue.history"), key=f"queue_history_{name}"):
        if not log:
            st.caption(text("queue.no_history"))
            return
        done = [f"{text(f'queue.did_{line.kind}')}: {_payload(line.payload)}" for line in log]
        columns = {
            text("queue.entry"): [line.number for line in log],
            text("queue.when"): [when(line.at, zone) for line in log],
            text("queue.person"): [line.person or text("queue.program") for line in log],
            text("queue.done"): done,
        }
        table(columns, height=TABLE_HEIGHT)


def _payload(payload: dict) -> str:
    return ", ".join(f"{name} {value}" for name, value in payload.items() if value is not None)


# --- people ----------------------------------------------------------------------------------------------------------


def draw_people(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        everyone = people.everyone(reading)
        activity = {person.name: person for person in stats.overview(reading).people}
        log = admin_log.recent(reading, ("person",))
    roles = {"moderator": text("role.moderator"), "researcher": text("role.researcher"), "admin": text("role.admin")}
    states = {True: text("queue.active"), False: text("queue.inactive")}
    table(
        {
            text("queue.person"): [person.name for person in everyone],
            text("queue.role"): [roles[person.role] for person in everyone],
            text("queue.state"): [states[person.active] for person in everyone],
            text("queue.decisions"): [activity[person.name].decisions for person in everyone],
            text("queue.last_seen"): [when(activity[person.name].last_at, zone) for person in everyone],
            text("queue.since"): [when(person.created_at, zone) for person in everyone],
        },
        height=TABLE_HEIGHT,
    )
    left, right = st.columns(2)
    with left, st.form("queue_add_person", clear_on_submit=True):
        st.markdown(f"**{text('queue.add_person')}**")
        with st.container(horizontal=True):
            name = st.text_input(text("queue.name"), max_chars=people.MAX_NAME)
            role = st.selectbox(text("queue.role"), ROLES, format_func=roles.get)
        if st.form_submit_button(text("queue.add")):
            act(
                DONE,
                lambda: here.store.run(lambda session: people.add(session, name, role, by=here.visitor.id)),
                lambda person: text("queue.person_added", name=person.name, role=roles[role]),
            )
    with right, st.form("queue_change_person"):
        st.markdown(f"**{text('queue.change_person')}**")
        active = [person.name for person in everyone if person.active]
        with st.container(horizontal=True):
            name = st.selectbox(text("queue.name"), active, index=None, placeholder=text("queue.choose_person"))
            role = st.selectbox(text("queue.new_role"), ROLES, format_func=roles.get, key="queue_new_role")
        with st.container(horizontal=True):
            change = st.form_submit_button(text("queue.change_role"))
            stop = st.form_submit_button(text("queue.deactivate"), help=text("queue.deactivate_hint"))
        if name and change:
            act(
                DONE,
                lambda: here.store.run(lambda session: people.change_role(session, name, role, by=here.visitor.id)),
                lambda _: text("queue.role_changed", name=name, role=roles[role]),
            )
        if name and stop:
            act(
                DONE,
                lambda: here.store.run(lambda session: people.deactivate(session, name, by=here.visitor.id)),
                lambda _: text("queue.deactivated", name=name),
            )
    if inactive := [person.name for person in everyone if not person.active]:
        _reactivate(here, inactive)
    _history(log, zone, "people")


def _reactivate(here: Here, inactive: list[str]) -> None:
    with st.form("queue_reactivate_person"):
        st.markdown(f"**{text('queue.reactivate_person')}**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox(
                text("queue.name"),
                inactive,
                index=None,
                placeholder=text("queue.choose_person"),
                key="queue_inactive",
                width=320,
            )
            again = st.form_submit_button(text("queue.let_work_again"), help=text("queue.let_work_again_hint"))
    if name and again:
        act(
            DONE,
            lambda: here.store.run(lambda session: people.reactivate(session, name, by=here.visitor.id)),
            lambda _: text("queue.reactivated", name=name),
        )


# --- models ----------------------------------------------------------------------------------------------------------


def draw_models(here: Here, zone: tzinfo) -> None:
    with here.store.read() as reading:
        models = registry.everything(reading)
        log = admin_log.recent(reading, ("register", "promote", "rollback", "retrain", "prune"))
        answered = stats.overview(reading).suggestions
        before = registry.earlier(reading)
    if not models:
        st.caption(text("queue.no_models"))
        return
    states = {
        "candidate": text("queue.candidate"),
        "live": text("queue.live"),
        "retired": text("queue.retired"),
        "pruned": text("queue.pruned"),
    }
    there = {model.version: is_there(model.version, model.path) for model in models}
    table(
        {
            text("queue.version"): [model.version for model in models],
            text("queue.state"): [states[model.state] for model in models],
            text("queue.folder"): [
                model.path if there[model.version] else text("queue.folder_gone", path=model.path) for model in models
            ],
            text("queue.registered"): [when(model.registered_at, zone) for model in models],
            text("queue.suggestions"): [answered.get(model.version, 0) for model in models],
        },
        height=TABLE_HEIGHT,
    )
    st.caption(text("queue.models_hint"))
    others = [m.version for m in models if m.state not in ("live", "pruned") and there[m.version]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        version = st.selectbox(
            text("queue.version"), others, index=None, placeholder=text("queue.choose_version"), width=320
        )
        promote = st.button(text("queue.promote"), type="primary", disabled=version is None)
        roll_back.button(before, "queue")
    roll_back.confirm(here, before, "queue", DONE)
    if promote:
        act(
            DONE,
            lambda: here.store.run(lambda session: registry.promote(session, version, here.visitor.id)),
            lambda model: text("queue.promoted", version=model.version),
        )
    _history(log, zone, "models")
