"""The suggest page in a real browser, against a real server with a tiny model."""

import re
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, expect

SLOW = 60_000  # milliseconds: the first question waits for torch and the model
ANSWERED = re.compile("建议的标签|Suggested tags")


@pytest.fixture(params=["zh-CN", "en-US"])
def locale(request) -> str:
    return request.param


@pytest.fixture
def browser_context_args(browser_context_args, locale):
    return {**browser_context_args, "locale": locale, "viewport": {"width": 1200, "height": 900}}


@pytest.fixture
def no_calls_outside(page: Page, server):
    """Whatever the page loads must come from the server itself: the app works without a network."""
    hosts = set()
    page.on("request", lambda request: hosts.add(urlparse(request.url).hostname))
    yield
    assert hosts - {None, urlparse(server.url).hostname, ""} == set()


def expect_answer(page: Page) -> None:
    """Kept tags, or the message that nothing was kept; and no sign of an accident."""
    expect(page.get_by_role("heading", name=ANSWERED)).to_be_visible(timeout=SLOW)
    kept = page.locator("ol.l2a-tags > li").first
    nothing = page.get_by_text(re.compile("一个也没有留下|Nothing was kept"))
    expect(kept.or_(nothing).first).to_be_visible()
    expect_no_accident(page)


def expect_no_accident(page: Page) -> None:
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


@pytest.mark.usefixtures("no_calls_outside")
def test_a_typed_question_gets_an_answer(page: Page, server, locale):
    chinese = locale == "zh-CN"
    page.goto(server.url)
    page.get_by_label("标题" if chinese else "Title", exact=True).fill("零基础怎么学 Python？")
    page.get_by_label("描述" if chinese else "Description").fill("每天有两个小时。")
    page.get_by_role("button", name="建议标签" if chinese else "Suggest tags", exact=True).click()
    expect_answer(page)
    page.get_by_text("候选列表" if chinese else "N-best list").click()
    expect(page.locator("table.l2a-nbest tbody tr").first).to_be_visible()
    expect_no_accident(page)


@pytest.mark.parametrize("locale", ["zh-CN"], indirect=True)
def test_the_language_switch_keeps_what_was_written_and_ctrl_enter_hands_it_in(page: Page, server):
    page.goto(server.url)
    title = page.get_by_label("标题", exact=True)
    title.fill("跑步伤膝盖吗？")
    title.press("Tab")
    page.keyboard.type("体重一百七。")

    page.get_by_role("radio", name="English").click()
    title = page.get_by_label("Title", exact=True)
    expect(title).to_have_value("跑步伤膝盖吗？")
    description = page.get_by_label("Description")
    expect(description).to_have_value("体重一百七。")
    expect(page).to_have_url(re.compile(r"[?&]lang=en"))

    description.press("ControlOrMeta+Enter")
    expect_answer(page)
    expect(page.get_by_text("Suggested tags")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Title", exact=True)).to_be_visible()


@pytest.mark.parametrize("locale", ["zh-CN"], indirect=True)
def test_a_sample_question_fills_the_boxes(page: Page, server):
    page.goto(server.url)
    page.get_by_role("combobox", name="示例问题").click()
    page.get_by_role("option").nth(1).click()
    expect(page.get_by_label("标题", exact=True)).not_to_have_value("")
    page.get_by_label("标题", exact=True).press("Enter")
    expect_answer(page)


@pytest.mark.parametrize("locale", ["zh-CN"], indirect=True)
def test_an_empty_title_is_refused_with_a_message(page: Page, server):
    page.goto(server.url)
    page.get_by_role("button", name="建议标签", exact=True).click()
    expect(page.get_by_text("请先填写标题。")).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("locale", ["zh-CN"], indirect=True)
def test_nothing_sticks_out_on_a_narrow_screen(page: Page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.url)
    page.get_by_label("标题", exact=True).fill("跑步伤膝盖吗？")
    page.get_by_role("button", name="建议标签", exact=True).click()
    expect_answer(page)
    wide = page.evaluate(
        "[...document.querySelectorAll('.stMainBlockContainer *')]"
        ".filter(e => e.getBoundingClientRect().right > window.innerWidth + 1).map(e => e.className || e.tagName)"
    )
    assert wide == []
