"""What three decisions teach, in the browser and with the starter: a tag for a thing that no list has."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.places import STARTER
from app.serving.model_folder import read_version
from db.models import registry
from db.queue.shares import Shares, set_shares
from db.store import schema
from db.transfer.importing import IncomingQuestion, import_questions
from tests.e2e.conftest import Server, start_server
from tests.e2e.desk import DeskPage, open_store

INVENTED = "青岚飞梭"
QUESTIONS = (
    f"{INVENTED}值得买吗？",
    f"怎么看待{INVENTED}的新版本？",
    f"{INVENTED}用久了会不会坏？",
    f"第一次用{INVENTED}需要注意什么？",
)


@pytest.fixture
def folder(tmp_path):
    version, _ = read_version(STARTER)

    def begin(session) -> None:
        registry.register(session, version, str(STARTER))
        registry.promote(session, version, None)
        set_shares(session, Shares(random=0.0))

    with open_store(tmp_path) as opened:
        schema.prepare(opened)
        opened.run(begin)
        rows = [IncomingQuestion(n, title, external_id=str(n), source="new") for n, title in enumerate(QUESTIONS, 1)]
        import_questions(opened, rows, name="new", fingerprint="new")
    return tmp_path


@pytest.fixture
def server(folder) -> Iterator[Server]:
    settings = {"L2A_MODEL": str(STARTER), "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}"}
    with start_server(folder / "server.log", settings) as running:
        yield running


def above_threshold(page: Page) -> list[str]:
    return page.locator(".tag:not(.below) .name").all_inner_texts()


def add_by_hand(page: Page, tag: str) -> None:
    page.keyboard.press("/")
    page.locator(".search-box").fill(tag)
    expect(page.locator("#match-0")).to_contain_text(tag)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def test_three_decisions_about_a_new_thing_name_it_for_the_fourth_until_they_are_undone(page, server, person):
    desk = DeskPage(page, server.url, person)
    for title in QUESTIONS[:3]:
        assert desk.title == title
        if INVENTED in above_threshold(page):
            desk.press(str(1 + desk.tags.index(INVENTED)))
        else:
            assert title != QUESTIONS[2], "two decisions should be enough for the third question"
            add_by_hand(page, INVENTED)
        desk.submit()
    assert desk.title == QUESTIONS[3]
    assert INVENTED in above_threshold(page)
    expect(page.locator(".precedent-title")).to_have_count(3)

    for title in reversed(QUESTIONS[:3]):
        desk.press("u")
        expect(page.locator("h1.title")).to_have_text(title, timeout=30_000)
        page.wait_for_timeout(400)
    other = page.context.new_page()
    again = DeskPage(other, server.url, f"{person}-b")
    assert again.title in QUESTIONS[1:]
    assert INVENTED not in above_threshold(other)
