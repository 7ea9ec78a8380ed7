"""The page Tags: the list, one tag in its dialog, duplicates, changes; each change is looked up in the store."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.shell.i18n import translate
from app.shell.settings import Settings
from app.shell.store import open_store
from app.tags import changing, tag_table
from app.tags.tag_table import Listing
from db.errors import NotFound, Refused, StoreError
from db.figures import admin_log
from db.ledger import entries as ledger
from db.tags import distinct as tag_distinct
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from db.tags.search.index import TagSearch
from tests.app.conftest import ROOT

PAGE = "../pages/tags.py"
CHANGES = ("tags_keep", "tags_distinct", "tags_carry", "tags_undo", "tags_past")  # buttons that change something
OLD, ODD = "机器学习", "旧*名*"


@pytest.fixture
def store(monkeypatch, tmp_path):
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    monkeypatch.setenv("L2A_IMPORT_FOLDER", str(tmp_path))
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "starter"))  # not there, so it is not offered
    monkeypatch.setattr("app.entry.resources.SAMPLES", tmp_path / "no samples")
    opened = open_store(Settings(database=url))
    admin = local_visitor(opened, "chen").id
    local_visitor(opened, "li")
    rows = [IncomingTag(1, OLD, definition="让机器学习"), IncomingTag(2, "機器學習"), IncomingTag(3, "电影")]
    import_tags(opened, rows, admin, name="test")
    from db.transfer.importing import IncomingQuestion, import_questions

    import_questions(opened, [IncomingQuestion(1, "第一个问题？", tags=("機器學習",))], name="q", fingerprint="q")
    opened.run(lambda session: ledger.submit(session, ledger.Submission(1, admin, {ODD: "added", OLD: "added"})))
    yield opened
    opened.close()


@pytest.fixture
def admin(store) -> int:
    return local_visitor(store, "chen").id


def number_of(store, name: str) -> int:
    with store.read() as session:
        return tags.find(session, name).id


def open_page(person: str = "chen", **state) -> AppTest:
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = person
    app.context["timezone"] = "Asia/Shanghai"
    app.switch_page(PAGE)
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    next(button for button in app.button if (button.key or "").startswith(key)).click().run()
    assert not app.exception
    return app


def keys(app: AppTest) -> list[str]:
    return [button.key or "" for button in app.button]


def words(app: AppTest) -> str:
    return "\n".join(str(part.value) for part in (*app.caption, *app.markdown, *app.warning, *app.success, *app.error))


# --- the page --------------------------------------------------------------------------------------------------------


def test_a_tag_is_renamed_after_its_preview_and_taken_back_from_the_line_that_says_so(store):
    app = open_page(tags_open=(number_of(store, ODD), "rename"), tags_typed="新名")
    assert "1 questions, 1 decisions and 0 prior labels change" in words(app)
    with store.read() as session, pytest.raises(NotFound):
        tags.find(session, "新名")
    press(app, "tags_carry_out")
    assert r"Rename 旧\*名\* to 新名" in app.success[0].value
    assert number_of(store, "新名") == number_of(store, ODD)
    press(app, "tags_undo_last")
    with store.read() as session:
        assert tags.find(session, ODD).name == ODD


def test_a_tag_is_merged_into_one_that_is_typed(store):
    app = open_page(tags_open=(number_of(store, ODD), "merge"), tags_typed="电影")
    press(app, "tags_carry_out")
    with store.read() as session:
        assert tags.find(session, ODD).status == "merged"


def test_what_makes_no_sense_is_said_as_text_and_offers_no_button(store):
    app = open_page(tags_open=(number_of(store, "电影"), "merge"), tags_typed="没有这个[标签](http://x)")
    assert r"\[标签\](http://x)" in app.warning[0].value
    assert "tags_carry_out" not in keys(app)


def test_a_tag_is_deprecated_and_reactivated(store):
    number = number_of(store, "电影")
    press(open_page(tags_open=(number, "deprecate")), "tags_carry_out")
    with store.read() as session:
        assert tags.find(session, "电影").status == "deprecated"
    press(open_page(tags_open=(number, "reactivate")), "tags_carry_out")
    with store.read() as session:
        assert tags.find(session, "电影").status == "active"


def test_an_alias_is_added_and_split_off_again(store):
    number = number_of(store, "电影")
    press(open_page(tags_open=(number, "alias"), tags_typed="影片"), "tags_carry_out")
    assert number_of(store, "影片") == number
    press(open_page(tags_open=(number, "split")), "tags_carry_out")
    assert number_of(store, "影片") != number


def test_a_tag_gets_a_definition_and_a_parent(store):
    number = number_of(store, "电影")
    app = open_page(tags_open=(number, "define"), tags_typed=OLD)
    app.text_area(key=f"tags_definition_{number}").set_value("放映的影片").run()
    press(app, "tags_save")
    with store.read() as session:
        found = tags.find(session, "电影")
        assert (found.definition, found.parent_id) == ("放映的影片", number_of(store, OLD))
    app = press(open_page(tags_open=(number, "define"), tags_typed="没有这个标签"), "tags_save")
    assert "There is no tag 没有这个标签" in app.error[0].value
    with store.read() as session:
        assert tags.find(session, "电影").parent_id == number_of(store, OLD)


def test_a_merged_tag_offers_only_its_way_back(store, admin):
    change = store.run(lambda session: tags.carry_out(session, tags.plan_merge(session, ODD, "电影"), admin))
    app = open_page(tags_open=(number_of(store, ODD), "rename"))
    assert "tags_carry_out" not in keys(app)
    press(app, f"tags_past_{change}")
    with store.read() as session:
        assert tags.find(session, ODD).status == "active"


def test_a_duplicate_is_merged_in_either_direction(store):
    app = open_page(tags_section="duplicates")
    one, other = number_of(store, OLD), number_of(store, "機器學習")
    assert "1 questions, 1 decisions, 0 prior labels change" in words(app)
    assert "0 questions, 0 decisions, 1 prior labels change" in words(app)
    press(app, f"tags_keep_{one}_of")
    with store.read() as session:
        assert tags.find(session, "機器學習").merged_into_id == one
    assert not [key for key in keys(app) if key.startswith("tags_keep")]
    press(app, "tags_undo_last")
    press(app, f"tags_keep_{other}_of")
    with store.read() as session:
        assert tags.find(session, OLD).merged_into_id == other


def test_no_duplicate_is_remembered_and_listed_again(store):
    app = press(open_page(tags_section="duplicates"), "tags_distinct_")
    assert "are not duplicates" in app.success[0].value
    assert not [key for key in keys(app) if key.startswith("tags_keep")]
    with store.read() as session:
        assert len(tag_distinct.pairs(session)) == 1
    press(app, "tags_take_up_")
    assert [key for key in keys(app) if key.startswith("tags_keep")]


@pytest.fixture
def emerging(store, monkeypatch):
    """Four questions with a name that is no tag, and a model that knows names."""
    from db.transfer.importing import IncomingQuestion, import_questions
    from tests.app.emerging import finding

    titles = ("折叠*屏*手机值得买吗？", "折叠*屏*耐用吗？", "折叠*屏*和直板怎么选？", "老电影好看吗？")
    rows = [IncomingQuestion(line, title, external_id=str(line)) for line, title in enumerate(titles, 1)]
    import_questions(store, rows, name="names", fingerprint="names")
    monkeypatch.setattr(finding.WHERE, finding.find_listed)
    tagger = SimpleNamespace(version="v1", names={"折叠*屏*": 0.9, "老电影": 0.8})
    monkeypatch.setattr("app.serving.suggester.Suggester.tagger", lambda self: tagger)
    return tagger


def make_below(app: AppTest, parent: str) -> None:
    """As if the parent had been typed into the field of the first name, and the button been pressed."""
    button = next(key for key in keys(app) if key.startswith("tags_create_"))
    app.session_state[button.replace("create", "parent")] = parent
    press(app, button)


def found_names(app: AppTest) -> str:
    return "\n".join(part.proto.body for part in app.get("html"))


def test_names_are_looked_for_when_somebody_asks_and_not_before(store, emerging):
    app = open_page(tags_section="emerging")
    assert "You decide what becomes a tag" in app.info[0].value
    assert not [key for key in keys(app) if key.startswith("tags_create")]
    press(app, "tags_look")
    assert "5 questions read" in words(app)
    assert all(part in found_names(app) for part in ("折叠*屏*", "3 questions", "since 20", "90% likely", "耐用吗"))
    assert "老电影" not in found_names(app)  # in one question only
    app = open_page(tags_section="emerging")
    assert "折叠*屏*" in found_names(app)  # kept for all who come after
    assert app.button(key="tags_look").label == "Look again"


def test_a_name_is_made_a_tag_below_another_and_taken_back(store, emerging):
    app = press(open_page(tags_section="emerging"), "tags_look")
    make_below(app, "电影")
    assert r"Make 折叠\*屏\* a tag, below 电影" in app.success[0].value
    with store.read() as session:
        assert tags.find(session, "折叠*屏*").parent_id == tags.find(session, "电影").id
    assert "折叠*屏*" not in found_names(app)
    assert "No name without a tag" in app.info[0].value
    press(app, "tags_undo_last")
    assert "折叠*屏*" in found_names(app)
    with pytest.raises(NotFound):
        number_of(store, "折叠*屏*")


def test_a_parent_that_is_no_tag_is_refused_and_nothing_is_made(store, emerging):
    app = press(open_page(tags_section="emerging"), "tags_look")
    make_below(app, "没有这个标签")
    assert "There is no tag 没有这个标签" in app.error[0].value
    with pytest.raises(NotFound):
        number_of(store, "折叠*屏*")


def test_a_parent_that_the_name_ends_in_is_chosen_already(store, emerging):
    emerging.names = {"屏*手机值得买": 0.9}
    rows = [IncomingTag(1, "值得买")]
    import_tags(store, rows, local_visitor(store, "chen").id, name="parents")
    from db.transfer.importing import IncomingQuestion, import_questions

    more = [IncomingQuestion(n, f"屏*手机值得买{n}", external_id=f"m{n}") for n in range(3)]
    import_questions(store, more, name="more", fingerprint="more")
    app = press(open_page(tags_section="emerging"), "tags_look")
    press(app, "tags_create_")
    assert "below 值得买" in app.success[0].value


def test_never_is_remembered_and_taken_back_right_after_or_from_the_list(store, emerging):
    app = press(open_page(tags_section="emerging"), "tags_look")
    for way_back in ("tags_undo_last", "tags_allow_"):
        press(app, "tags_never_")
        assert r"折叠\*屏\* is never to be a tag" in app.success[0].value
        assert "折叠*屏*" not in found_names(app)
        press(app, way_back)
        assert "may be listed again" in app.success[0].value
        assert "折叠*屏*" in found_names(app)


def test_a_model_without_names_is_said_so_with_what_to_do(store, emerging):
    emerging.names = None
    app = press(open_page(tags_section="emerging"), "tags_look")
    assert "The live model v1 has no statistics of names" in app.warning[0].value
    assert "You decide what becomes a tag" in app.info[0].value


def test_every_change_is_taken_back_from_the_list_of_changes(store, admin):
    number = store.run(lambda session: tags.carry_out(session, tags.plan_rename(session, "电影", "影片"), admin))
    app = press(open_page(tags_section="changes"), f"tags_undo_{number}")
    with store.read() as session:
        assert tags.find(session, "电影").name == "电影"
        newest = admin_log.recent(session, ("tag",))[0].number
    assert f"tags_undo_{number}" not in keys(app)
    assert f"tags_undo_{newest}" in keys(app)  # also a change of mind can be taken back


def test_a_moderator_looks_and_changes_nothing(store):
    app = open_page("li")
    assert "ask a researcher or an admin" in words(app)
    for state in (
        {"tags_section": "duplicates"},
        {"tags_section": "emerging"},
        {"tags_open": (number_of(store, ODD), "rename"), "tags_typed": "x"},
    ):
        app = open_page("li", **state)
        assert not [
            key for key in keys(app) if key.startswith(("tags_keep", "tags_distinct", "tags_carry", "tags_undo"))
        ]
    assert [str(option) for option in app.button_group(key="tags_section").options] == ["All tags"]


def test_a_tag_list_is_imported_here(store, tmp_path):
    path = tmp_path / "tags.csv"
    path.write_text("name,aliases\n音乐,乐曲\n", encoding="utf-8")
    app = open_page(tags_section="import")
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(path)).run()
    press(app, "queue_dry_run")
    press(app, "queue_import")
    assert number_of(store, "乐曲") == number_of(store, "音乐")
    press(app, "queue_undo_tags")
    assert "Take back entry" in app.success[0].value
    assert "queue_undo_tags" not in keys(app)
    with pytest.raises(NotFound):
        number_of(store, "音乐")


def test_the_language_may_change_on_every_part(store):
    for section in ("list", "emerging", "duplicates", "changes", "import"):
        app = open_page(tags_section=section)
        app.session_state["lang"] = "zh"
        app.run()
        assert not app.exception


# --- what stands behind it -------------------------------------------------------------------------------------------


def names(store, listing: Listing) -> list[str]:
    with store.read() as session:
        return [row.name for row in listing.read(session, TagSearch(store)).rows]


def test_the_list_is_searched_and_sorted(store):
    assert names(store, Listing(query="dianying")) == ["电影"]
    assert names(store, Listing(query="jiqi")) == ["機器學習", OLD]
    by_name = Listing().sorted_by("name")
    assert names(store, by_name) == [ODD, OLD, "機器學習", "电影"]
    assert names(store, by_name.sorted_by("name")) == ["电影", "機器學習", OLD, ODD]
    assert Listing().sorted_by("uses").descending
    assert Listing().sorted_by("nothing") == Listing()


def test_a_table_says_how_it_is_sorted_and_what_can_be_done(store):
    def text(key, **values):
        return translate("en", key, **values)

    listing = Listing()
    with store.read() as session:
        found = listing.read(session, TagSearch(store))
    data = tag_table.table_data(found, listing, text, may_change=True, scheme="dark")
    assert {column["name"]: column.get("sorted") for column in data["columns"]}["uses"] == "descending"
    assert [action[0] for action in data["rows"][0]["actions"]] == ["rename", "merge", "deprecate"]
    assert not tag_table.table_data(found, listing, text, may_change=False, scheme="dark")["rows"][0]["actions"]


def test_a_plan_that_would_do_something_else_by_now_is_not_carried_out(store, admin):
    with store.read() as session:
        plan = changing.plan_change(session, "merge", ODD, "电影")
    store.run(lambda session: tags.carry_out(session, tags.plan_rename(session, ODD, "丙"), admin))
    with pytest.raises(Refused):
        changing.change_tags(store, plan, "merge", ODD, "电影", admin)


@pytest.mark.parametrize(
    ("operation", "tag", "other"),
    [("undo", "x", ""), ("undo", "9" * 30, ""), ("undo", "1", ""), ("split", "", "没有"), ("deprecate", "没有", "")],
)
def test_plans_that_make_no_sense_are_refused(store, operation, tag, other):
    with store.read() as session, pytest.raises(StoreError):
        changing.plan_change(session, operation, tag, other)
