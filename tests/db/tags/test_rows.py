"""Tags a page at a time: sorted, filtered and cut by the database, with what merges brought."""

import pytest

from db.errors import Refused
from db.tags import planning as tags
from db.tags.rows import IN_USE, page, rows_of
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import change_tags, find_tag


@pytest.fixture
def named(store, team):
    """电影 is used 3 times, 影片 and 音乐 twice, the others once; 影片 is merged into movie, movie into 电影."""
    rows = [
        IncomingQuestion(1, "question 1", tags=("电影", "影片", "movie")),
        IncomingQuestion(2, "question 2", tags=("电影", "影片", "音乐")),
        IncomingQuestion(3, "question 3", tags=("电影", "音乐", "Apple", "艺术")),
    ]
    import_questions(store, rows, name="test", fingerprint="named")
    for name in ("电影", "影片"):
        change_tags(store, team.researcher, tags.plan_details, name, parent="艺术")
    change_tags(store, team.researcher, tags.plan_alias, "电影", "片子")
    change_tags(store, team.researcher, tags.plan_merge, "影片", "movie")
    change_tags(store, team.researcher, tags.plan_merge, "movie", "电影")
    change_tags(store, team.researcher, tags.plan_status, "音乐", "deprecated")


def names(store, **options) -> list[str]:
    with store.read() as session:
        return [row.name for row in page(session, **options).rows]


def numbers(store, *wanted: str) -> list[int]:
    return [find_tag(store, name).id for name in wanted]


def test_a_row_says_what_merges_brought(store, named):
    with store.read() as session:
        found = page(session)
    first = found.rows[0]
    assert (first.name, first.uses, first.parent, first.status) == ("电影", 6, "艺术", "active")
    assert first.aliases == ("movie", "影片", "片子")  # by their keys, also what came by way of another merged tag
    assert found.total == 4


@pytest.mark.parametrize(
    ("sort", "descending", "expected"),
    [
        ("uses", True, ["电影", "音乐", "Apple", "艺术"]),
        ("uses", False, ["Apple", "艺术", "音乐", "电影"]),
        ("name", False, ["Apple", "电影", "艺术", "音乐"]),
        ("name", True, ["音乐", "艺术", "电影", "Apple"]),
        ("aliases", True, ["电影", "Apple", "艺术", "音乐"]),
        ("parent", False, ["电影", "Apple", "艺术", "音乐"]),  # without a parent last, either way
        ("parent", True, ["电影", "Apple", "艺术", "音乐"]),
        ("status", True, ["音乐", "Apple", "电影", "艺术"]),
    ],
)
def test_every_column_sorts_alike_on_both_databases(store, named, sort, descending, expected):
    assert names(store, sort=sort, descending=descending) == expected


def test_pages_follow_each_other_without_a_gap(store, named):
    with store.read() as session:
        parts = [page(session, limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [len(part.rows) for part in parts] == [2, 2, 0]
    assert {part.total for part in parts} == {4}
    assert len({row.id for part in parts for row in part.rows}) == 4


def test_what_a_search_found_stays_in_its_order_unless_a_column_sorts_it(store, named):
    among = numbers(store, "艺术", "电影", "音乐")
    assert names(store, among=among, sort="match") == ["艺术", "电影", "音乐"]
    assert names(store, among=among, sort="uses") == ["电影", "音乐", "艺术"]
    assert names(store, among=among, sort="match", statuses=("deprecated",)) == ["音乐"]
    assert names(store, among=[], sort="match") == []


def test_merged_tags_are_found_where_their_spellings_lead(store, named):
    with store.read() as session:
        found = page(session, statuses=("merged",), among=numbers(store, "电影"), sort="match")
    assert [(row.name, row.merged_into) for row in found.rows] == [("movie", "电影")]
    assert names(store, statuses=(*IN_USE, "merged"), sort="name", descending=False) == [
        "Apple", "movie", "影片", "电影", "艺术", "音乐",
    ]  # fmt: skip


def test_rows_of_certain_tags_come_as_they_were_asked_for(store, named):
    wanted = numbers(store, "音乐", "电影")
    with store.read() as session:
        assert [row.id for row in rows_of(session, wanted)] == wanted


def test_a_column_that_is_none_is_refused(store, named):
    with store.read() as session, pytest.raises(Refused, match="colour"):
        page(session, sort="colour")
