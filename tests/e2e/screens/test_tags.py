"""The page Tags in a browser: renamed by keyboard, merged from the duplicates, taken back from the list of changes."""

import re

import pytest
from playwright.sync_api import Locator, expect

from db import people
from db.errors import NotFound
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed

OLD, NEW = "浏览器测试的旧名", "浏览器测试的新名"
SIMPLE, TRADITIONAL = "浏览器网页", "瀏覽器網頁"


@pytest.fixture(scope="module")
def own_tags(studio) -> None:
    """Tags of these tests' own."""
    with studio.store.read() as session:
        chen = people.find(session, "chen").id
    rows = [IncomingTag(line, name) for line, name in enumerate((OLD, SIMPLE, TRADITIONAL), 1)]
    import_tags(studio.store, rows, chen, name="tags.txt")


def status(studio, name: str) -> str:
    with studio.store.read() as session:
        return tags.find(session, name).status


def name_of(studio, spelling: str) -> str:
    with studio.store.read() as session:
        try:
            return tags.find(session, spelling).name
        except NotFound:
            return ""


def row(screen: Screen, name: str) -> Locator:
    button = screen.page.get_by_role("button", name=name, exact=True)
    return screen.widget("tags_table").locator("tbody tr").filter(has=button)


def press_until(screen: Screen, key: str, there: Locator, at_most: int = 60) -> None:
    """Press a key until something has the focus, as somebody without a mouse does."""
    for _ in range(at_most):
        if there.evaluate("element => element.getRootNode().activeElement === element"):
            return
        screen.page.keyboard.press(key)
    raise AssertionError("the key does not lead there")


def section(screen: Screen, name: str) -> None:
    screen.pick("tags_section", name)


def test_a_tag_is_found_and_renamed_without_a_mouse(open_screen, studio, own_tags):
    screen = open_screen("tags")
    search = screen.widget("tags_search").locator("input")
    search.focus()
    screen.page.keyboard.type("llqcsdjm")  # its initials
    screen.page.keyboard.press("Enter")
    found = row(screen, OLD)
    expect(found).to_be_visible(timeout=PATIENCE)
    press_until(screen, "Tab", found.get_by_role("button", name=f"改名: {OLD}"))
    screen.page.keyboard.press("Enter")
    field = screen.page.get_by_role("dialog").get_by_role("textbox", name="新名字")
    expect(field).to_be_focused(timeout=PATIENCE)
    with timed("tags: what a rename would touch"):
        screen.page.keyboard.type(NEW)
        do_it = screen.widget("tags_carry_out").get_by_role("button")
        expect(do_it).to_be_visible(timeout=PATIENCE)
    expect(screen.widget("tags_preview")).to_contain_text(f"把“{OLD}”改名为“{NEW}”", timeout=PATIENCE)
    assert name_of(studio, OLD) == OLD
    press_until(screen, "Tab", do_it)
    with timed("tags: a tag renamed"):
        screen.page.keyboard.press("Enter")
        screen.see(re.compile(r"完成：.*改名.*回执 \d+"))
    expect(screen.page.get_by_role("dialog")).to_have_count(0)
    assert name_of(studio, OLD) == NEW


def test_a_merge_offers_tags_while_somebody_types_and_escape_closes_the_list_first(open_screen, studio, own_tags):
    screen = open_screen("tags", language="en")
    screen.write(screen.widget("tags_search"), SIMPLE)
    opener = row(screen, SIMPLE).get_by_role("button", name=f"Merge: {SIMPLE}")
    opener.click()
    field = screen.page.get_by_role("combobox", name="Into which tag")
    expect(field).to_be_focused(timeout=PATIENCE)
    screen.page.keyboard.type("wangye")
    option = screen.page.get_by_role("option").filter(has_text=TRADITIONAL)
    expect(option).to_be_visible(timeout=PATIENCE)
    screen.page.keyboard.press("Escape")
    expect(screen.page.get_by_role("option")).to_have_count(0)
    expect(screen.page.get_by_role("dialog")).to_be_visible()
    field.fill("瀏覽")
    expect(option).to_be_visible(timeout=PATIENCE)
    press_until_marked(screen, field, option)
    screen.page.keyboard.press("Enter")
    expect(field).to_have_value(TRADITIONAL)
    expect(screen.widget("tags_preview")).to_contain_text(f"Merge {SIMPLE} into {TRADITIONAL}", timeout=PATIENCE)
    screen.page.keyboard.press("Escape")
    expect(screen.page.get_by_role("dialog")).to_have_count(0, timeout=PATIENCE)
    expect(opener).to_be_focused()  # where the way went on from
    assert status(studio, SIMPLE) == "active"


def press_until_marked(screen: Screen, field: Locator, option: Locator) -> None:
    for _ in range(10):
        if option.get_attribute("aria-selected") == "true":
            assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
            return
        screen.page.keyboard.press("ArrowDown")
    raise AssertionError("the arrow keys do not lead there")


def test_a_duplicate_is_merged_by_one_press_and_taken_back_from_the_changes(open_screen, studio, own_tags):
    screen = open_screen("tags")
    section(screen, "疑似重复")
    screen.pick("tags_reason", re.compile("繁简写法"))
    pair = screen.widget("tags_pair_*").filter(has_text=TRADITIONAL)
    expect(pair).to_contain_text("没有标注会变", timeout=PATIENCE)
    keep = pair.get_by_role("button", name=f"保留“{SIMPLE}”")
    keep.focus()
    with timed("tags: a duplicate merged"):
        screen.page.keyboard.press("Enter")
        done = screen.see(re.compile(rf"完成：把“{TRADITIONAL}”并入“{SIMPLE}”")).inner_text()
    assert status(studio, TRADITIONAL) == "merged"
    expect(pair).to_have_count(0, timeout=PATIENCE)
    number = re.search(r"回执 (\d+)", done)[1]
    section(screen, "改动")
    undo = screen.widget(f"tags_undo_{number}").get_by_role("button")
    undo.focus()
    with timed("tags: a change taken back"):
        screen.page.keyboard.press("Enter")
        eventually(lambda: status(studio, TRADITIONAL) == "active")
    expect(screen.widget(f"tags_change_{number}")).to_contain_text("已撤销", timeout=PATIENCE)


def test_columns_sort_all_tags_and_not_the_page_alone(open_screen, own_tags):
    screen = open_screen("tags", language="en")
    table = screen.widget("tags_table")
    names = table.locator("tbody .open")
    expect(names).to_have_count(25, timeout=PATIENCE)
    by_uses = names.all_inner_texts()
    head = table.get_by_role("columnheader", name="Tag")
    head.get_by_role("button").focus()
    screen.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending", timeout=PATIENCE)
    eventually(lambda: names.all_inner_texts() == sorted(names.all_inner_texts()) != by_uses)
    expect(head.get_by_role("button")).to_be_focused()  # where it was, though the rows are new
    screen.widget("tags_next").get_by_role("button").click()
    screen.see(re.compile(r"26–50 of \d+"))


def test_a_moderator_looks_only(open_screen, own_tags):
    screen = open_screen("tags", person="li")
    expect(screen.widget("tags_table").locator("tbody tr").first).to_be_visible(timeout=PATIENCE)
    expect(screen.widget("tags_table").locator("td.actions button")).to_have_count(0)
    expect(screen.widget("tags_section").get_by_role("radio")).to_have_count(1)
