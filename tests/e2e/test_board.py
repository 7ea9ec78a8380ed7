"""The board under real hands: whose key it is, the way back, what is said when a key does nothing."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select, update

from app.serving.model_folder import read_version
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.queue.shares import Shares, set_shares
from db.store import schema
from db.store.tables import Entry, Lease, Person, QueueItem, Verdict
from db.transfer.importing import IncomingQuestion, import_questions
from tests.e2e.conftest import Server, start_server
from tests.e2e.desk import DeskPage, eventually, open_store

QUESTIONS = 30
TAGS = (("电影", 7), ("导演", 5), ("演员", 3), ("灯光", 1))
LONG = "这部电影讲了一个很长的故事。" * 250


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("board")


@pytest.fixture(scope="module")
def store(folder, tiny_model):
    """Questions with the same four suggestions, and some of a source of its own that are served blind."""
    version, _ = read_version(tiny_model)
    proposed = [ProposedTag(tag, votes, 0.5, votes > 2, False) for tag, votes in TAGS]

    def begin(session) -> None:
        registry.register(session, version, str(tiny_model))
        registry.promote(session, version, None)

    with open_store(folder) as opened:
        schema.prepare(opened)
        opened.run(begin)
        opened.run(lambda session: set_shares(session, Shares(random=0.0)))
        rows = [
            IncomingQuestion(n, f"第{n}部电影怎么样？", LONG if n % 2 else "", external_id=str(n), source="films")
            for n in range(1, QUESTIONS + 1)
        ]
        import_questions(opened, rows, name="films", fingerprint="films")
        for number in range(1, QUESTIONS + 1):
            opened.run(lambda session, n=number: suggestions.record(session, n, version, 8, 0.25, proposed))
        rows = [
            IncomingQuestion(n, f"盲标{n}？", tags=("原有",), external_id=f"b{n}", source="blind") for n in range(1, 5)
        ]
        import_questions(opened, rows, name="blind", fingerprint="blind")
        opened.run(
            lambda session: session.execute(update(QueueItem).where(QueueItem.source == "blind").values(pool="blind"))
        )
        yield opened


@pytest.fixture(scope="module")
def server(store, folder, tiny_model) -> Iterator[Server]:
    settings = {
        "L2A_MODEL": str(tiny_model),
        "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}",
        "L2A_BEAM": "8",
    }
    with start_server(folder / "server.log", settings) as running:
        yield running


@pytest.fixture
def desk(page, server, request) -> DeskPage:
    """Everybody has a desk of their own: what one test leaves is in nobody else's way."""
    return DeskPage(page, server.url, request.node.originalname[5:45])


def decisions(store, person: str | None = None) -> int:
    with store.read() as session:
        mine = select(func.count()).select_from(Entry).where(Entry.kind == "decision")
        if person is not None:
            mine = mine.join(Person, Person.id == Entry.person_id).where(Person.name == person)
        return session.scalar(mine)


def choose_source(page, name: str) -> None:
    page.get_by_test_id("stPopoverButton").filter(has_text="队列").click()
    page.get_by_role("combobox", name="来源").click()
    page.get_by_role("option", name=name, exact=True).click()


def test_enter_on_a_focused_link_follows_it(desk, page, store):
    before = decisions(store)
    desk.press("1")
    page.get_by_role("link", name="记录").focus()
    desk.press("Enter")
    expect(page).to_have_url(re.compile("history"), timeout=30_000)
    assert decisions(store) == before


def test_enter_and_space_open_an_expander_and_arrows_move_the_slider(desk, page, store):
    before = decisions(store)
    desk.press("1")
    summary = page.locator("summary", has_text="得票图")
    for key in ("Enter", "Space"):
        was_open = page.locator("details").first.get_attribute("open") is not None
        summary.focus()
        desk.press(key)
        expect(page.locator("details[open]")).to_have_count(0 if was_open else 1, timeout=20_000)
    slider = page.locator(".threshold input")
    expect(page.locator(".threshold-label")).to_contain_text("> 2 / 8")
    slider.focus()
    desk.press("ArrowRight", "ArrowRight")
    expect(page.locator(".threshold-label")).to_contain_text("> 4 / 8")
    expect(page.locator(".tag.selected .name")).to_have_text("电影")
    desk.press("Enter", "Enter")
    page.wait_for_timeout(500)
    assert decisions(store) == before
    expect(page.locator(".tag.accepted .name")).to_have_text("电影")


