"""The way back from a change of tags, and back again, and when it is refused."""

import pytest

from db.errors import NotFound, Refused
from db.tags import planning as tags
from db.tags.listing import describe
from tests.db.actions import (
    all_tags,
    change_tags,
    counts,
    decide,
    dry_run,
    entry,
    find_tag,
    item,
    spellings_of,
    tags_of,
)
from tests.db.conftest import add_questions


@pytest.fixture
def question(store, team) -> int:
    """A question that li calls 电影 and wang 影片."""
    (number,) = add_questions(store, 1, overlap=2)
    decide(store, number, team.li, "电影")
    decide(store, number, team.wang, "影片")
    return number


@pytest.fixture
def change(store, team):
    return lambda plan, *arguments, **options: change_tags(store, team.researcher, plan, *arguments, **options)


@pytest.fixture
def take_back(store, change):
    return lambda number: change(tags.plan_undo, number)


CHANGES = {
    "merge": (tags.plan_merge, ("影片", "电影"), {}),
    "alias": (tags.plan_alias, ("电影", "Film"), {}),
    "deprecate": (tags.plan_status, ("电影", "deprecated"), {}),
    "details": (tags.plan_details, ("电影",), {"definition": "x", "external_id": "T1", "parent": "生活"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_can_be_taken_back_and_made_again_any_number_of_times(store, question, change, take_back, name):
    plan, arguments, options = CHANGES[name]
    before = all_tags(store)
    numbers = [change(plan, *arguments, **options)]
    after = all_tags(store)
    assert after != before
    for _ in range(2):
        numbers.append(take_back(numbers[-1]))
        assert all_tags(store) == before
        numbers.append(take_back(numbers[-1]))
        assert all_tags(store) == after
    assert [entry(store, number).target for number in numbers] == [None, *numbers[:-1]]


def test_a_summary_is_said_in_both_languages_later(store, question, change):
    number = change(tags.plan_merge, "影片", "电影")
    plan = dry_run(store, tags.plan_undo, number)
    assert plan.summary.in_language("zh") == f"撤销回执 {number}：把“影片”并入“电影”。"
    with store.read() as session:
        (past,) = describe(session, "影片").changes
    assert (past.summary, past.summary.in_language("zh")) == ("Merge 影片 into 电影.", "把“影片”并入“电影”。")


def test_a_summary_of_an_older_version_is_said_as_it_was_written(store, question, change, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr("db.tags.changes.keep", str)
        number = change(tags.plan_merge, "影片", "电影")
    with store.read() as session:
        (past,) = describe(session, "影片").changes
    assert past.summary == past.summary.in_language("zh") == "Merge 影片 into 电影."
    plan = dry_run(store, tags.plan_undo, number)
    assert str(plan.summary) == f"Take back entry {number}: Merge 影片 into 电影."


def test_taking_a_merge_back_brings_a_conflict_back(store, question, change, take_back):
    number = change(tags.plan_merge, "影片", "电影")
    assert (tags_of(store, question), item(store, question).conflict) == (["电影"], False)
    plan = dry_run(store, tags.plan_undo, number)
    assert (plan.operation, str(plan.summary)) == ("undo", f"Take back entry {number}: Merge 影片 into 电影.")
    assert (counts(plan), plan.takes_back) == ((1, 1, 0), number)
    take_back(number)
    assert (tags_of(store, question), item(store, question).conflict) == ([], True)


def test_a_taken_back_rename_keeps_the_newer_spelling_as_an_alias(store, team, question, change, take_back):
    number = change(tags.plan_rename, "电影", "Movie")
    decide(store, question, team.li, "movie")
    back = take_back(number)
    assert spellings_of(store, "电影") == ["电影", "Movie"]
    assert dry_run(store, tags.plan_undo, back).changes[0].after["name"] == "Movie"
    take_back(back)
    assert spellings_of(store, "电影") == ["Movie", "电影"]


def test_a_taken_back_split_leads_the_spelling_home(store, team, question, change, take_back):
    change(tags.plan_alias, "电影", "Film")
    decide(store, question, team.wang, "film")
    assert not item(store, question).conflict
    split = change(tags.plan_split, "Film")
    number = find_tag(store, "film").id
    assert item(store, question).conflict
    back = take_back(split)
    assert (find_tag(store, "film").name, find_tag(store, f"#{number}").status) == ("电影", "merged")
    assert (tags_of(store, question), item(store, question).conflict) == (["电影"], False)
    take_back(back)
    assert (find_tag(store, "film").id, find_tag(store, "film").status) == (number, "active")
    assert item(store, question).conflict


def test_a_taken_back_split_takes_along_what_joined_the_new_tag(store, team, question, change, take_back):
    change(tags.plan_alias, "电影", "Film")
    split = change(tags.plan_split, "Film")
    change(tags.plan_merge, "影片", "Film")
    assert item(store, question).conflict
    take_back(split)
    assert (tags_of(store, question), item(store, question).conflict) == (["电影"], False)


def test_a_taken_back_alias_leaves_decisions_as_they_were_written(store, team, question, change, take_back):
    number = change(tags.plan_alias, "电影", "Film")
    decide(store, question, team.li, "FILM")
    decide(store, question, team.wang, "电影")
    assert tags_of(store, question) == ["电影"]
    back = take_back(number)
    assert (tags_of(store, question), item(store, question).conflict) == ([], True)
    decide(store, question, team.wang, "film")  # the spelling is free, so a tag of its own comes of it
    assert (tags_of(store, question), spellings_of(store, "film")) == (["film"], ["film"])
    with pytest.raises(Refused, match=f"film was changed again after entry {back}"):
        take_back(back)


def test_a_change_cannot_be_taken_back_twice(store, question, change, take_back):
    for number in (
        change(tags.plan_merge, "影片", "电影"),
        change(tags.plan_alias, "电影", "Film"),
        change(tags.plan_status, "电影", "deprecated"),
        change(tags.plan_rename, "电影", "Movie"),
    ):
        take_back(number)
        with pytest.raises(Refused, match=f"was changed again after entry {number}. Take the newer change back first"):
            take_back(number)


def test_a_newer_change_of_the_same_thing_must_be_taken_back_first(store, question, change, take_back):
    first = change(tags.plan_rename, "电影", "Movie")
    second = change(tags.plan_rename, "Movie", "Cinema")
    with pytest.raises(Refused, match=f"Movie was changed again after entry {first}"):
        take_back(first)
    take_back(second)
    take_back(first)
    assert find_tag(store, "cinema").name == "电影"


def test_a_newer_change_of_something_else_stays(store, question, change, take_back):
    merged = change(tags.plan_merge, "影片", "电影")
    change(tags.plan_details, "影片", definition="同电影")
    take_back(merged)
    assert (find_tag(store, "影片").status, find_tag(store, "影片").definition) == ("active", "同电影")


def test_a_rename_cannot_be_taken_back_once_the_old_name_is_another_tag(store, question, change, take_back):
    renamed = change(tags.plan_rename, "电影", "Movie")
    split = change(tags.plan_split, "电影")
    with pytest.raises(Refused, match="电影 would not be the tag's own name, after newer changes"):
        take_back(renamed)
    take_back(split)
    take_back(renamed)
    assert spellings_of(store, "电影") == ["电影", "Movie"]


def test_a_rename_can_be_taken_back_though_its_spelling_is_gone(store, question, change, take_back):
    alias = change(tags.plan_alias, "电影", "Film")
    take_back(alias)
    renamed = change(tags.plan_rename, "电影", "Film")
    merged = change(tags.plan_merge, "Film", "影片")
    take_back(alias)  # once more: the rename brought the same spelling back
    take_back(renamed)
    take_back(merged)
    assert spellings_of(store, "电影") == ["电影"]


def test_an_alias_cannot_be_taken_back_once_it_is_the_name(store, question, change, take_back):
    alias = change(tags.plan_alias, "电影", "Film")
    renamed = change(tags.plan_rename, "电影", "Film")
    with pytest.raises(Refused, match="Film would not be the tag's own name"):
        take_back(alias)
    take_back(renamed)
    take_back(alias)
    assert spellings_of(store, "电影") == ["电影"]


def test_a_way_back_never_leads_a_tag_to_itself(store, question, change, take_back):
    back = take_back(change(tags.plan_merge, "影片", "电影"))
    change(tags.plan_merge, "电影", "影片")
    with pytest.raises(Refused, match="影片 would be merged into itself, after newer changes"):
        take_back(back)
    assert tags_of(store, question) == ["影片"]


def test_a_way_back_never_puts_a_tag_below_itself(store, question, change, take_back):
    back = take_back(change(tags.plan_details, "影片", parent="电影"))
    change(tags.plan_details, "电影", parent="影片")
    with pytest.raises(Refused, match="影片 would stand below itself"):
        take_back(back)


def test_a_split_cannot_be_taken_back_once_its_origin_was_merged_into_it(store, question, change, take_back):
    change(tags.plan_alias, "电影", "Film")
    split = change(tags.plan_split, "Film")
    change(tags.plan_merge, "电影", "Film")
    with pytest.raises(Refused, match="Film would be merged into itself"):
        take_back(split)


def test_a_plan_is_refused_once_somebody_else_changed_the_tags(store, team, question):
    plans = {
        "rename": dry_run(store, tags.plan_rename, "电影", "Movie"),
        "alias": dry_run(store, tags.plan_alias, "电影", "Film"),
        "new name": dry_run(store, tags.plan_rename, "影片", "Film"),
        "merge": dry_run(store, tags.plan_merge, "影片", "电影"),
    }
    change_tags(store, team.admin, tags.plan_rename, "电影", "Cinema")
    store.run(lambda session: tags.ensure_tags(session, ["FILM"], team.li))
    change_tags(store, team.admin, tags.plan_merge, "Cinema", "影片")
    before = all_tags(store)
    for name, message in {
        "rename": "changed by somebody else meanwhile",
        "alias": "changed by somebody else meanwhile",
        "new name": "changed by somebody else meanwhile",
        "merge": "影片 would be merged into itself",
    }.items():
        with pytest.raises(Refused, match=message):
            store.run(lambda session, name=name: tags.carry_out(session, plans[name], team.researcher))
    assert all_tags(store) == before


def test_only_changes_of_tags_are_taken_back_here(store, team, question):
    receipt = decide(store, question, team.li, "音乐")
    for number in (receipt.number, 4711):
        with pytest.raises(NotFound, match=f"Entry {number} is not a change of tags"):
            dry_run(store, tags.plan_undo, number)
