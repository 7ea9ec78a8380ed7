"""Importing a vocabulary or a hierarchy of tags."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from db.errors import Refused
from db.ledger.labels import look_at
from db.store.clock import read_clock
from db.store.moments import AHEAD
from db.store.tables import Entry, Tag
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from tests.db.deciding import decide

ROWS = [
    IncomingTag(1, "艺术", external_id="100"),
    IncomingTag(2, "电影", external_id="101", parent="艺术", aliases=("影片", "movie"), definition="动态影像的艺术"),
    IncomingTag(3, "纪录片", external_id="102", parent_external_id="101"),
    IncomingTag(4, "纪录片", parent="艺术"),  # a second parent: the first stays
]


def tag_named(store, name: str) -> Tag:
    with store.read() as session:
        return tags.find(session, name)


def test_a_hierarchy_comes_in_once(store, team):
    report = import_tags(store, ROWS, team.researcher, name="tree")
    assert (report.rows, report.tags, report.aliases, report.parents, report.bad) == (4, 3, 2, 2, 0)
    art, film, documentary = (tag_named(store, name) for name in ("艺术", "电影", "纪录片"))
    assert (film.external_id, film.parent_id, film.definition) == ("101", art.id, "动态影像的艺术")
    assert (documentary.parent_id, art.parent_id) == (film.id, None)
    assert tag_named(store, "Movie").id == film.id
    assert film.first_seen_by == team.researcher
    again = import_tags(store, ROWS, team.researcher, name="tree")
    assert (again.rows, again.tags, again.aliases, again.parents, again.bad) == (4, 0, 0, 0, 0)


def test_a_dry_run_says_the_same_and_stores_nothing(store, team):
    report = import_tags(store, ROWS, team.researcher, name="tree", dry_run=True)
    assert (report.tags, report.aliases, report.parents) == (3, 2, 2)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Tag)) == 0
        assert session.scalar(select(func.count()).where(Entry.kind == "tag")) == 0


def test_its_line_in_the_ledger_is_later_than_every_other_even_if_the_clock_was_set_back(store, team):
    with store.write() as session:
        ahead = read_clock(session) + AHEAD - timedelta(minutes=10)  # what is further ahead is left out
        session.add(Entry(at=ahead, kind="queue"))
    import_tags(store, ROWS, team.researcher, name="tree")
    with store.read() as session:
        assert session.scalar(select(Entry.at).where(Entry.kind == "tag")) > ahead


def test_what_is_known_is_not_overwritten(store, team):
    import_tags(store, [IncomingTag(1, "电影", external_id="1", definition="旧")], team.admin, name="old")
    import_tags(store, [IncomingTag(1, "电影", external_id="2", definition="新")], team.admin, name="new")
    film = tag_named(store, "电影")
    assert (film.external_id, film.definition) == ("1", "旧")


def test_bad_rows_are_named_by_their_line_and_the_others_stored(store, team):
    rows = [
        IncomingTag(1, "电影", aliases=("影片",)),
        IncomingTag(2, "音乐", aliases=("影片",)),
        IncomingTag(3, "\u200b"),
        IncomingTag(4, "电影", parent="喜剧"),
        IncomingTag(5, "喜剧", parent="电影"),
    ]
    report = import_tags(store, rows, team.admin, name="tree")
    assert report.bad == 3
    assert (
        str(report.messages[0]) == "tree, line 3: '\\u200b' is not a tag: nothing is left of it once control "
        "characters are removed."
    )
    assert str(report.messages[1]).startswith("tree, line 2: the alias 影片 means another tag already")
    assert str(report.messages[2]) == "tree, line 5: 电影 stands below 喜剧 already"
    assert tag_named(store, "影片").name == "电影"


def test_an_imported_alias_does_not_change_the_past(store, team, questions):
    receipt = decide(store, questions[0], team.li, added=["电影"])
    import_tags(store, [IncomingTag(1, "电影", aliases=("影片",))], team.admin, name="list")
    later = decide(store, questions[0], team.li, added=["影片"])
    with store.read() as session:
        assert look_at(session, questions[0]).settled.tags == ("电影",)
        assert look_at(session, questions[0], receipt.at).settled.tags == ("电影",)
        assert look_at(session, questions[0], later.at).settled.tags == ("电影",)


def test_a_moderator_may_not_import_tags(store, team):
    with pytest.raises(Refused, match="li is a moderator; to change tags takes a researcher or admin"):
        import_tags(store, ROWS, team.li, name="tree")
