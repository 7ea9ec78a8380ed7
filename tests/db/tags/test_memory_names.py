"""Names of tags as memory looks for them: all, and those that changed, which together are the same."""

from db.store.settings import tag_revision
from db.tags import memory_names
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from tests.db.actions import change_tags
from tests.db.deciding import decide
from tests.db.memory_follower import Follower, by_key


def everything(store):
    with store.read() as session:
        return memory_names.all_names(session)


def since(store, revision: int):
    with store.read() as session:
        return memory_names.names_since(session, revision)


def means(store, *spellings: str) -> list[tuple[str, str | None] | None]:
    """Tag and the tag above it, for each of the spellings, by one who follows all changes."""
    known = by_key(everything(store).rows)
    return [known[spelling][1:] if spelling in known else None for spelling in spellings]


def listed(store, person: int) -> None:
    rows = [
        IncomingTag(1, "艺术"),
        IncomingTag(2, "摄影", parent="艺术", aliases=("拍照", "Photo")),
        IncomingTag(3, "胶片", parent="摄影"),
        IncomingTag(4, "影像"),
    ]
    import_tags(store, rows, person, name="list")


def test_every_spelling_leads_to_its_tag_and_the_one_above(store, team):
    listed(store, team.admin)
    found = everything(store)
    assert found.whole
    assert sorted(found.rows, key=str) == sorted(
        [
            ("艺术", "艺术", None),
            ("摄影", "摄影", "艺术"),
            ("拍照", "摄影", "艺术"),
            ("Photo", "摄影", "艺术"),
            ("胶片", "胶片", "摄影"),
            ("影像", "影像", None),
        ],
        key=str,
    )
    with store.read() as session:
        assert found.revision == tag_revision(session)
    assert since(store, found.revision) == memory_names.TagNames(found.revision, ())


def test_spellings_of_merged_tags_lead_to_where_they_went(store, team):
    listed(store, team.admin)
    change_tags(store, team.admin, tags.plan_merge, "摄影", "影像")
    assert means(store, "拍照", "摄影", "影像") == [("影像", None)] * 3
    assert means(store, "胶片") == [("胶片", "影像")]  # what was above it goes by that name now
    change_tags(store, team.admin, tags.plan_merge, "影像", "胶片")
    assert means(store, "拍照", "胶片") == [("胶片", None)] * 2  # no tag is above itself


def test_deprecated_tags_are_not_to_be_given(store, team):
    listed(store, team.admin)
    revision = everything(store).revision
    change_tags(store, team.admin, tags.plan_status, "摄影", "deprecated")
    assert means(store, "摄影", "拍照", "胶片") == [None, None, ("胶片", None)]
    told = since(store, revision)
    assert (set(told.gone), told.whole) == ({"摄影", "拍照", "Photo"}, False)
    assert ("胶片", "胶片", None) in told.rows
    change_tags(store, team.admin, tags.plan_status, "摄影", "active")
    assert means(store, "拍照", "胶片") == [("摄影", "艺术"), ("胶片", "摄影")]


def follow(store, follower: Follower, *, whole: bool) -> None:
    """The follower hears what changed, and then knows what there is."""
    told = since(store, follower.revision)
    assert told.whole == whole
    follower._hear(told)
    found = everything(store)
    assert (follower.names, follower.revision) == (by_key(found.rows), found.revision)


def test_who_hears_the_changes_knows_all_names(store, team, questions, monkeypatch):
    follower = Follower()
    follow(store, follower, whole=False)  # nearly nothing is there yet
    listed(store, team.admin)
    follow(store, follower, whole=False)
    decide(store, questions[0], team.li, added=["新词"])
    follow(store, follower, whole=False)
    numbers = {}
    for name, plan, *arguments in (
        ("rename", tags.plan_rename, "艺术", "文艺"),
        ("same letters", tags.plan_rename, "Photo", "PHOTO"),
        ("merge", tags.plan_merge, "摄影", "影像"),
        ("merge on", tags.plan_merge, "影像", "新词"),
        ("alias", tags.plan_alias, "新词", "新词语"),
        ("split", tags.plan_split, "拍照"),
        ("deprecate", tags.plan_status, "文艺", "deprecated"),
        ("deprecate a target", tags.plan_status, "新词", "deprecated"),
    ):
        numbers[name] = change_tags(store, team.admin, plan, *arguments)
        follow(store, follower, whole=False)
    for name in ("deprecate a target", "deprecate", "split"):
        change_tags(store, team.admin, tags.plan_undo, numbers[name])
        follow(store, follower, whole=False)
    change_tags(store, team.admin, tags.plan_undo, numbers["alias"])
    follow(store, follower, whole=True)  # no row says which spelling went
    change_tags(store, team.admin, tags.plan_undo, numbers["merge on"])
    change_tags(store, team.admin, tags.plan_undo, numbers["merge"])
    follow(store, follower, whole=False)
    monkeypatch.setattr(memory_names, "MANY_CHANGED", 3)
    import_tags(store, [IncomingTag(n, f"标签{n}") for n in range(1, 6)], team.admin, name="list")
    follow(store, follower, whole=True)


def test_tags_that_go_with_their_import_are_forgotten(store, team):
    follower = Follower()
    report = import_tags(store, [IncomingTag(1, "歌剧", aliases=("opera",))], team.admin, name="list")
    follow(store, follower, whole=False)
    change_tags(store, team.admin, tags.plan_undo, report.entry)
    follow(store, follower, whole=True)
    assert "歌剧" not in follower.names
    assert since(store, follower.revision + 5).whole  # of a store that was restored to an earlier day
