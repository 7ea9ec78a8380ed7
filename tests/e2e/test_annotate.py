"""Annotate in a real browser: keyboard only, every decision found in the database."""

import asyncio
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select

from bench.moderators import Turns, Work, check_store, percentile, work_together
from db.ledger.entries import find_entry
from db.ledger.labels import look_at
from db.store.tables import Comment, Entry, Lease, Person
from tests.e2e.conftest import Server, free_port, start_server
from tests.e2e.desk import DeskPage, eventually, open_store
from tests.e2e.timing import timed

SCRIPT = '<script>window.hacked = true</script><img src=x onerror="window.hacked = true">'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("annotate")


@pytest.fixture(scope="module")
def server(tiny_model, folder) -> Iterator[Server]:
    """The app as somebody finds it who starts it for the first time."""
    with start_server(folder / "server.log", settings_for(tiny_model, folder)) as running:
        yield running


def settings_for(model, folder) -> dict[str, str]:
    return {"L2A_MODEL": str(model), "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}"}


@pytest.fixture(scope="module")
def store(server, folder):
    with open_store(folder) as opened:
        yield opened


def decisions(store, person: str) -> int:
    mine = select(func.count()).select_from(Entry).join(Person, Person.id == Entry.person_id)
    with store.read() as session:
        return session.scalar(mine.where(Entry.kind == "decision", Person.name == person))


@pytest.mark.parametrize("count", [8, pytest.param(40, marks=pytest.mark.soak)])
def test_questions_by_keyboard_only(page, server, store, person, count):
    desk = DeskPage(page, server.url, person)
    expected: dict[int, tuple[int, set[str]]] = {}
    for number in range(count):
        item, tags = desk.item, desk.tags
        wanted = set()
        if tags:
            desk.press("1")
            wanted.add(tags[0])
        if len(tags) > 1:
            with timed("annotate: next tag to its evidence"):
                desk.press("ArrowDown")
                expect(page.locator(".evidence-head")).to_contain_text(f"“{tags[1]}”", timeout=30_000)
        if number % 4 == 0 or not tags:  # and one of one's own, found by pinyin
            desk.press("/")
            page.keyboard.type("dianying")
            with timed("annotate: last letter to match"):
                expect(page.locator(".matches li").first).to_have_text(re.compile("电影"), timeout=20_000)
            desk.press("Enter", "Escape")
            wanted.add("电影")
        expect(desk.state).to_have_class(re.compile("unsaved"))
        expected[item] = (desk.submit(), wanted)
    assert len(expected) == count
    with store.read() as session:
        for item, (receipt, wanted) in expected.items():
            entry = find_entry(session, receipt)
            assert entry.question_id == item
            assert set(look_at(session, item).settled.tags) == wanted
            assert entry.seconds > 0
    assert decisions(store, person) == count


def test_a_held_key_decides_one_question(page, server, store, person):
    desk = DeskPage(page, server.url, person)
    first = desk.item
    desk.press("a") if desk.tags else None
    # A nervous finger presses again at once: before the next question can have been on the screen for long.
    page.evaluate(
        """() => { for (let press = 0; press < 6; press++)
            document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); }"""
    )
    for _ in range(15):  # and the system repeats a held key
        page.evaluate(
            "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true}))"
        )
        page.wait_for_timeout(30)
    desk.receipt()
    expect(page.locator(".meta span").first).not_to_have_text(f"#{first}", timeout=30_000)
    page.wait_for_timeout(600)
    assert decisions(store, person) == 1


def test_typing_in_a_field_triggers_no_shortcut(page, server, store, person):
    desk = DeskPage(page, server.url, person)
    item = desk.item
    desk.press("/")
    page.keyboard.type("as1u2f")
    assert page.locator(".search-box").input_value() == "as1u2f"
    assert page.locator(".tag.accepted").count() == 0
    assert page.locator(".note").is_hidden()
    desk.press("Escape")
    assert desk.item == item
    assert decisions(store, person) == 0


def test_two_moderators_never_get_the_same_question(browser, server, store):
    desks = [DeskPage(browser.new_context().new_page(), server.url, name) for name in ("li", "wang")]
    seen: list[int] = []
    for _ in range(3):
        assert desks[0].item != desks[1].item
        for desk in desks:
            seen.append(desk.item)
            desk.press("1")
            desk.submit()
    assert len(set(seen)) == 6
    with store.read() as session:
        decided = select(Entry.question_id, func.count()).where(Entry.kind == "decision", Entry.question_id.in_(seen))
        per_question = session.execute(decided.group_by(Entry.question_id)).all()
    assert {count for _, count in per_question} == {1}
    for desk in desks:
        desk.page.context.close()


