"""Tags and their uses, for whoever counts what finding them takes."""

from db.figures.tag_counts import given_tags
from db.store.tables import Tag
from db.tags import planning
from tests.db.actions import change_tags, decide
from tests.db.conftest import add_questions


def test_tags_that_are_to_be_given_come_with_their_uses(store, team):
    (question,) = add_questions(store, 1)  # brings 电影 and 生活
    decide(store, question, team.li, "纪录片", "影评")
    change_tags(store, team.researcher, planning.plan_merge, "影评", "电影")
    with store.read() as session:
        found = given_tags(session)
        known = {tag.name: tag.uses for tag in session.query(Tag) if tag.status == "active"}
    assert found == known
    assert "纪录片" in found
    assert "影评" not in found
