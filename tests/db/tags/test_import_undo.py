"""An import of tags is taken back by one number, and brought back; what is in use by then stays."""

import pytest

from db.errors import Refused
from db.figures import admin_log
from db.queue.check import find_inconsistencies
from db.tags import distinct as tag_distinct
from db.tags import importing as tag_import
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from db.tags.listing import describe
from db.tags.search.index import TagSearch
from db.tags.view import TagView
from tests.db.actions import all_tags, change_tags, decide, dry_run, entry, find_tag, look, spellings_of, tags_of, undo

ROWS = [
    IncomingTag(1, "艺术", external_id="100"),
    IncomingTag(2, "戏剧", external_id="101", parent="艺术", aliases=("话剧", "drama"), definition="台上的艺术"),
    IncomingTag(3, "纪录片", external_id="102", parent_external_id="101"),
    IncomingTag(4, "生活", external_id="103", parent="社会", aliases=("日常",), definition="每天的事"),
    IncomingTag(5, "短片", parent="纪录片"),
]
WORDS = ("戏剧", "话剧", "drama", "xiju", "日常", "生活", "艺", "社会")


def tag_names(store) -> set[str]:
    return {name for _, name, *_ in all_tags(store)[0]}


@pytest.fixture
def known(store, team, questions) -> set[str]:
    """The tags before the import; 生活 is one of them."""
    decide(store, questions[0], team.li, "生活")
    return tag_names(store)


@pytest.fixture(params=[2, 300])
def number(request, monkeypatch, store, team, known) -> int:
    """The number of an import, in several transactions or in one."""
    monkeypatch.setattr(tag_import, "ROWS_A_TRANSACTION", request.param)
    return import_tags(store, ROWS, team.researcher, name="tree").entry


@pytest.fixture
def take_back(store, team):
    return lambda number: change_tags(store, team.researcher, tags.plan_undo, number)


def found(search: TagSearch) -> dict[str, list[str]]:
    return {word: [match.name for match in search.search(word)] for word in WORDS}


def is_sound(store) -> bool:
    with store.read() as session:
        return find_inconsistencies(session) == []


def test_an_import_can_be_taken_back_and_brought_back_any_number_of_times(
    store, team, questions, take_back, monkeypatch
):
    decide(store, questions[0], team.li, "生活")
    search = TagSearch(store)
    for rows_a_transaction in (1, 300):
        monkeypatch.setattr(tag_import, "ROWS_A_TRANSACTION", rows_a_transaction)
        before = all_tags(store), found(search)
        number = import_tags(store, ROWS, team.researcher, name="tree").entry
        after = all_tags(store), found(search)
        assert before[0] != after[0]
        assert before[1] != after[1]
        for _ in range(2):
            number = take_back(number)
            assert (all_tags(store), found(search)) == before
            number = take_back(number)
            assert (all_tags(store), found(search)) == after
        take_back(number)
        assert is_sound(store)


def test_an_import_that_added_nothing_has_no_number(store, team, number):
    assert number is not None
    assert import_tags(store, ROWS, team.researcher, name="tree").entry is None
    assert import_tags(store, ROWS, team.researcher, name="tree", dry_run=True).entry is None


def test_it_is_one_line_among_the_changes_and_every_number_of_it_takes_all_back(store, team, number, take_back):
    with store.read() as session:
        (line,) = admin_log.recent(session, ("tag",))
    assert (line.number, line.summary, line.undone_by) == (number, "Tags from tree.", None)
    with store.read() as session:
        last = max(change.number for change in describe(session, "短片").changes)
    back = take_back(last)
    assert entry(store, back).target == number
    with store.read() as session:
        newest, line = admin_log.recent(session, ("tag",))
    assert (newest.number, line.undone_by) == (back, back)


def test_a_tag_that_was_used_since_stays_with_those_above_it(store, team, questions, known, number, take_back):
    decide(store, questions[1], team.li, "drama")
    plan = dry_run(store, tags.plan_undo, number)
    assert str(plan.summary) == (
        f"Take back a part of entry {number}: Tags from tree. Of it 2 tags or aliases stay: they are used or were "
        "changed since: 戏剧, 艺术"
    )
    back = take_back(number)
    assert (tags_of(store, questions[1]), spellings_of(store, "戏剧")) == (["戏剧"], ["戏剧", "drama", "话剧"])
    film = find_tag(store, "戏剧")
    assert (film.external_id, film.parent_id) == ("101", find_tag(store, "艺术").id)
    assert tag_names(store) - known == {"艺术", "戏剧"}
    assert is_sound(store)
    take_back(back)
    assert find_tag(store, "纪录片").parent_id == film.id


def test_a_decision_that_was_undone_keeps_its_tag_too(store, team, questions, known, number, take_back):
    undo(store, decide(store, questions[1], team.li, "短片"), team.li)
    take_back(number)
    assert tag_names(store) - known == {"艺术", "戏剧", "纪录片", "短片"}