def test_a_reload_keeps_the_question_and_what_was_chosen(page, server, store, person):
    desk = DeskPage(page, server.url, person)
    item = desk.item
    desk.press("1")
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    page.reload()
    desk.wait()
    assert desk.item == item
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    desk.submit()
    assert decisions(store, person) == 1


def test_a_restart_of_the_server_loses_nothing(page, tiny_model, tmp_path, person):
    port, settings = free_port(), settings_for(tiny_model, tmp_path)
    with start_server(tmp_path / "server.log", settings, port=port) as server:
        desk = DeskPage(page, server.url, person)
        desk.press("1")
        first = desk.submit()
        item = desk.item
        desk.press("1")
    desk.press("Enter")  # nobody is there to hear it
    expect(desk.state).to_have_class(re.compile("waiting|failed"))
    with start_server(tmp_path / "server.log", settings, port=port), open_store(tmp_path) as store:
        eventually(lambda: decisions(store, person) == 2, seconds=60)
        with store.read() as session:
            assert find_entry(session, first).kind == "decision"
            assert look_at(session, item).settled.tags
        expect(page.locator(".meta span").first).not_to_have_text(f"#{item}", timeout=60_000)


def test_skip_flag_and_undo(page, server, store, person):
    desk = DeskPage(page, server.url, person)
    skipped = desk.item
    desk.press("s")
    expect(page.locator(".note")).to_be_visible()
    with timed("annotate: skip to next question"):
        desk.press("2")
        expect(page.locator(".meta span").first).not_to_have_text(f"#{skipped}", timeout=30_000)
    page.wait_for_timeout(400)
    flagged = desk.item
    desk.press("f")
    desk.press("1")
    page.keyboard.type(SCRIPT)
    desk.press("Enter")
    desk.press("1")
    receipt = desk.submit()
    with store.read() as session:
        mine = select(Lease).join(Person, Person.id == Lease.person_id).where(Person.name == person)
        lease = session.scalars(mine.where(Lease.question_id == skipped)).one()
        assert (lease.state, lease.reason) == ("skipped", "不熟悉这个领域")
        assert find_entry(session, receipt).flag == "广告或灌水"
        assert session.get(Comment, receipt).text == SCRIPT
    with timed("annotate: undo to the question again"):
        desk.press("u")
        expect(page.locator(".meta span").first).to_have_text(f"#{flagged}", timeout=30_000)
    with store.read() as session:
        assert look_at(session, flagged).settled.state == "none"


def test_the_language_switches_and_the_work_stays(page, server, store, person):
    desk = DeskPage(page, server.url, person)
    item = desk.item
    desk.press("1")
    expect(page.locator(".actions button").first).to_contain_text("提交，下一题")
    page.get_by_text("English", exact=True).click()
    expect(page.locator(".actions button").first).to_contain_text("Submit, next", timeout=30_000)
    assert desk.item == item
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    assert "lang=en" in page.url


def test_the_board_says_now_and_then_that_somebody_is_there(page, server, person):
    """Who reads for long keeps the question; a page that nobody touches says nothing, and gives it up."""
    page.add_init_script(
        "const now = performance.now.bind(performance); window.ahead = 0; performance.now = () => now() + window.ahead;"
    )
    signs = []

    def watch(frame) -> None:
        content = frame if isinstance(frame, bytes) else frame.encode()
        if b"alive" in content:
            signs.append(content)

    page.on("websocket", lambda socket: socket.on("framesent", watch))
    desk = DeskPage(page, server.url, person)
    item = desk.item
    page.mouse.move(100, 100)
    page.wait_for_timeout(500)
    assert signs == []
    page.evaluate("window.ahead = 400000")  # more than the five minutes between two signs
    page.wait_for_timeout(1500)
    assert signs == []  # time alone is no sign of life
    page.mouse.move(200, 200)
    for _ in range(200):  # not by sleeping: the frames are noticed while the page is waited for
        page.wait_for_timeout(100 * (not signs))
    page.mouse.move(300, 300)
    page.wait_for_timeout(500)
    assert len(signs) == 1
    assert desk.item == item


def test_nobody_loses_a_decision_when_several_work_at_once(tiny_model, server, folder, capsys):
    """Over websocket and in a browser: the short form of bench/moderators.py."""
    works = in_thread(work_together(server.url, people=6, browsers=1, turns=Turns(1, 0.2, 0.8, each=4)))
    assert [error for work in works for error in work.errors] == []
    assert [len(work.receipts) for work in works] == [4] * 6
    assert check_store(settings_for(tiny_model, folder)["L2A_DATABASE"], works) == []
    waits = [wait for work in works for wait in work.waits]
    with capsys.disabled():
        print(f"\n6 moderators: submit to next question p95 {percentile(waits, 0.95):.2f} s")


def in_thread(work: Coroutine[None, None, list[Work]]) -> list[Work]:
    """In a thread of its own: pytest's browser has an event loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
