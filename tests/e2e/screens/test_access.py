"""Who may not open a page gets one sentence there, by its address too; and nobody sees an error anywhere."""

import pytest
from playwright.sync_api import expect

from app.entry.frame import PAGES
from db.access import allows
from tests.e2e.screens.screen import PATIENCE

REFUSED = {
    "zh": "这个页面需要另外的角色。请让管理员在“导入与队列”里更改你的角色。",
    "en": "This page needs another role. Ask an admin to change yours on the page Import and queue.",
}


NOT_FOR_MODERATORS = [page.name for page in PAGES if not any(allows("moderator", act) for act in page.actions)]


@pytest.mark.parametrize(
    ("person", "name", "language"),
    [*(("li", name, "zh") for name in NOT_FOR_MODERATORS), ("somebody new", "export", "en")],
)
def test_a_link_to_a_page_of_others_is_refused(open_screen, person, name, language):
    screen = open_screen(name, person=person, language=language)
    expect(screen.main.locator("[data-testid=stAlert]")).to_have_text(REFUSED[language], timeout=PATIENCE)
    # The name, the language switch and the sentence: nothing of the page.
    body = screen.main.locator("[data-testid=stElementContainer]:not(.st-key-header *)")
    expect(body.filter(visible=True)).to_have_count(1)
    expect(screen.page.locator(f"header a[href$='/{name}']")).to_have_count(0)


def test_everybody_may_open_the_other_pages(open_screen):
    screen = open_screen("attention", person="li")
    for name, words in (
        ("beams", "候选列表"),
        ("history", "这里只有你自己的决定"),
        ("dashboard", "每天的决定"),
        ("attention", "遮挡检验"),
    ):
        screen.page.locator(f"header a[href$='/{name}']").click()
        screen.see(words)


def test_the_names_of_all_pages_have_room_beside_the_visitors(open_screen):
    """An admin has all pages, and English has the longest names."""
    screen = open_screen("dashboard", language="en")
    last = screen.page.locator("header a[href$='/queue']").bounding_box()
    visitor = screen.page.locator(".st-key-header").bounding_box()
    assert last["x"] + last["width"] <= visitor["x"]
