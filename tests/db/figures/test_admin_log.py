"""What was done to the store itself."""

from db import people
from db.figures import admin_log
from db.tags import planning as tags
from tests.db import actions


def test_the_newest_comes_first_with_who_did_it_and_what_took_it_back(store, team, questions):
    actions.decide(store, questions[0], team.li, "美食")
    renamed = actions.change_tags(store, team.admin, tags.plan_rename, "美食", "吃")
    undone = actions.change_tags(store, team.researcher, tags.plan_undo, renamed)
    with store.read() as session:
        found = admin_log.recent(session, ("tag",))
    assert [(line.number, line.person, line.undone_by) for line in found] == [
        (undone, "zhao", None),
        (renamed, "chen", undone),
    ]
    assert found[1].summary == "Rename 美食 to 吃."


def test_kinds_and_limit(store, team):
    store.run(lambda session: people.add(session, "sun", by=team.admin))
    actions.serve_in_order(store)
    with store.read() as session:
        assert [line.payload["added"] for line in admin_log.recent(session, ("person",), limit=2)] == ["sun", "wang"]
        assert [line.person for line in admin_log.recent(session, ("queue",))] == [None]
