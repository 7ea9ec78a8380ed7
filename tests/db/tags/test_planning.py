"""Changes of tags: what each would touch (the dry run), what it does, and what is refused."""

import pytest

from db.errors import NotFound, Refused
from db.store.settings import tag_revision
from db.store.tables import TagChange
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import (
    all_tags,
    change_tags,
    counts,
    decide,
    dry_run,
    entry,
    find_tag,
    item,
    look,
    review,
    scalar,
    spellings_of,
    suggest,
    tags_of,
    undo,
)


@pytest.fixture
def films(store, team, live_model) -> list[int]:
    """Five questions about films.

    1 came with 电影 and 影片; 2 with 电影; 3, 4 and 5 with nothing. li called 3 电影, 4 影片 and 音乐; wang called
    4 电影 and 音乐; li rejected 影片 on 5, where it was suggested. So 电影 has two prior labels and two verdicts,
    影片 one prior label and two verdicts.
    """
    rows = [
        IncomingQuestion(line, f"question {line}", tags=tags)
        for line, tags in enumerate([("电影", "影片"), ("电影",), (), (), ()], start=1)
    ]
    import_questions(store, rows, name="films", fingerprint="films", overlap=2)
    decide(store, 3, team.li, "电影")
    decide(store, 4, team.li, "影片", "音乐")
    decide(store, 4, team.wang, "电影", "音乐")
    suggestion = suggest(store, 5, {"影片": 4})
    decide(store, 5, team.li, verdicts={"影片": "rejected"}, suggestion_id=suggestion)
    return [1, 2, 3, 4, 5]


def test_a_dry_run_changes_nothing(store, team, films):
    before, entries = all_tags(store), scalar(store, "SELECT count(*) FROM entries")
    for plan, *arguments in (
        (tags.plan_rename, "电影", "映画"),
        (tags.plan_merge, "影片", "电影"),
        (tags.plan_alias, "电影", "movie"),
        (tags.plan_status, "电影", "deprecated"),
    ):
        dry_run(store, plan, *arguments)
    assert all_tags(store) == before
    assert scalar(store, "SELECT count(*) FROM entries") == entries


def test_a_rename_keeps_the_old_name_as_an_alias(store, team, films):
    plan = dry_run(store, tags.plan_rename, "电影", "Movie")
    assert (plan.operation, str(plan.summary), counts(plan)) == ("rename", "Rename 电影 to Movie.", (2, 2, 2))
    number = change_tags(store, team.researcher, tags.plan_rename, "电影", "Movie")
    assert spellings_of(store, "movie") == ["Movie", "电影"]
    assert (tags_of(store, 3), look(store, 1).prior_tags) == (["Movie"], ("Movie", "影片"))
    stored = entry(store, number)
    assert (stored.kind, stored.person_id, stored.payload) == (
        "tag",
        team.researcher,
        {
            "operation": "rename",
            "summary": {"code": "tag_change.rename", "values": {"name": "电影", "new": "Movie"}},
        },
    )


def test_a_rename_can_change_no_more_than_the_case(store, team, films):
    change_tags(store, team.researcher, tags.plan_rename, "电影", "film")
    change_tags(store, team.researcher, tags.plan_rename, "film", "FILM")
    assert spellings_of(store, "Film") == ["FILM", "电影"]
    assert tags_of(store, 3) == ["FILM"]


def test_a_name_that_is_taken_is_refused(store, team, films):
    with pytest.raises(Refused, match=r"影片 is another tag already\. To make the two one, merge 电影 into it"):
        dry_run(store, tags.plan_rename, "电影", "影片")
    with pytest.raises(Refused, match="The tag is called 电影 already"):
        dry_run(store, tags.plan_rename, "电影", " 电影 ")
    with pytest.raises(Refused, match="is not a tag"):
        dry_run(store, tags.plan_rename, "电影", "\0")