def test_the_threshold_somebody_set_stays(desk, page):
    page.locator(".threshold input").focus()
    desk.press("ArrowRight")
    expect(page.locator(".threshold-label")).to_contain_text("> 3 / 8")
    page.locator(".tag.selected .look").focus()  # a control that has no use for the digits
    desk.press("1")
    page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    desk.submit()
    expect(page.locator(".threshold-label")).to_contain_text("> 3 / 8")


def test_a_blind_question_is_blind(desk, page, store):
    choose_source(page, "blind")
    expect(page.locator("h1.title")).to_contain_text("盲标", timeout=30_000)
    expect(page.locator(".meta")).to_contain_text("盲标：不显示建议")
    expect(page.locator(".meta")).not_to_contain_text("原有")
    expect(page.locator(".actions button", has_text="接受门槛以上")).to_be_disabled()


def test_another_source_brings_another_question_and_escape_gives_the_keys_back(desk, page, store):
    first = desk.item
    choose_source(page, "blind")
    expect(page.locator("h1.title")).to_contain_text("盲标", timeout=30_000)
    with store.read() as session:
        held = session.scalars(select(Lease.state).where(Lease.question_id == first)).all()
    assert "held" not in held
    page.get_by_role("radio", name="少见标签优先").focus()
    desk.press("Escape")
    expect(page.get_by_role("combobox", name="来源")).to_have_count(0, timeout=20_000)
    page.wait_for_timeout(400)
    desk.press("Enter")
    expect(page.locator(".actions button").first).to_contain_text("一个标签也不选")
    expect(page.get_by_role("combobox", name="来源")).to_have_count(0)


def test_undo_walks_back_through_all_of_today_with_the_choices(desk, page, store):
    decided = desk.item
    desk.press("1", "2", "2")
    desk.press("/")
    page.keyboard.type("影评")
    expect(page.locator(".matches li").last).to_contain_text("影评", timeout=20_000)
    desk.press("ArrowUp", "Enter", "Escape")
    receipt = desk.submit()
    skipped = desk.item
    desk.press("s", "2")
    expect(desk.state).to_contain_text(f"已跳过 #{skipped}，回执 S", timeout=30_000)
    expect(page.locator(".meta span").first).not_to_have_text(f"#{skipped}", timeout=30_000)
    page.reload()
    desk.wait()
    desk.press("u")
    expect(page.locator(".meta span").first).to_have_text(f"#{skipped}", timeout=30_000)
    expect(desk.state).to_contain_text(f"已取消对 #{skipped} 的跳过")
    desk.press("u")
    expect(page.locator(".meta span").first).to_have_text(f"#{decided}", timeout=30_000)
    expect(desk.state).to_contain_text(f"已撤销 #{decided} 的回执 {receipt}（电影、影评）")
    expect(page.locator(".tag.accepted .name")).to_have_text("电影")
    expect(page.locator(".tag.rejected .name")).to_have_text("导演")
    expect(page.locator(".added li")).to_contain_text("影评")
    page.wait_for_timeout(400)
    desk.press("u")
    expect(page.locator(".missed")).to_contain_text("没有可以撤销的了")
    again = desk.submit()
    with store.read() as session:
        stored = session.execute(select(Verdict.text, Verdict.verdict).where(Verdict.entry_number == again)).all()
    assert dict(tuple(row) for row in stored)["影评"] == "added"


def test_undo_works_where_nothing_is_left(desk, page):
    item = desk.item
    desk.press("1")
    desk.submit()
    page.get_by_test_id("stPopoverButton").filter(has_text="队列").click()
    box = page.get_by_role("textbox", name="只看带此标签的问题")
    box.fill("没有这样的标签")
    box.press("Enter")
    expect(page.locator(".nothing-title")).to_have_text("没有待标注的问题了", timeout=30_000)
    expect(page.locator(".nothing-hints")).to_contain_text("题在等")
    desk.press("Escape")
    page.wait_for_timeout(400)
    desk.press("u")
    expect(page.locator(".meta span").first).to_have_text(f"#{item}", timeout=30_000)


