"""The board where tags have a chance: their order, what speaks for them, and similar questions that were decided."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from sqlalchemy import select, update

from app.serving.model_folder import read_version
from db import people
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.queue.shares import Shares, set_shares
from db.store import schema
from db.store.records import ProposedTag, ToldFinding
from db.store.tables import QueueItem, Verdict
from db.transfer.importing import IncomingQuestion, import_questions
from tests.e2e.conftest import Server, start_server
from tests.e2e.desk import DeskPage, open_store
from tests.e2e.screens.test_accessibility import last_violations
from tests.e2e.test_board import choose_source

ASKED = 20  # questions with the same suggestion: each test takes its own
CUT = 0.3
ALMOST, FURTHER = 1, 2  # the decided questions
NAMES = {"moderator": "guanyu", "researcher": "zhaoyun"}  # of who decided them
RANKED = (
    ProposedTag(
        "夜景",
        0,
        0.0,
        True,
        False,
        chance=0.81,
        evidence=(
            ToldFinding("mentions", "finding.in_title"),
            ToldFinding("named", "finding.named"),
            ToldFinding("precedents", "finding.precedents", {"count": 2, "of": 2}),
            ToldFinding("habits", "finding.lately", {"count": 12, "of": 200}),
            ToldFinding("words", "finding.words"),
        ),
    ),
    ProposedTag("摄影", 7, 0.5, True, False, hypothesis=("摄影",), chance=0.42),
    ProposedTag("动漫", 8, 0.6, False, False, hypothesis=("动漫",), chance=0.12),
    ProposedTag("生活", 8, 0.6, False, False, hypothesis=("生活",), chance=0.01),
)
BY_VOTES = [ProposedTag(tag, votes, 0.5, votes > 2, False) for tag, votes in (("电影", 7), ("导演", 1))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ranked")


@pytest.fixture(scope="module")
def store(folder, tiny_model):
    """Two decided questions; questions that are like them; some to be answered blind; some of a model without a
    ranker."""
    version, _ = read_version(tiny_model)

    def bring(source: str, *titles: str) -> None:
        rows = [IncomingQuestion(n, t, external_id=f"{source}{n}", source=source) for n, t in enumerate(titles, 1)]
        import_questions(opened, rows, name=source, fingerprint=source)

    def begin(session) -> None:
        registry.register(session, version, str(tiny_model))
        registry.promote(session, version, None)
        set_shares(session, Shares(random=0.0))
        admin = people.add(session, "boss", "admin").id
        for role, name in NAMES.items():
            people.add(session, name, role, by=admin)

    def decide(session, question: int, role: str, **verdicts: str) -> None:
        person = people.find(session, NAMES[role]).id
        answered = suggestions.record(
            session, question, version, 8, 0.25, [ProposedTag(tag, 4, 0.2, True, False) for tag in verdicts]
        )
        ledger.submit(session, ledger.Submission(question, person, verdicts, suggestion_id=answered))

    def suggest(session, question: int) -> None:
        like = [(ALMOST, 0.91), (FURTHER, 0.52)]
        suggestions.record(session, question, version, 8, 0.25, RANKED, cut=CUT, shown=3, precedents=like)

    with open_store(folder) as opened:
        schema.prepare(opened)
        opened.run(begin)
        bring("done", "拍夜景时光圈怎么搭配？", "新手拍夜景为什么总是糊？")
        opened.run(
            lambda session: decide(session, ALMOST, "moderator", 摄影="accepted", 夜景="accepted", 动漫="rejected")
        )
        opened.run(lambda session: decide(session, FURTHER, "researcher", 摄影="accepted", 三脚架="accepted"))
        bring("asked", *(f"第{n}次拍夜景时快门怎么搭配？" for n in range(1, ASKED + 1)))
        bring("blind", *(f"盲标{n}：拍夜景时快门怎么搭配？" for n in (1, 2)))
        bring("votes", *(f"第{n}部电影怎么样？" for n in range(1, 5)))
        first = ALMOST + 2
        for number in range(first, first + ASKED + 2):
            opened.run(lambda session, n=number: suggest(session, n))
        for number in range(first + ASKED + 2, first + ASKED + 6):
            opened.run(lambda session, n=number: suggestions.record(session, n, version, 8, 0.25, BY_VOTES))
        blind = update(QueueItem).where(QueueItem.source == "blind").values(pool="blind")
        opened.run(lambda session: session.execute(blind))
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
def desk(page, server, person) -> DeskPage:
    return DeskPage(page, server.url, person)


def verdicts_of(store, number: int) -> dict[str, str]:
    with store.read() as session:
        rows = session.execute(select(Verdict.text, Verdict.verdict).where(Verdict.entry_number == number))
        return {row.text: row.verdict for row in rows}


def test_tags_come_by_chance_with_their_votes_and_the_strongest_findings(desk, page):
    expect(page.locator(".tag .name")).to_have_text(["夜景", "摄影", "动漫"])  # few are likely: few are shown
    expect(page.locator(".tag .said")).to_have_text(["81%0/8 票", "42%7/8 票", "12%8/8 票"])
    expect(page.locator(".tag .told").first.locator("span")).to_have_text(
        ["出现在标题里", "2 个相似问题中 2 个有它", "最近用过 12 次"]
    )
    widths = page.locator(".tag .bar i").evaluate_all("bars => bars.map((bar) => bar.style.width)")
    assert widths == ["81%", "42%", "12%"]
    expect(page.locator(".threshold-label")).to_have_text("门槛：把握 > 30%")
    expect(page.locator(".tag.below .name")).to_have_text(["动漫"])
    page.get_by_text("English", exact=True).click()
    expect(page.locator(".threshold-label")).to_have_text("Threshold: chance > 30%", timeout=30_000)
    expect(page.locator(".tag .told").first.locator("span")).to_have_text(
        ["stands in the title", "2 of 2 similar questions have it", "given 12 times lately"]
    )
    expect(page.locator(".tag .said").nth(1)).to_have_text("42%7 of 8 votes")


def test_a_accepts_what_is_above_the_chance_that_somebody_set(desk, page):
    desk.press("a")
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"])
    desk.press("1", "1", "2", "2")
    expect(page.locator(".tag.accepted")).to_have_count(0)
    slider = page.locator(".threshold input")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    expect(page.locator(".threshold-label")).to_contain_text("> 50%")
    page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    desk.press("a")
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景"])
    desk.submit()
    expect(page.locator(".threshold-label")).to_contain_text("> 50%")  # for this tab


def test_what_lies_untouched_above_the_chance_is_rejected_where_one_said_so(desk, page, store):
    page.get_by_label("门槛以上未处理的算拒绝").check()
    page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    desk.press("1")
    assert verdicts_of(store, desk.submit()) == {"夜景": "accepted", "摄影": "rejected", "动漫": "unjudged"}


def test_similar_questions_stand_under_the_question_with_their_tags_and_no_name(desk, page):
    rows = page.locator(".precedent-list li")
    expect(rows).to_have_count(2)
    expect(rows.first.locator(".precedent-title")).to_have_text("拍夜景时光圈怎么搭配？")
    expect(rows.first.locator(".tagged")).to_have_text(["摄影", "夜景"])
    expect(rows.first.locator(".precedent-about")).to_have_text(
        re.compile(rf"#{ALMOST} · 标注员 · \d{{4}}-\d\d-\d\d · 相似 91%")
    )
    expect(rows.last.locator(".precedent-about")).to_contain_text("研究员")
    said = page.locator(".board").inner_text()
    assert not any(name in said for name in NAMES.values())
    expect(page.locator(".legend")).to_contain_text("采用最相似问题的标签")


def test_one_key_takes_over_the_tags_of_the_nearest_and_gives_them_back(desk, page, store):
    desk.press("3", "3")  # rejected by hand: stays so
    desk.press("p")
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"])
    expect(page.locator(".precedent-list .taking").first).to_have_attribute("aria-pressed", "true")
    desk.press("p")
    expect(page.locator(".tag.accepted")).to_have_count(0)
    expect(page.locator(".tag.rejected .name")).to_have_text(["动漫"])
    desk.press("1", "1")  # 夜景 rejected, then accepted by the precedent, then as it was
    expect(page.locator(".tag.rejected .name")).to_have_text(["夜景", "动漫"])
    desk.press("p", "p")
    expect(page.locator(".tag.rejected .name")).to_have_text(["夜景", "动漫"])
    desk.press("p")
    page.reload()
    desk.wait()
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"])
    desk.press("p")  # what is given back is known after a reload too
    expect(page.locator(".tag.accepted")).to_have_count(0)
    desk.press("p")
    number = desk.submit()
    assert verdicts_of(store, number) == {"夜景": "accepted", "摄影": "accepted", "动漫": "rejected"}
    desk.press("u")
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"], timeout=30_000)


def test_tags_of_another_one_are_taken_over_too_and_what_is_not_offered_is_added(desk, page, store):
    desk.press("Shift+Digit2")
    expect(page.locator(".tag.accepted .name")).to_have_text(["摄影"])
    expect(page.locator(".added li")).to_contain_text("三脚架")
    expect(page.locator(".precedent-list .chosen")).to_have_text(["摄影", "摄影", "三脚架"])
    desk.press("Shift+Digit2")
    expect(page.locator(".added li")).to_have_count(0)
    page.locator(".precedent-list .taking").last.click()
    expect(page.locator(".added li")).to_contain_text("三脚架")
    expect(page.locator(".precedent-list .taking").last).to_contain_text("已采用")
    assert verdicts_of(store, desk.submit()) == {  # Enter is not the button's that was clicked
        "摄影": "accepted",
        "三脚架": "added",
        "夜景": "unjudged",
        "动漫": "unjudged",
    }


def test_a_precedents_key_that_can_do_nothing_says_so(desk, page):
    desk.press("Shift+Digit3")
    expect(page.locator(".missed")).to_have_text("⇧3 没有生效：没有这样的类似问题")
    desk.press("1", "2", "p")
    expect(page.locator(".missed")).to_have_text("P 没有生效：它的标签都已经选上了")
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"])
    desk.press("/")
    page.keyboard.type("p")
    expect(page.locator(".search-box")).to_have_value("p")


def test_almost_the_same_question_is_announced_above_the_tags(desk, page):
    line = page.locator(".almost")
    expect(line).to_contain_text(f"与已决定的 #{ALMOST} 几乎相同：摄影、夜景")
    assert line.bounding_box()["y"] < page.locator(".tags").bounding_box()["y"]
    line.get_by_role("button").click()
    expect(page.locator(".tag.accepted .name")).to_have_text(["夜景", "摄影"])
    expect(line.get_by_role("button")).to_contain_text("已采用")


def test_a_choice_that_contradicts_it_is_told_before_it_is_submitted(desk, page, store):
    line = page.locator(".differs")
    expect(line).to_be_empty()
    desk.press("3")
    expect(line).to_have_text(f"与几乎相同的 #{ALMOST} 不同：它有 摄影、夜景；它拒绝了 动漫")
    desk.press("1")
    expect(line).to_have_text(f"与几乎相同的 #{ALMOST} 不同：它有 摄影；它拒绝了 动漫")
    desk.press("2", "3")
    expect(line).to_be_empty()
    desk.press("2")
    expect(line).to_have_text(f"与几乎相同的 #{ALMOST} 不同：它有 摄影")
    number = desk.submit()  # it is said, and that is all
    assert verdicts_of(store, number) == {"夜景": "accepted", "摄影": "rejected", "动漫": "rejected"}


def test_nothing_of_it_stands_beside_a_blind_question(desk, page):
    choose_source(page, "blind")
    expect(page.locator("h1.title")).to_contain_text("盲标", timeout=30_000)
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="来源")).to_have_count(0, timeout=20_000)
    desk.wait()
    for part in (".precedents", ".almost", ".cutting", ".evidence"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator(".tag")).to_have_count(0)
    expect(page.locator(".board")).not_to_contain_text("光圈")  # the decided question's title
    desk.press("p")
    expect(page.locator(".missed")).to_contain_text("没有这样的类似问题")
    desk.press("/")
    page.keyboard.type("动漫")
    expect(page.locator(".matches li").first).to_contain_text("动漫", timeout=20_000)
    desk.press("Enter", "Escape")
    expect(page.locator(".added li")).to_contain_text("动漫")
    expect(page.locator(".differs")).to_be_empty()


def test_a_model_without_a_ranker_has_votes(desk, page):
    choose_source(page, "votes")
    expect(page.locator("h1.title")).to_contain_text("部电影", timeout=30_000)
    expect(page.locator(".threshold-label")).to_have_text("门槛：票数 > 2 / 8")
    expect(page.locator(".tag .said")).to_have_text(["p 50.0%7 / 8", "p 50.0%1 / 8"])
    expect(page.locator(".tag .told")).to_have_count(0)
    expect(page.locator(".precedents")).to_be_hidden()
    expect(page.locator(".almost")).to_be_hidden()
    expect(page.locator(".legend")).not_to_contain_text("采用")


def test_the_words_that_were_looked_at_are_the_questions_own(desk, page):
    desk.press("ArrowDown")
    expect(page.locator(".evidence-head")).to_contain_text("“摄影”", timeout=30_000)
    words = page.locator(".words span").all_inner_texts()
    assert "".join(words) == desk.title.replace("？", "?")  # as the model reads it
    top = {part: page.locator(part).bounding_box()["y"] for part in (".question", ".precedents", ".evidence")}
    assert sorted(top, key=top.get) == [".question", ".precedents", ".evidence"]


def test_on_a_phone_the_tags_come_before_the_similar_questions_and_nothing_is_too_wide(desk, page):
    page.set_viewport_size({"width": 430, "height": 900})
    parts = (".title", ".almost", ".tags", ".precedents")
    tops = [page.locator(part).bounding_box()["y"] for part in parts]
    assert tops == sorted(tops)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("part => part.scrollWidth <= part.clientWidth")
    page.locator(".precedent-list .taking").last.click()
    expect(page.locator(".added li")).to_contain_text("三脚架")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(page, server, person, scheme):
    page.emulate_media(color_scheme=scheme)
    desk = DeskPage(page, server.url, person)
    expect(page.locator(".board")).to_have_attribute("data-scheme", scheme, timeout=30_000)
    desk.press("p", "3")
    expect(page.locator(".differs")).not_to_be_empty()
    assert last_violations(page) == []