def test_a_merge_reads_every_label_of_one_tag_as_the_other(store, team, films):
    plan = dry_run(store, tags.plan_merge, "影片", "电影")
    assert (str(plan.summary), counts(plan)) == ("Merge 影片 into 电影.", (2, 2, 1))
    assert item(store, 4).conflict
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    assert (find_tag(store, "影片").status, find_tag(store, "影片").merged_into_id) == (
        "merged",
        find_tag(store, "电影").id,
    )
    assert (tags_of(store, 4), look(store, 4).settled.state) == (["电影", "音乐"], "agreed")
    assert look(store, 5).settled.rejected == ("电影",)
    assert look(store, 1).prior_tags == ("电影",)
    assert not item(store, 4).conflict  # two opinions have become one


def test_merges_can_follow_one_another_and_the_last_one_counts(store, team, films):
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    plan = dry_run(store, tags.plan_merge, "电影", "音乐")
    assert counts(plan) == (4, 3, 3)  # what was merged into it is read differently too
    change_tags(store, team.researcher, tags.plan_merge, "电影", "音乐")
    assert [tags_of(store, question) for question in films] == [[], [], ["音乐"], ["音乐"], []]
    assert find_tag(store, "影片").merged_into_id == find_tag(store, "电影").id


def test_a_merge_of_a_tag_that_others_were_merged_into_settles_their_conflicts(store, team, films):
    store.run(lambda session: tags.ensure_tags(session, ["片子"], team.li))
    change_tags(store, team.researcher, tags.plan_merge, "影片", "片子")
    assert item(store, 4).conflict
    change_tags(store, team.researcher, tags.plan_merge, "片子", "电影")
    assert (item(store, 4).conflict, look(store, 4).settled.state) == (False, "agreed")


def test_merges_that_make_no_sense_are_refused(store, team, films):
    for name, into in (("没有", "电影"), ("电影", "没有")):
        with pytest.raises(NotFound, match="There is no tag 没有"):
            dry_run(store, tags.plan_merge, name, into)
    with pytest.raises(Refused, match="电影 cannot be merged into itself"):
        dry_run(store, tags.plan_merge, "电影", "电影")
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    with pytest.raises(Refused, match="影片 is merged into another tag already"):
        dry_run(store, tags.plan_merge, "影片", "音乐")
    with pytest.raises(Refused, match="电影 cannot be merged into itself"):
        dry_run(store, tags.plan_merge, "电影", "影片")
    change_tags(store, team.researcher, tags.plan_merge, "电影", "音乐")
    with pytest.raises(Refused, match="音乐 cannot be merged into itself"):
        dry_run(store, tags.plan_merge, "音乐", "影片")


def test_an_alias_is_another_spelling_of_a_tag(store, team, films):
    decide(store, 2, team.li, "Movie")  # makes a tag of it
    with pytest.raises(Refused, match=r"movie means Movie already\. Merge the two instead"):
        dry_run(store, tags.plan_alias, "电影", "movie")
    with pytest.raises(Refused, match=r"电影 means 电影 already\.$"):
        dry_run(store, tags.plan_alias, "电影", "电影")
    plan = dry_run(store, tags.plan_alias, "电影", "Film")
    assert (str(plan.summary), counts(plan)) == ("Let Film mean 电影.", (0, 0, 0))
    change_tags(store, team.researcher, tags.plan_alias, "电影", "Film")
    decide(store, 1, team.li, "ＦＩＬＭ")
    assert tags_of(store, 1) == ["电影"]
    assert scalar(store, "SELECT count(*) FROM tags WHERE name = 'ＦＩＬＭ'") == 0


def test_an_alias_counts_the_rejections_it_will_cover(store, team, films):
    suggestion = suggest(store, 2, {"片子": 4})
    decide(store, 2, team.li, verdicts={"片子": "rejected"}, suggestion_id=suggestion)
    assert counts(dry_run(store, tags.plan_alias, "电影", "片子")) == (1, 1, 0)
    change_tags(store, team.researcher, tags.plan_alias, "电影", "片子")
    assert look(store, 2).settled.rejected == ("电影",)


