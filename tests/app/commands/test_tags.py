"""`tags`: finding, listing, and changes with their plan and their way back."""

import json
import re
from datetime import datetime
from types import SimpleNamespace

import pytest

from db.transfer.importing import IncomingQuestion, import_questions
from tests.app.emerging import finding

CHANGES = [
    (["create", "写代码", "--parent", "生活"], "Make 写代码 a tag, below 生活."),
    (["rename", "自学", "自学成才"], "Rename 自学 to 自学成才."),
    (["merge", "自学", "编程"], "Merge 自学 into 编程."),
    (["alias", "编程", "写代码"], "Let 写代码 mean 编程."),
    (["split", "程序设计"], "Split 程序设计 off from 编程."),
    (["deprecate", "编程"], "Deprecate 编程."),
    (["define", "编程", "--definition", "写程序", "--external-id", "7", "--parent", "生活"], "Change definition, "),
]


@pytest.fixture
def changed(answer):
    """Make a change without being asked; the number of its entry."""

    def change(*arguments):
        out = answer("tags", *arguments, "--yes")
        (number,) = re.findall(r"^Done: entry (\d+)\. To take it back: python -m app tags undo \1$", out, re.MULTILINE)
        return number

    return change


@pytest.fixture
def tagged(filled, changed):
    changed("alias", "编程", "程序设计")


@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize(("arguments", "summary"), CHANGES)
def test_a_change_shows_its_plan_is_made_and_taken_back(answer, changed, arguments, summary):
    before = answer("tags", "list")
    planned = answer("tags", *arguments, "--dry-run")
    assert planned.startswith(summary)
    assert planned.endswith("Nothing was changed: this is a dry run.\n")
    assert answer("tags", "list") == before
    number = changed(*arguments)
    assert summary in answer("tags", "show", "编程" if "编程" in arguments else arguments[1])
    assert f"Take back entry {number}" in answer("tags", "undo", number, "--dry-run")
    changed("undo", number)
    if arguments[0] == "split":  # the tag that the split made stays, merged back
        assert "程序设计\tmerged into 编程\t0\n" in answer("tags", "list")
    else:
        assert answer("tags", "list") == before


def test_a_plan_counts_what_it_touches(answer, decide):
    decide(1, "li", "编程", "自学")
    decide(2, "li", "编程")
    assert answer("tags", "merge", "编程", "自学", "--dry-run").splitlines()[1] == (
        "  touches 2 decisions on 2 questions and 1 prior labels; none of them is rewritten"
    )


@pytest.mark.usefixtures("filled")
def test_a_deprecated_tag_can_be_made_active_again(answer, changed):
    changed("deprecate", "电影")
    assert answer("tags", "list", "--status", "deprecated") == "电影\tdeprecated\t1\n"
    changed("reactivate", "电影")
    assert answer("tags", "list", "--status", "deprecated") == ""


@pytest.mark.usefixtures("filled")
def test_without_a_terminal_and_without_yes_nothing_is_changed(refusal, answer):
    complaint = refusal("tags", "deprecate", "电影")
    assert complaint == (
        "Nothing was changed: there is no terminal to ask on. Pass --yes to go on without being asked."
    )
    assert answer("tags", "list", "--status", "deprecated") == ""


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(("typed", "code"), [("y", 0), ("YES", 0), ("n", 1), ("", 1)])
def test_on_a_terminal_it_asks(call, at_terminal, typed, code):
    at_terminal(typed)
    found, out, err = call("tags", "deprecate", "电影")
    assert found == code
    assert err.startswith("Go on? [y/N] ")
    assert ("Done: entry" in out) == (code == 0)
    assert ("Nothing was changed." in err) == (code == 1)


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["merge", "编程", "没有的"], "There is no tag 没有的."),
        (["merge", "没有的", "编程"], "There is no tag 没有的."),
        (["merge", "编程", "编程"], "编程 cannot be merged into itself."),
        (["create", "程序设计", "--parent", "没有的"], "There is no tag 没有的."),
        (["create", "编程"], "编程 is there already: it means the tag 编程."),
        (["rename", "编程", "自学"], "自学 is another tag already."),
        (["rename", "编程", " "], "' ' is not a tag"),
        (["split", "编程"], "编程 is the name of its tag, not an alias."),
        (["define", "编程"], "Nothing to change: pass --definition, --external-id or --parent."),
        (["define", "编程", "--parent", "编程"], "编程 stands below 编程"),
        (["undo", "1"], "Entry 1 is not a change of tags."),
        (["undo", "9999"], "Entry 9999 is not a change of tags."),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(refusal, arguments, complaint):
    assert refusal("tags", *arguments, "--yes").startswith(complaint)


