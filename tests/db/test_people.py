"""Who there is and who may do what."""

import contextlib

import pytest

from db import people
from db.errors import NotFound, Refused
from db.figures import admin_log
from db.store.tables import Person
from tests.db.actions import scalar


def add(store, name: str, role: str = "moderator", **options) -> int:
    return store.run(lambda session: people.add(session, name, role, **options).id)


def roles(store) -> dict[str, tuple[str, bool]]:
    with store.read() as session:
        return {person.name: (person.role, person.active) for person in people.everyone(session)}


def test_the_first_person_needs_nobodys_leave_and_others_an_admins(store):
    chen = add(store, " chen ", "admin")
    with pytest.raises(Refused, match="There are people already: an admin adds others"):
        add(store, "li")
    li = add(store, "li", by=chen)
    with pytest.raises(Refused, match="li is a moderator; to change people takes an admin"):
        add(store, "wang", by=li)
    assert roles(store) == {"chen": ("admin", True), "li": ("moderator", True)}


def test_the_first_person_is_an_admin_and_cannot_be_anything_else(store):
    for role in ("moderator", "researcher"):
        with pytest.raises(Refused, match=f"The store has no admin yet, so li cannot be a {role}. Add an admin first"):
            add(store, "li", role)
    assert roles(store) == {}
    chen = store.run(lambda session: people.add(session, "chen").id)  # no role named
    wang = store.run(lambda session: people.add(session, "wang", by=chen).id)
    assert (chen, wang) == (1, 2)
    assert roles(store) == {"chen": ("admin", True), "wang": ("moderator", True)}


def test_a_store_whose_people_are_all_moderators_can_still_get_an_admin(store):
    with store.write() as session:
        session.add(Person(name="li", role="moderator"))
        session.add(Person(name="sun", role="admin", active=False))
    with pytest.raises(Refused, match="The store has no admin yet"):
        add(store, "wang")
    add(store, "chen", "admin")
    with pytest.raises(Refused, match="There are people already"):
        add(store, "eve", "admin")


def test_a_name_is_needed_and_given_once(store, team):
    for name in ("", "  ", "\0"):
        with pytest.raises(Refused, match="A person needs a name"):
            add(store, name, by=team.admin)
    with pytest.raises(Refused, match="There is a person called li already"):
        add(store, " li ", by=team.admin)
    with pytest.raises(Refused, match=r"boss is not a role\. The roles are moderator, researcher, admin"):
        add(store, "sun", "boss", by=team.admin)
    assert len(roles(store)) == 4


def test_a_name_that_is_taken_does_not_break_the_transaction(store, team):
    def work(session):
        with pytest.raises(Refused):
            people.add(session, "li", by=team.admin)
        people.add(session, "sun", by=team.admin)

    store.run(work)
    assert "sun" in roles(store)


def test_a_person_is_found_by_name(store, team):
    with store.read() as session:
        assert people.find(session, " li ").id == team.li
        with pytest.raises(NotFound, match=r"There is no person called sun\. Known: chen, zhao, li, wang\."):
            people.find(session, "sun")


def test_an_empty_store_knows_nobody(store):
    with store.read() as session, pytest.raises(NotFound, match="Known: nobody yet"):
        people.find(session, "li")


def test_roles_change_and_the_ledger_says_by_whom(store, team):
    store.run(lambda session: people.change_role(session, "li", "researcher", by=team.admin))
    assert roles(store)["li"] == ("researcher", True)
    with store.read() as session:
        rows = session.connection().exec_driver_sql("SELECT person_id, kind FROM entries ORDER BY number").all()
    assert rows == [(team.admin, "person")] * 5
    with pytest.raises(Refused, match="to change people takes an admin"):
        store.run(lambda session: people.change_role(session, "wang", "admin", by=team.researcher))
    with pytest.raises(Refused, match="king is not a role"):
        store.run(lambda session: people.change_role(session, "wang", "king", by=team.admin))


def test_a_closed_account_keeps_its_name_and_can_do_nothing(store, team):
    store.run(lambda session: people.deactivate(session, "zhao", by=team.admin))
    assert roles(store)["zhao"] == ("researcher", False)
    with store.read() as session, pytest.raises(Refused, match="zhao is no longer active"):
        people.require(session, team.researcher, "review")
    with pytest.raises(Refused, match="There is a person called zhao already"):
        add(store, "zhao", by=team.admin)


def test_a_closed_account_is_opened_again_by_an_admin_in_its_old_role(store, team):
    store.run(lambda session: people.deactivate(session, "zhao", by=team.admin))
    with pytest.raises(Refused, match="li is a moderator; to change people takes an admin"):
        store.run(lambda session: people.reactivate(session, "zhao", by=team.li))
    with pytest.raises(Refused, match="zhao is no longer active"):
        store.run(lambda session: people.reactivate(session, "zhao", by=team.researcher))
    store.run(lambda session: people.reactivate(session, " zhao ", by=team.admin))
    assert roles(store)["zhao"] == ("researcher", True)
    with store.read() as session:
        assert people.require(session, team.researcher, "review").name == "zhao"
        newest = admin_log.recent(session, ("person",))[0]
    assert (newest.person, newest.payload) == ("chen", {"reactivated": "zhao"})
    with pytest.raises(Refused, match="zhao is active already"):
        store.run(lambda session: people.reactivate(session, "zhao", by=team.admin))


def test_the_last_admin_stays(store, team):
    for attempt in (
        lambda session: people.deactivate(session, "chen", by=team.admin),
        lambda session: people.change_role(session, "chen", "moderator", by=team.admin),
    ):
        with pytest.raises(Refused, match="chen is the last admin"):
            store.run(attempt)
    store.run(lambda session: people.change_role(session, "li", "admin", by=team.admin))
    store.run(lambda session: people.deactivate(session, "chen", by=team.li))
    with pytest.raises(Refused, match="li is the last admin"):  # one who is not active does not count
        store.run(lambda session: people.deactivate(session, "li", by=team.li))


def test_each_role_may_do_what_the_list_says(store, team):
    allowed = {
        None: ["moderator", "researcher", "admin"],
        "review": ["researcher", "admin"],
        "change tags": ["researcher", "admin"],
        "change models": ["admin"],
        "change people": ["admin"],
        "redact": ["admin"],
        "undo for others": ["admin"],
    }
    with store.read() as session:
        for action, roles_allowed in allowed.items():
            may = []
            for person, role in ((team.li, "moderator"), (team.researcher, "researcher"), (team.admin, "admin")):
                with contextlib.suppress(Refused):
                    people.require(session, person, action)
                    may.append(role)
            assert (action, may) == (action, roles_allowed)


def test_nobody_is_refused_by_number(store, team):
    with store.read() as session, pytest.raises(NotFound, match="There is no person number 4711"):
        people.require(session, 4711)
    assert scalar(store, "SELECT count(*) FROM people") == 4