def test_a_split_makes_an_alias_a_tag_of_its_own(store, team, films):
    change_tags(store, team.researcher, tags.plan_alias, "电影", "Film")
    decide(store, 1, team.li, "film")
    decide(store, 2, team.li, "电影")
    plan = dry_run(store, tags.plan_split, "film")
    assert (str(plan.summary), plan.new_tag, counts(plan)) == ("Split Film off from 电影.", "Film", (1, 1, 0))
    change_tags(store, team.researcher, tags.plan_split, "film")
    assert (tags_of(store, 1), tags_of(store, 2)) == (["Film"], ["电影"])
    assert (spellings_of(store, "电影"), spellings_of(store, "film")) == (["电影"], ["Film"])
    assert find_tag(store, "film").first_seen_by == team.researcher


def test_the_old_name_of_a_renamed_tag_can_be_split_off(store, team, films):
    change_tags(store, team.researcher, tags.plan_rename, "电影", "Movie")
    change_tags(store, team.researcher, tags.plan_split, "电影")
    assert (tags_of(store, 3), spellings_of(store, "Movie")) == (["电影"], ["Movie"])


def test_a_name_or_an_unknown_spelling_cannot_be_split_off(store, team, films):
    with pytest.raises(Refused, match=r"电影 is the name of its tag, not an alias\. Rename the tag first"):
        dry_run(store, tags.plan_split, "电影")
    with pytest.raises(NotFound, match="There is no tag or alias Film"):
        dry_run(store, tags.plan_split, "Film")


def test_a_deprecated_tag_can_still_be_used_with_a_warning(store, team, films):
    plan = dry_run(store, tags.plan_status, "电影", "deprecated")
    assert (plan.operation, str(plan.summary), counts(plan)) == ("deprecate", "Deprecate 电影.", (2, 2, 2))
    change_tags(store, team.researcher, tags.plan_status, "电影", "deprecated")
    assert find_tag(store, "电影").status == "deprecated"
    warned = store.run(lambda session: tags.ensure_tags(session, ["电影", "音乐", "新的"], team.li))
    assert list(map(str, warned)) == ["电影 is deprecated."]
    with pytest.raises(Refused, match="电影 is deprecated already"):
        dry_run(store, tags.plan_status, "电影", "deprecated")
    change_tags(store, team.researcher, tags.plan_status, "电影", "active")
    assert store.run(lambda session: tags.ensure_tags(session, ["电影"], team.li)) == []


def test_only_two_states_can_be_set_and_not_on_a_merged_tag(store, team, films):
    with pytest.raises(Refused, match="merged is not a status that can be set"):
        dry_run(store, tags.plan_status, "电影", "merged")
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    with pytest.raises(Refused, match="影片 is merged into another tag"):
        dry_run(store, tags.plan_status, "影片", "deprecated")


def test_details_of_a_tag_can_be_set_and_emptied(store, team, films):
    details = {"definition": " 动态影像\0\ud83d ", "external_id": "T1", "parent": "音乐"}
    plan = dry_run(store, tags.plan_details, "电影", **details)
    assert (str(plan.summary), counts(plan)) == ("Change definition, external_id, parent of 电影.", (0, 0, 0))
    change_tags(store, team.researcher, tags.plan_details, "电影", **details)
    tag = find_tag(store, "电影")
    assert (tag.definition, tag.external_id, tag.parent_id) == ("动态影像\ufffd", "T1", find_tag(store, "音乐").id)
    change_tags(store, team.researcher, tags.plan_details, "电影", definition="", external_id=None, parent="")
    tag = find_tag(store, "电影")
    assert (tag.definition, tag.external_id, tag.parent_id) == ("", None, None)