@pytest.mark.usefixtures("filled")
def test_an_entry_is_not_taken_back_while_a_newer_one_depends_on_it(refusal, changed):
    number = changed("rename", "编程", "程序设计")
    changed("rename", "程序设计", "写代码")
    assert f"was changed again after entry {number}" in refusal("tags", "undo", number, "--yes")


@pytest.mark.usefixtures("filled")
def test_what_changed_while_the_question_stood_there_is_not_overwritten(call, changed, monkeypatch):
    def somebody_else_was_quicker(args):
        changed("alias", "电影", "写代码")
        return True

    monkeypatch.setattr("app.commands.labels.tags.confirm", _once(somebody_else_was_quicker))
    code, _, err = call("tags", "alias", "编程", "写代码")
    assert code == 2
    assert err == "app: 写代码 means 电影 already. Merge the two instead.\n"


def _once(act):
    """The first call acts; those it makes itself only agree."""
    calls = []

    def confirm(args):
        calls.append(args)
        return act(args) if len(calls) == 1 else True

    return confirm


@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("编程", "编程\texact, 1 uses"),
        ("biancheng", "编程\tpinyin, 1 uses"),
        ("bc", "编程\tinitials, 1 uses"),
        ("程序设", "编程\tprefix as 程序设计, 1 uses"),
        ("編程", "编程\texact, 1 uses"),
        ("zzzzzz", "No tag matches."),
    ],
)
def test_search_says_how_a_tag_was_found(answer, query, first):
    assert answer("tags", "search", query).splitlines()[0] == first


@pytest.mark.usefixtures("tagged")
def test_show_says_everything(answer, changed, refusal):
    number = changed("define", "编程", "--definition", "写程序", "--external-id", "7", "--parent", "生活")
    lines = answer("tags", "show", "程序设计").splitlines()
    assert re.fullmatch(r"#\d+  编程", lines[0])
    assert lines[1:7] == [
        "  status      active",
        "  aliases     程序设计",
        "  parent      生活",
        "  external id 7",
        "  definition  写程序",
        "  uses        1",
    ]
    assert lines[7].endswith(" by chen")
    assert lines[8].startswith(f"  entry {number}, ")
    assert "  children    编程" in answer("tags", "show", "生活")
    assert answer("tags", "show", lines[0].split()[0]).splitlines()[0] == lines[0]
    assert refusal("tags", "show", "#" + "9" * 30).startswith("There is no tag #999")


@pytest.mark.usefixtures("filled")
def test_list_shows_merges_and_refuses_an_unknown_status(answer, changed, refusal):
    changed("merge", "自学", "编程")
    assert answer("tags", "list", "--status", "merged") == "自学\tmerged into 编程\t1\n"
    assert len(answer("tags", "list").splitlines()) == 5
    assert refusal("tags", "list", "--status", "gone") == (
        "gone is not a status of tags. They are active, deprecated, merged."
    )


TOPICS = (
    "name,external_id,parent,aliases,definition",
    "电影,1,艺术,影片|戏,放映的影片",
    "艺术,2,,,",
    "纪录片,3,电影,,",
)


@pytest.mark.usefixtures("filled")
def test_a_hierarchy_is_imported_once(answer, write_file):
    file = write_file(*TOPICS, name="topics.csv")
    found = f"{file}: 3 rows; 2 tags, 2 aliases and 2 parents"
    rows = "  line 2: 电影 [艺术] [影片] [戏]\n  line 3: 艺术\n  line 4: 纪录片 [电影]\n"
    assert answer("tags", "import", file, "--dry-run") == f"{rows}{found} would be added, 0 bad\n"
    assert "影片" not in answer("tags", "show", "电影")
    before = answer("tags", "list")
    line, way_back = answer("tags", "import", file).splitlines()
    assert line == f"{found} added, 0 bad"
    number = way_back.removeprefix("To take it back: python -m app tags undo ")
    assert "Take back entry" in answer("tags", "undo", number, "--yes")
    assert answer("tags", "list") == before
    assert answer("tags", "import", file).startswith(f"{found} added, 0 bad\n")
    shown = answer("tags", "show", "影片")
    assert "  parent      艺术\n  children    纪录片\n  external id 1\n  definition  放映的影片\n" in shown
    assert answer("tags", "import", file) == f"{file}: 3 rows; 0 tags, 0 aliases and 0 parents added, 0 bad\n"


