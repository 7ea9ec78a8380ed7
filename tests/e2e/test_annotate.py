"""Annotate in a real browser: keyboard only, every decision found in the database."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select

from app.serving.model_folder import read_version
from db.ledger.entries import find_entry
from db.ledger.labels import look_at
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.queue.shares import Shares, set_shares
from db.store import schema
from db.store.tables import Comment, Entry, Lease, Verdict
from db.transfer.importing import IncomingQuestion, import_questions
from tests.e2e.conftest import Server, free_port, start_server
from tests.e2e.desk import DeskPage, eventually, open_store
from tests.e2e.entering import enter
from tests.e2e.timing import record, timed

SCRIPT = '<script>window.hacked = true</script><img src=x onerror="window.hacked = true">'


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.fixture
def settings(tiny_model, folder) -> dict[str, str]:
    return {"L2A_MODEL": str(tiny_model), "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}"}


@pytest.fixture
def server(settings, folder) -> Iterator[Server]:
    with start_server(folder / "server.log", settings) as running:
        yield running


@pytest.fixture
def store(server, folder):
    with open_store(folder) as opened:
        yield opened


def decisions(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).where(Entry.kind == "decision"))


def test_twenty_questions_by_keyboard_only(page, server, store):
    desk = DeskPage(page, server.url, "li")
    record("server start to first question", time.monotonic() - server.started)
    expected: dict[int, tuple[int, set[str]]] = {}
    for number in range(20):
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
    assert len(expected) == 20
    with store.read() as session:
        for item, (receipt, wanted) in expected.items():
            entry = find_entry(session, receipt)
            assert entry.question_id == item
            assert set(look_at(session, item).settled.tags) == wanted
            assert entry.seconds > 0
    assert decisions(store) == 20


def test_a_held_key_decides_one_question(page, server, store):
    desk = DeskPage(page, server.url, "li")
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
    assert decisions(store) == 1


def test_typing_in_a_field_triggers_no_shortcut(page, server, store):
    desk = DeskPage(page, server.url, "li")
    item = desk.item
    desk.press("/")
    page.keyboard.type("as1u2f")
    assert page.locator(".search-box").input_value() == "as1u2f"
    assert page.locator(".tag.accepted").count() == 0
    assert page.locator(".note").is_hidden()
    desk.press("Escape")
    assert desk.item == item
    assert decisions(store) == 0


def test_two_moderators_never_get_the_same_question(browser, server, store):
    desks = [DeskPage(browser.new_context().new_page(), server.url, name) for name in ("li", "wang")]
    seen: list[int] = []
    for _ in range(4):
        assert desks[0].item != desks[1].item
        for desk in desks:
            seen.append(desk.item)
            desk.press("1")
            desk.submit()
    assert len(set(seen)) == 8
    with store.read() as session:
        per_question = session.execute(
            select(Entry.question_id, func.count()).where(Entry.kind == "decision").group_by(Entry.question_id)
        ).all()
    assert {count for _, count in per_question} == {1}
    for desk in desks:
        desk.page.context.close()


def test_a_reload_keeps_the_question_and_what_was_chosen(page, server, store):
    desk = DeskPage(page, server.url, "li")
    item = desk.item
    desk.press("1")
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    page.reload()
    desk.wait()
    assert desk.item == item
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    desk.submit()
    assert decisions(store) == 1


def test_a_restart_of_the_server_loses_nothing(page, settings, folder):
    port = free_port()
    with start_server(folder / "server.log", settings, port=port) as server:
        desk = DeskPage(page, server.url, "li")
        desk.press("1")
        first = desk.submit()
        item = desk.item
        desk.press("1")
    desk.press("Enter")  # nobody is there to hear it
    expect(desk.state).to_have_class(re.compile("waiting|failed"))
    with start_server(folder / "server.log", settings, port=port), open_store(folder) as store:
        eventually(lambda: decisions(store) == 2, seconds=60)
        with store.read() as session:
            assert find_entry(session, first).kind == "decision"
            assert look_at(session, item).settled.tags
        expect(page.locator(".meta span").first).not_to_have_text(f"#{item}", timeout=60_000)


def test_skip_flag_and_undo(page, server, store):
    desk = DeskPage(page, server.url, "li")
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
        lease = session.scalars(select(Lease).where(Lease.question_id == skipped)).one()
        assert (lease.state, lease.reason) == ("skipped", "不熟悉这个领域")
        assert find_entry(session, receipt).flag == "广告或灌水"
        assert session.get(Comment, receipt).text == SCRIPT
    with timed("annotate: undo to the question again"):
        desk.press("u")
        expect(page.locator(".meta span").first).to_have_text(f"#{flagged}", timeout=30_000)
    with store.read() as session:
        assert look_at(session, flagged).settled.state == "none"


def test_markup_in_questions_tags_and_comments_is_shown_as_text(page, settings, folder):
    with open_store(folder) as store:
        schema.prepare(store)
        row = IncomingQuestion(1, f"{SCRIPT} **粗体**怎么写？", SCRIPT, tags=(SCRIPT,), source=SCRIPT, external_id="1")
        import_questions(store, [row], name="evil", fingerprint="evil")
        with start_server(folder / "server.log", settings) as server:
            desk = DeskPage(page, server.url, "li")
            assert desk.title == f"{SCRIPT} **粗体**怎么写？"
            desk.press("/")
            page.keyboard.type("<script>")
            expect(page.locator(".matches li").first).to_contain_text("<script>", timeout=20_000)
            desk.press("Enter", "Escape")
            expect(page.locator(".added li")).to_contain_text("onerror")
            desk.press("f")
            page.locator(".note-box").fill(SCRIPT)
            page.locator(".note-box").press("Enter")
            desk.press("Enter")
            eventually(lambda: decisions(store) == 1)
            expect(page.get_by_text("没有待标注的问题了")).to_be_visible(timeout=20_000)
            for name in ("history", "export", "dashboard", "queue", "beams", "attention"):
                enter(page, f"{server.url}/{name}?as=li")
                page.wait_for_timeout(3000)
                assert page.evaluate("window.hacked") is None, name
        with store.read() as session:
            added = session.scalars(select(Verdict.text).where(Verdict.verdict == "added")).all()
            comment = session.scalars(select(Comment.text)).all()
    assert (added, comment) == ([SCRIPT], [SCRIPT])


def test_a_tag_may_be_called_like_a_part_of_every_javascript_object(page, settings, folder, tiny_model):
    suggested = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf")
    typed = "isPrototypeOf"
    version, _ = read_version(tiny_model)
    proposed = [ProposedTag(tag, 8 - place, 0.5, True, True) for place, tag in enumerate(suggested)]

    def begin(session) -> None:
        set_shares(session, Shares(random=0.0))
        registry.register(session, version, str(tiny_model))
        registry.promote(session, version, None)

    with open_store(folder) as store:
        schema.prepare(store)
        store.run(begin)
        rows = [IncomingQuestion(line, f"第{line}个问题怎么回答？", external_id=str(line)) for line in (1, 2)]
        import_questions(store, rows, name="names", fingerprint="names")
        for question in (1, 2):
            store.run(lambda session, number=question: suggestions.record(session, number, version, 8, 0.25, proposed))
        with start_server(folder / "server.log", settings | {"L2A_BEAM": "8"}) as server:
            desk = DeskPage(page, server.url, "li")
            assert desk.tags == list(suggested)
            expect(page.locator(".tag.accepted, .tag.rejected")).to_have_count(0)
            desk.press("1", "2", "2", "3")  # accepted, rejected, accepted
            expect(page.locator(".tag.accepted .name")).to_have_text(["constructor", "toString"])
            expect(page.locator(".tag.rejected .name")).to_have_text(["__proto__"])
            page.reload()
            desk.wait()
            expect(page.locator(".tag.accepted .name")).to_have_text(["constructor", "toString"])
            expect(page.locator(".tag.rejected .name")).to_have_text(["__proto__"])
            desk.press("/")
            page.keyboard.type(typed)
            expect(page.locator(".matches li").first).to_contain_text(typed, timeout=20_000)
            desk.press("Enter", "Escape")
            first = desk.submit()
            desk.press("a")  # all of them
            expect(page.locator(".tag.accepted .name")).to_have_text(list(suggested))
            desk.press("Enter")
            eventually(lambda: decisions(store) == 2)
        with store.read() as session:
            assert find_entry(session, first).question_id == 1
            one, two = (look_at(session, question).settled for question in (1, 2))
    assert (set(one.tags), one.rejected) == ({"constructor", "toString", typed}, ("__proto__",))
    assert (set(two.tags), two.rejected) == (set(suggested), ())


def test_the_language_switches_and_the_work_stays(page, server, store):
    desk = DeskPage(page, server.url, "li")
    item = desk.item
    desk.press("1")
    expect(page.locator(".actions button").first).to_contain_text("提交，下一题")
    page.get_by_text("English", exact=True).click()
    expect(page.locator(".actions button").first).to_contain_text("Submit, next", timeout=30_000)
    assert desk.item == item
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    assert "lang=en" in page.url


def test_the_board_says_now_and_then_that_somebody_is_there(page, server):
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
    desk = DeskPage(page, server.url, "li")
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
