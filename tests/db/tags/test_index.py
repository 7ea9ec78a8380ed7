"""The search over the store's tags: it follows every change, and equals an index built anew."""

from sqlalchemy import text

from db.store.backup import back_up, restore
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from db.tags.search.index import TagSearch
from tests.db.deciding import decide


def change(store, plan_of, person_id) -> int:
    return store.run(lambda session: tags.carry_out(session, plan_of(session), person_id))


def found(search: TagSearch, query: str) -> list[tuple[str, str]]:
    return [(match.name, match.how) for match in search.search(query)]


def test_search_sees_new_tags_at_once(store, team, questions):
    search = TagSearch(store)
    assert found(search, "dianying") == [("电影", "pinyin")]
    assert found(search, "摄影") == []
    decide(store, questions[0], team.li, added=["摄影"])
    assert found(search, "摄影") == [("摄影", "exact")]
    assert found(search, "sy") == [("摄影", "initials")]


def test_merged_spellings_lead_to_the_target_and_back(store, team, questions):
    decide(store, questions[0], team.li, added=["影片"])
    decide(store, questions[0], team.li, added=["胶片"])
    search = TagSearch(store)
    assert found(search, "影片") == [("影片", "exact")]
    first = change(store, lambda session: tags.plan_merge(session, "胶片", "影片"), team.admin)
    second = change(store, lambda session: tags.plan_merge(session, "影片", "电影"), team.admin)
    assert found(search, "胶片")[0] == ("电影", "exact")
    assert found(search, "胶片") == found(TagSearch(store), "胶片")
    change(store, lambda session: tags.plan_undo(session, second), team.admin)
    assert found(search, "胶片")[0] == ("影片", "exact")
    change(store, lambda session: tags.plan_undo(session, first), team.admin)
    assert found(search, "胶片")[0] == ("胶片", "exact")
    assert found(search, "影片") == found(TagSearch(store), "影片")


def test_renames_aliases_splits_and_deprecations_are_seen(store, team, questions):
    search = TagSearch(store)
    assert found(search, "生活")
    change(store, lambda session: tags.plan_rename(session, "生活", "日常生活"), team.admin)
    change(store, lambda session: tags.plan_alias(session, "电影", "movie"), team.admin)
    assert found(search, "生活")[0] == ("日常生活", "exact")  # the old name is an alias now
    assert found(search, "movie")[0] == ("电影", "exact")
    change(store, lambda session: tags.plan_split(session, "movie"), team.admin)
    assert found(search, "movie")[0] == ("movie", "exact")
    change(store, lambda session: tags.plan_status(session, "movie", "deprecated"), team.admin)
    assert [match.status for match in search.search("movie")] == ["deprecated"]
    assert search.search("movie", include_deprecated=False) == []


def test_uses_order_the_matches_after_a_recount(store, team, questions):
    import_tags(store, [IncomingTag(1, "电视"), IncomingTag(2, "电视剧")], team.admin, name="list")
    search = TagSearch(store)
    assert [match.name for match in search.search("电")] == ["电影", "电视", "电视剧"]
    for question in questions[:12]:
        decide(store, question, team.li, added=["电视剧"])
    store.run(tags.recount_uses)
    assert [(match.name, match.uses) for match in search.search("电")] == [("电视剧", 12), ("电影", 10), ("电视", 0)]


def test_many_changes_at_once_rebuild_the_index(store, team, monkeypatch):
    monkeypatch.setattr("db.tags.search.index.REBUILD", 3)
    search = TagSearch(store)
    assert search.search("标签") == []
    import_tags(store, [IncomingTag(n, f"标签{n}") for n in range(1, 6)], team.admin, name="list")
    assert len(search.search("标签")) == 5


def test_search_follows_a_restored_store(store, team, questions, tmp_path):
    """Also where the restored tags have changed as often as those before, or more often."""
    if not store.is_sqlite:
        return  # see the test below
    saved = back_up(store, tmp_path / "saved.db")
    decide(store, questions[0], team.li, added=["摄影"])
    search = TagSearch(store)
    assert found(search, "摄影") == [("摄影", "exact")]
    restore(store, saved, tmp_path / "kept.db")
    assert found(search, "摄影") == []
    decide(store, questions[0], team.li, added=["绘画"])
    search = TagSearch(store)
    assert found(search, "绘画") == [("绘画", "exact")]
    restore(store, tmp_path / "kept.db", tmp_path / "kept too.db")  # as many changes of tags, other ones
    assert found(search, "绘画") == []
    assert found(search, "摄影") == [("摄影", "exact")]


def test_search_follows_a_store_whose_tables_were_made_anew(store, team, questions):
    """As pg_restore --clean does."""
    if store.is_sqlite:
        return  # see the test above
    decide(store, questions[0], team.li, added=["摄影"])
    search = TagSearch(store)
    assert found(search, "摄影") == [("摄影", "exact")]
    with store.write() as session:
        for statement in (
            "CREATE TABLE saved AS SELECT * FROM tags WHERE name <> '摄影'",
            "CREATE TABLE saved_names AS SELECT * FROM tag_names WHERE key <> '摄影'",
            "DROP TABLE tags CASCADE",
            "ALTER TABLE saved RENAME TO tags",
            "DELETE FROM tag_names",
            "INSERT INTO tag_names SELECT * FROM saved_names",
        ):
            session.execute(text(statement))
    assert found(search, "摄影") == []
