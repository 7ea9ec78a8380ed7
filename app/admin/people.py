"""People and their roles."""

from datetime import tzinfo

import streamlit as st

from app.admin.done import DONE, TABLE_HEIGHT, draw_history
from app.entry.frame import Here
from app.shell.clock import when
from app.shell.feedback import carry_out
from app.shell.options import called
from app.shell.session import text
from app.shell.tables import table
from db import people
from db.figures import admin_log
from db.figures import statistics as stats
from db.store.tables import ROLES


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
            role = st.selectbox(text("queue.role"), ROLES, format_func=called(roles))
        if st.form_submit_button(text("queue.add")):
            carry_out(
                DONE,
                lambda: here.store.run(lambda session: people.add(session, name, role, by=here.visitor.id)),
                lambda person: text("queue.person_added", name=person.name, role=roles[role]),
            )
    with right, st.form("queue_change_person"):
        _change(here, [person.name for person in everyone if person.active], roles)
    if inactive := [person.name for person in everyone if not person.active]:
        _reactivate(here, inactive)
    draw_history(log, zone, "people")


def _change(here: Here, active: list[str], roles: dict[str, str]) -> None:
    """The form that gives somebody another role, or none any more."""
    st.markdown(f"**{text('queue.change_person')}**")
    with st.container(horizontal=True):
        name = st.selectbox(text("queue.name"), active, index=None, placeholder=text("queue.choose_person"))
        role = st.selectbox(text("queue.new_role"), ROLES, format_func=called(roles), key="queue_new_role")
    with st.container(horizontal=True):
        change = st.form_submit_button(text("queue.change_role"))
        stop = st.form_submit_button(text("queue.deactivate"), help=text("queue.deactivate_hint"))
    if name and change:
        carry_out(
            DONE,
            lambda: here.store.run(lambda session: people.change_role(session, name, role, by=here.visitor.id)),
            lambda _: text("queue.role_changed", name=name, role=roles[role]),
        )
    if name and stop:
        carry_out(
            DONE,
            lambda: here.store.run(lambda session: people.deactivate(session, name, by=here.visitor.id)),
            lambda _: text("queue.deactivated", name=name),
        )


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
        carry_out(
            DONE,
            lambda: here.store.run(lambda session: people.reactivate(session, name, by=here.visitor.id)),
            lambda _: text("queue.reactivated", name=name),
        )