def test_keys_that_come_too_early_are_shown(desk, page, store, request):
    person = request.node.originalname[5:45]
    page.evaluate(
        """() => { for (const key of ['1', 'Enter', '1', 'Enter'])
            document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); }"""
    )
    expect(page.locator(".missed")).to_contain_text("没有生效")
    desk.receipt()
    assert decisions(store, person) == 1
    # And as soon as the next question is there: it has not been on the screen for 0.3 s.
    page.evaluate(
        """() => new Promise((done) => {
            const board = [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.board'))
                .find(Boolean) ?? document.querySelector('.board');
            const title = board.querySelector('.meta');
            new MutationObserver((_, watching) => {
                watching.disconnect();
                document.dispatchEvent(new KeyboardEvent('keydown', {key: '1', bubbles: true}));
                done();
            }).observe(title, {childList: true});
            setTimeout(() => document.dispatchEvent(new KeyboardEvent('keydown', {key: '1', bubbles: true})), 400);
            setTimeout(() => document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})), 450);
        })"""
    )
    expect(page.locator(".missed")).to_contain_text("没有生效")


def test_a_tag_that_is_too_long_is_refused_on_the_board(desk, page):
    page.locator(".search-box").fill("长" * 300)
    expect(page.locator(".matches li").last).to_contain_text("新建标签", timeout=20_000)
    page.locator(".search-box").press("Enter")
    expect(page.locator(".missed")).to_have_text("没有加上：标签最多 100 个字符")
    expect(page.locator(".added li")).to_have_count(0)


def test_the_mouse_looks_without_deciding_and_the_keyboard_goes_on(desk, page, store):
    second = page.locator(".tag").nth(1)
    second.locator(".look").click()
    expect(second).to_have_class(re.compile("selected"))
    expect(page.locator(".tag.accepted, .tag.rejected")).to_have_count(0)
    second.locator(".mark.rejected").click()
    expect(second).to_have_class(re.compile("rejected"))
    page.locator(".tag").first.locator(".mark.accepted").click()
    expect(page.locator(".tag").first.locator(".mark.accepted")).to_have_attribute("aria-pressed", "true")
    number = desk.submit()  # Enter is not the button's that was clicked
    with store.read() as session:
        rows = session.execute(select(Verdict.text, Verdict.verdict).where(Verdict.entry_number == number)).all()
    assert {tuple(row) for row in rows} == {
        ("电影", "accepted"),
        ("导演", "rejected"),
        ("演员", "unjudged"),
        ("灯光", "unjudged"),
    }


def test_the_keyboard_reaches_every_tag_and_keeps_its_place(desk, page):
    page.locator(".tag").first.locator(".look").focus()
    desk.press("Tab")
    expect(page.locator(".tag").first.locator(".mark.accepted")).to_be_focused()
    desk.press("Enter")
    expect(page.locator(".tag").first).to_have_class(re.compile("accepted"))
    expect(page.locator(".tag").first.locator(".mark.accepted")).to_be_focused()


def test_what_is_left_untouched_is_rejected_where_one_said_so(desk, page, store):
    page.get_by_label("门槛以上未处理的算拒绝").check()
    expect(page.locator(".legend")).to_contain_text("未处理的算拒绝")
    page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    desk.press("1")
    number = desk.submit()
    with store.read() as session:
        rows = session.execute(select(Verdict.text, Verdict.verdict).where(Verdict.entry_number == number)).all()
    assert {tuple(row) for row in rows} == {
        ("电影", "accepted"),
        ("导演", "rejected"),
        ("演员", "rejected"),
        ("灯光", "unjudged"),
    }
    page.reload()
    desk.wait()
    expect(page.get_by_label("门槛以上未处理的算拒绝")).to_be_checked()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (430, 900)])
def test_submit_stays_in_view_and_the_next_question_starts_at_the_top(desk, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for _ in range(2):  # every second one is long
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 900)")
        page.wait_for_timeout(200)
        expect(page.locator(".actions button").first).to_be_in_viewport(ratio=1)
        desk.press("1")
        desk.submit()
        assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0


def test_a_receipt_and_an_error_are_told_to_those_who_cannot_see(desk, page, server):
    expect(page.locator(".state")).to_have_attribute("role", "status")
    expect(page.locator(".heard")).to_have_attribute("role", "alert")
    desk.press("1")
    desk.submit()
    expect(page.locator(".state")).to_contain_text("已保存")
    eventually(lambda: page.locator(".title").get_attribute("aria-live") == "polite")


def test_a_search_is_not_lost_beside_a_look(desk, page):
    """Streamlit keeps the newer of two messages that wait: somebody who decides and types on sends both."""
    for word in ("电", "演员", "灯"):
        desk.press("1", "ArrowDown")
        desk.press("/")
        page.keyboard.type(word)
        expect(page.locator(".matches li").last).to_contain_text(word, timeout=20_000)
        desk.press("Escape")
        page.wait_for_timeout(100)