@pytest.mark.parametrize(
    ("plan", "arguments", "options", "stay"),
    [
        (tags.plan_rename, ("戏剧", "Cinema"), {}, {"Cinema", "艺术"}),
        (tags.plan_alias, ("艺术", "Art"), {}, {"艺术"}),
        (tags.plan_split, ("话剧",), {}, {"话剧", "戏剧", "艺术"}),
        (tags.plan_merge, ("生活", "社会"), {}, {"社会"}),
        (tags.plan_merge, ("戏剧", "生活"), {}, {"戏剧", "艺术"}),
        (tags.plan_status, ("短片", "deprecated"), {}, {"短片", "纪录片", "戏剧", "艺术"}),
        (tags.plan_details, ("艺术",), {"definition": "美"}, {"艺术"}),
        (tags.plan_details, ("生活",), {"parent": "艺术"}, {"艺术"}),
        (tags.plan_rename, ("生活", "日常"), {}, {"日常"}),
    ],
)
def test_what_was_changed_since_stays(store, team, known, number, take_back, plan, arguments, options, stay):
    change_tags(store, team.researcher, plan, *arguments, **options)
    take_back(number)
    assert tag_names(store) - known == stay
    assert is_sound(store)


def test_where_everything_stays_the_undo_is_refused(store, team, number, take_back):
    take_back(number)
    with pytest.raises(Refused, match=f"Nothing of entry {number} is left to take back"):
        take_back(number)


def test_an_import_is_not_brought_back_over_what_came_instead(store, team, questions, number, take_back):
    back = take_back(number)
    decide(store, questions[1], team.li, "戏剧")
    with pytest.raises(Refused, match=f"戏剧 is there again since entry {back}. Import the list again"):
        take_back(back)
    again = import_tags(store, ROWS, team.researcher, name="tree")
    assert spellings_of(store, "话剧") == ["戏剧", "drama", "话剧"]
    take_back(again.entry)
    assert spellings_of(store, "戏剧") == ["戏剧"]


def test_bringing_it_back_never_puts_a_tag_below_itself(store, team, take_back):
    import_tags(store, [IncomingTag(1, "世界"), IncomingTag(2, "人")], team.researcher, name="there")
    rows = [IncomingTag(1, "社会", parent="世界"), IncomingTag(2, "人", parent="社会")]
    back = take_back(import_tags(store, rows, team.researcher, name="tree").entry)
    change_tags(store, team.researcher, tags.plan_details, "世界", parent="人")
    with pytest.raises(Refused, match="would stand below itself, after newer changes"):
        take_back(back)


def test_bringing_it_back_needs_the_tags_it_is_about(store, team, take_back):
    world = import_tags(store, [IncomingTag(1, "世界")], team.researcher, name="world").entry
    rows = [IncomingTag(1, "社会", parent="世界"), IncomingTag(2, "世界", aliases=("天下",))]
    society = take_back(import_tags(store, rows, team.researcher, name="tree").entry)
    world = take_back(world)
    with pytest.raises(Refused, match=f"was changed again after entry {society}. Take the newer change back first"):
        take_back(society)
    take_back(world)
    take_back(society)
    assert find_tag(store, "社会").parent_id == find_tag(store, "天下").id


def test_a_tag_that_comes_later_never_gets_the_number_of_one_that_went(store, team, questions, number, take_back):
    middle = decide(store, questions[1], team.li, "音乐")
    last = import_tags(store, [IncomingTag(1, "雕塑")], team.researcher, name="one").entry
    gone = find_tag(store, "雕塑").id
    take_back(last)
    decide(store, questions[2], team.li, "舞蹈")
    assert find_tag(store, "舞蹈").id > gone
    assert list(look(store, questions[1], middle.at).settled.tags) == ["音乐"]


def test_a_past_day_still_knows_the_tags_that_went(store, team, questions, take_back):
    decide(store, questions[0], team.li, "话剧")
    first = decide(store, questions[1], team.li, "生活")
    number = import_tags(store, [IncomingTag(1, "Film", aliases=("胶片",))], team.researcher, name="one").entry
    then = decide(store, questions[1], team.li, "生活")
    take_back(number)
    with store.read() as session:
        assert TagView(session, then.at).resolve("胶片", "胶片") == ("film", "Film")
        assert TagView(session, first.at).resolve("胶片", "胶片") == ("胶片", "胶片")
        assert TagView(session).resolve("胶片", "胶片") == ("胶片", "胶片")


def test_a_pair_that_is_no_duplicate_goes_with_its_tag(store, team, number, take_back):
    store.run(
        lambda session: tag_distinct.mark(
            session, tags.find(session, "短片").id, tags.find(session, "生活").id, team.researcher
        )
    )
    take_back(number)
    with store.read() as session:
        assert tag_distinct.pairs(session) == set()