@pytest.mark.usefixtures("filled")
def test_bad_rows_of_a_tag_list_are_named(call, refusal, write_file):
    file = write_file("name,aliases", "艺术,电影", "x,y,z", name="topics.csv")
    code, out, err = call("tags", "import", file)
    assert (code, out) == (1, "")
    assert err.startswith(f"app: {file}, line 3: 3 columns where the header has 2. This run stored nothing. ")
    code, out, err = call("tags", "import", file, "--skip-bad")
    assert code == 0
    assert out.startswith(f"{file}: 1 rows; 1 tags, 0 aliases and 0 parents added, 2 bad\nTo take it back: ")
    assert f"  {file}, line 2: the alias 电影 means another tag already" in err
    wrong = write_file("size,weight", "1,2", name="wrong.csv")
    assert f"{wrong}, line 1: the header has no column name" in refusal("tags", "import", wrong)
    assert "no such file" in refusal("tags", "import", file.with_name("missing.csv"))


def test_uses_are_counted_again(answer, decide):
    decide(3, "li", "电影")
    assert "电影\tactive\t1\n" in answer("tags", "list")
    assert answer("tags", "recount") == "The uses of all tags were counted again.\n"
    assert "电影\tactive\t2\n" in answer("tags", "list")


# --- names that come up ----------------------------------------------------------------------------------------------


@pytest.fixture
def names(filled, monkeypatch):
    """The live model knows the names 零基础 and 伤膝盖; the first stands in two more questions."""
    monkeypatch.setattr(finding.WHERE, finding.find_listed)
    tagger = SimpleNamespace(version="v1", names={"零基础": 0.9, "伤膝盖": 0.5})
    monkeypatch.setattr("app.serving.suggester.Suggester.tagger", lambda self: tagger)
    return tagger


@pytest.fixture
def more_questions(names, store):
    rows = [IncomingQuestion(line, f"零基础学{what}难吗？", external_id=what) for line, what in enumerate("琴画", 1)]
    import_questions(store, rows, name="more", fingerprint="more")


@pytest.mark.usefixtures("more_questions")
def test_names_without_a_tag_are_listed_with_what_is_known_of_them(answer, changed):
    changed("alias", "自学", "基础")
    first, *examples = answer("tags", "emerging").splitlines()
    name, known = first.split("\t")
    assert (name, len(examples)) == ("零基础", 3)
    assert re.match(
        r"3 questions since \d{4}-\d\d-\d\d; 90% likely to be called a tag; by week (0 ){12}3; below 自学$", known
    )
    assert examples == ["  零基础学画难吗？", "  零基础学琴难吗？", "  零基础学编程从哪里开始？"]
    assert "伤膝盖\t1 questions" in answer("tags", "emerging", "--least", 1, "--days", 7)
    assert answer("tags", "emerging", "--least", 4) == "No name without a tag stands in 4 of 6 questions or more.\n"


@pytest.mark.usefixtures("more_questions")
def test_the_list_as_json(answer):
    (found,) = json.loads(answer("tags", "emerging", "--json"))
    assert (found["name"], found["questions"], found["chance"], found["surprise"]) == ("零基础", 3, 0.9, None)
    assert len(found["weeks"]) == 13
    assert datetime.fromisoformat(found["since"]).tzinfo is not None


@pytest.mark.usefixtures("more_questions")
def test_a_name_that_was_made_a_tag_or_refused_is_listed_no_more(answer, changed, refusal):
    number = changed("create", "零基础")
    assert answer("tags", "emerging").startswith("No name")
    changed("undo", number)
    assert "--undo-never 零基础" in answer("tags", "emerging", "--never", "零基础")
    assert answer("tags", "emerging").startswith("No name")
    assert answer("tags", "emerging", "--refused").startswith("零基础\tchen\t20")
    assert answer("tags", "emerging", "--undo-never", "零基础") == "零基础 may be listed again.\n"
    assert answer("tags", "emerging").startswith("零基础\t")
    assert answer("tags", "emerging", "--refused") == "Nobody said of a name that it shall never be a tag.\n"
    assert refusal("tags", "emerging", "--undo-never", "零基础").startswith(
        "Nobody said that 零基础 shall never be a tag"
    )


def test_who_may_not_change_tags_sees_no_names_and_refuses_none(refusal, names):
    for arguments in ([], ["--never", "零基础"], ["--undo-never", "零基础"], ["--refused"]):
        assert "to change tags takes a researcher or admin" in refusal("tags", "emerging", *arguments, "--as", "li")


def test_a_model_without_names_is_refused_with_what_to_do(refusal, names):
    names.names = None
    assert refusal("tags", "emerging").startswith("The live model v1 has no statistics of names")