def test_details_that_make_no_sense_are_refused(store, team, films):
    change_tags(store, team.researcher, tags.plan_details, "影片", parent="电影")
    with pytest.raises(Refused, match="影片 stands below 电影, so it cannot be its parent"):
        dry_run(store, tags.plan_details, "电影", parent="影片")
    with pytest.raises(Refused, match="电影 stands below 电影"):
        dry_run(store, tags.plan_details, "电影", parent="电影")
    with pytest.raises(Refused, match="Nothing about 电影 would change"):
        dry_run(store, tags.plan_details, "电影", definition="  ")
    with pytest.raises(Refused, match="colour is not a detail of a tag"):
        dry_run(store, tags.plan_details, "电影", colour="red")
    with pytest.raises(NotFound, match="There is no tag 没有"):
        dry_run(store, tags.plan_details, "电影", parent="没有")


def test_tags_are_changed_by_researchers_and_admins_only(store, team, films):
    for person in (team.li, team.wang):
        with pytest.raises(Refused, match="to change tags takes a researcher or admin"):
            change_tags(store, person, tags.plan_merge, "影片", "电影")
    change_tags(store, team.admin, tags.plan_merge, "影片", "电影")


def test_a_tag_is_found_by_name_alias_and_number(store, team, films):
    change_tags(store, team.researcher, tags.plan_alias, "电影", "Film")
    number = find_tag(store, "电影").id
    assert find_tag(store, "FILM").id == find_tag(store, f"#{number}").id == number
    for unknown in ("没有", "#4711", "#"):
        with pytest.raises(NotFound, match="There is no tag"):
            find_tag(store, unknown)


def test_a_tag_knows_who_first_used_it(store, team, films):
    assert (find_tag(store, "电影").first_seen_by, find_tag(store, "音乐").first_seen_by) == (None, team.li)
    decide(store, 2, team.wang, "音乐", "美食")
    review(store, 2, team.researcher, "评论")
    assert [find_tag(store, name).first_seen_by for name in ("音乐", "美食", "评论")] == [
        team.li,
        team.wang,
        team.researcher,
    ]


def test_rejected_and_unjudged_tags_do_not_become_tags(store, team, films):
    suggestion = suggest(store, 2, {"片子": 4, "剧": 3})
    decide(store, 2, team.li, verdicts={"片子": "rejected"}, suggestion_id=suggestion)
    for name in ("片子", "剧"):
        with pytest.raises(NotFound):
            find_tag(store, name)


def test_uses_count_prior_labels_and_positive_verdicts(store, team, films):
    store.run(tags.recount_uses)
    assert {name: find_tag(store, name).uses for name in ("电影", "影片", "音乐")} == {"电影": 4, "影片": 2, "音乐": 2}
    receipt = decide(store, 2, team.li, "音乐")
    assert find_tag(store, "音乐").uses == 2  # as of the last recount
    store.run(tags.recount_uses)
    assert find_tag(store, "音乐").uses == 3
    undo(store, receipt, team.li)
    store.run(tags.recount_uses)
    assert find_tag(store, "音乐").uses == 3  # what was once said stays said


def test_every_change_raises_the_revision_that_indexes_watch(store, team, films):
    with store.read() as session:
        before = tag_revision(session)
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    with store.read() as session:
        after = tag_revision(session)
    assert after == before + 1
    assert (find_tag(store, "影片").revision, find_tag(store, "电影").revision) == (after, after)
    assert find_tag(store, "音乐").revision < after


def test_every_row_is_kept_as_it_was_and_as_it_became(store, team, films):
    number = change_tags(store, team.researcher, tags.plan_rename, "电影", "Movie")
    with store.read() as session:
        rows = session.query(TagChange).filter_by(entry_number=number).order_by(TagChange.place).all()
    tag = find_tag(store, "Movie")
    assert [(row.tag_id, row.key) for row in rows] == [(tag.id, None), (None, "movie")]
    assert (rows[0].before["name"], rows[0].after["name"]) == ("电影", "Movie")
    assert (rows[1].before, rows[1].after) == ({}, {"text": "Movie", "tag_id": tag.id})
