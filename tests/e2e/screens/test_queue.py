"""Import and queue: a file in by a dry run first, the queue's overlap, people."""

import json
import re

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select

from db import people
from db.store.tables import Question, QueueItem
from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed

SOURCE = "browser"
ROWS, BAD_LINE = 901, 7
TAG = "浏览器测试的标签"
# Every text of a progress bar, as long as the page is open.
WATCH_BARS = """() => {
    window.seenBars = new Set();
    new MutationObserver(() => document.querySelectorAll('[data-testid=stProgress]').forEach(
        bar => window.seenBars.add(bar.textContent)
    )).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


def open_tab(screen: Screen, name: str) -> None:
    screen.main.get_by_role("tab", name=name, exact=True).click()


def form(screen: Screen, words: str):
    return screen.main.locator("[data-testid=stForm]").filter(has_text=words)


def stored(studio, *conditions) -> int:
    with studio.store.read() as session:
        return session.scalar(select(func.count()).select_from(Question).where(*conditions))


def numbers(screen: Screen) -> dict[str, str]:
    return {
        metric.locator("[data-testid=stMetricLabel]").inner_text(): metric.locator(
            "[data-testid=stMetricValue]"
        ).inner_text()
        for metric in screen.main.locator("[data-testid=stMetric]").all()
    }


@pytest.fixture(scope="module")
def made_file() -> bytes:
    """Questions of which three have a tag of their own, with a line in the middle that is not JSON."""
    lines = [
        json.dumps(
            {"id": f"b-{number}", "title": f"第 {number} 个浏览器问题怎么办？", "tags": [TAG] if number < 4 else []},
            ensure_ascii=False,
        )
        for number in range(1, ROWS)
    ]
    lines.insert(BAD_LINE - 1, '{"id": "broken", "title": ')
    return "\n".join(lines).encode()


def test_a_file_comes_in_after_a_dry_run(open_screen, studio, made_file):
    screen = open_screen("queue")
    screen.page.evaluate(WATCH_BARS)
    screen.widget("queue_skip_bad").get_by_text("跳过坏行").click()
    screen.write(screen.widget("queue_source"), SOURCE)
    screen.upload("queue_upload", "some questions.jsonl", made_file, then="some questions.jsonl")
    do_it = screen.widget("queue_import").get_by_role("button")
    expect(do_it).to_be_disabled()
    with timed("queue: dry run of 900 rows"):
        screen.press("试运行")
        screen.see("试运行的结果（没有保存任何内容）")
    wanted = {"行": "900", "新问题": "900", "重复": "0", "原有标签": "3", "坏行": "1"}
    eventually(lambda: numbers(screen) == wanted)
    screen.see(re.compile(rf"some questions\.jsonl，第 {BAD_LINE} 行"))
    assert stored(studio, Question.source == SOURCE) == 0
    expect(do_it).to_be_enabled(timeout=PATIENCE)
    with timed("queue: import of 900 rows"):
        do_it.click()
        screen.see("导入完成")
    eventually(lambda: numbers(screen) == wanted)
    assert stored(studio, Question.source == SOURCE) == 900
    assert stored(studio, Question.external_id == f"b-{BAD_LINE}") == 1
    assert any("已处理" in text for text in screen.page.evaluate("[...window.seenBars]"))


def test_the_overlap_of_a_source(open_screen, studio):
    screen = open_screen("queue", language="en")
    open_tab(screen, "Queue")
    box = form(screen, "Opinions a question")
    screen.write(screen.widget("queue_overlap_number"), "3")
    screen.select(screen.widget("queue_overlap_source"), "sample")
    with timed("queue: overlap changed"):
        box.get_by_role("button", name="Apply").click()
        screen.see(re.compile(r"Now 3 opinions for each of \d+ questions"))
    with studio.store.read() as session:
        chosen = select(QueueItem.overlap).where(QueueItem.source == "sample").distinct()
        assert session.scalars(chosen).all() == [3]


def test_a_person_is_added_and_gets_another_role(open_screen, studio):
    screen = open_screen("queue", language="en")
    open_tab(screen, "People")
    add = form(screen, "Add a person")
    add.get_by_label("Name").fill("qian")
    with timed("queue: a person added"):
        add.get_by_role("button", name="Add", exact=True).click()
        screen.see("Added qian (moderator).")
    change = form(screen, "Change a role, or deactivate")
    change.get_by_role("combobox").first.fill("qian")
    screen.page.get_by_role("option", name="qian", exact=True).click()
    screen.select(screen.widget("queue_new_role"), "researcher")
    change.get_by_role("button", name="Change role").click()
    screen.see("qian is now researcher.")
    with studio.store.read() as session:
        person = people.find(session, "qian")
        assert (person.role, person.active) == ("researcher", True)
    assert "qian" in screen.cells(screen.tables().first)
