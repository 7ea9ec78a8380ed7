"""Names that come up, in a browser: looked for, made a tag below another, never, and taken back; without a mouse."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from db import people
from db.errors import NotFound
from db.store import schema
from db.store.engine import Store
from db.tags import planning as tags
from db.tags import refused
from db.tags.importing import IncomingTag, import_tags
from db.tags.listing import describe
from db.transfer.importing import IncomingQuestion, import_questions
from tests.e2e.conftest import ROOT, Server, start_server
from tests.e2e.desk import eventually, open_store
from tests.e2e.screens.screen import PATIENCE
from tests.e2e.screens.test_tags import press_until, section
from tests.e2e.timing import timed

NAME = "折叠屏"
TITLES = ("折叠屏值得买吗？", "折叠屏耐用吗？", "折叠屏和直板怎么选？", "跑步好吗？")
# A launcher of this test's own: the app as it is, with a stand-in for the engine's search.
LAUNCHER = f"""
import sys

sys.path.insert(0, {str(ROOT)!r})
from functools import partial

import streamlit as st

from app import places
from app.emerging import search
from tests.app.emerging.finding import find_listed

search._find_with = lambda tagger: partial(find_listed, finder={{{NAME!r}: 0.9}})
app = st.App(places.APP / "main.py")
"""


@pytest.fixture(scope="module")
def named(tiny_model, tmp_path_factory) -> Iterator[Server]:
    """An app whose model knows a name that three questions have and no tag."""
    folder = tmp_path_factory.mktemp("names")
    (folder / "streamlit_app.py").write_text(LAUNCHER, encoding="utf-8")
    (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
    with open_store(folder) as store:
        schema.prepare(store)
        chen = store.run(lambda session: people.add(session, "chen", "admin").id)
        rows = [IncomingQuestion(line, title, external_id=str(line)) for line, title in enumerate(TITLES, 1)]
        import_questions(store, rows, name="q", fingerprint="q")
        import_tags(store, [IncomingTag(1, "手机")], chen, name="tags")
    settings = {
        "L2A_MODEL": str(tiny_model),
        "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}",
        "L2A_RUNS": str(folder / "runs"),
    }
    with start_server(folder / "server.log", settings, folder=folder) as running:
        yield running


@pytest.fixture
def names_store(named) -> Iterator[Store]:
    with open_store(named.log.parent) as store:
        yield store


def is_tag(store: Store) -> bool:
    with store.read() as session:
        try:
            return tags.find(session, NAME).name == NAME
        except NotFound:
            return False


def is_refused(store: Store) -> bool:
    with store.read() as session:
        return [line.name for line in refused.listed(session)] == [NAME]


def test_a_name_is_made_a_tag_or_never_and_taken_back_without_a_mouse(open_screen, named, names_store):
    screen = open_screen(f"{named.url}/tags")
    section(screen, "新出现")
    screen.see(re.compile("不会自动新建"))
    screen.widget("tags_look").get_by_role("button").focus()
    with timed("tags: names looked for"):
        screen.page.keyboard.press("Enter")
        card = screen.widget("tags_name_*").filter(has_text=NAME)
        expect(card).to_contain_text("3 个问题", timeout=PATIENCE)
    expect(card).to_contain_text("折叠屏耐用吗？")
    expect(card.get_by_role("img", name=re.compile(r"最近 13 周每周的问题数：(0, ){12}3"))).to_be_visible()
    field = card.get_by_role("combobox", name="上级")
    field.focus()
    screen.page.keyboard.type("shouji")
    expect(screen.page.get_by_role("option").filter(has_text="手机")).to_be_visible(timeout=PATIENCE)
    screen.page.keyboard.press("Enter")
    expect(field).to_have_value("手机")
    press_until(screen, "Tab", card.get_by_role("button", name="新建标签"))
    with timed("tags: a name made a tag"):
        screen.page.keyboard.press("Enter")
        screen.see(re.compile(rf"完成：在“手机”之下新建标签“{NAME}”"))
    with names_store.read() as session:
        assert describe(session, NAME).parent == "手机"
    expect(card).to_have_count(0, timeout=PATIENCE)

    way_back = screen.widget("tags_undo_last").get_by_role("button")
    way_back.focus()
    screen.page.keyboard.press("Enter")
    expect(card).to_be_visible(timeout=PATIENCE)
    assert not is_tag(names_store)

    card.get_by_role("button", name="不作标签").focus()
    screen.page.keyboard.press("Enter")
    screen.see(f"已记住：“{NAME}”不作标签。")
    assert is_refused(names_store)
    expect(card).to_have_count(0, timeout=PATIENCE)
    expect(screen.widget("tags_refused")).to_contain_text("说过不作标签的（1）")
    way_back.focus()
    screen.page.keyboard.press("Enter")
    expect(card).to_be_visible(timeout=PATIENCE)
    eventually(lambda: not is_refused(names_store))
