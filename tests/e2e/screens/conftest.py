"""One server, one browser and one prepared store for the tests of all screens."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, expect
from sqlalchemy import update

from app.transfer.importer import import_file
from db import people
from db.ledger import labels
from db.models import registry
from db.queue import claims as queue
from db.store import moments, schema
from db.store.engine import Store
from db.store.tables import Question
from l2a.tagger import Tagger
from tests.conftest import SAMPLES
from tests.db.actions import decide, suggest
from tests.e2e import timing
from tests.e2e.conftest import ROOT, Server, start_server
from tests.e2e.desk import DeskPage, open_store
from tests.e2e.entering import enter
from tests.e2e.screens.screen import PATIENCE, Screen

ZONE = "Asia/Shanghai"
HOUR = 4  # UTC; the day is the same in ZONE
ROLES = {"zhao": "researcher", "li": "moderator", "wang": "moderator"}  # chen is the admin
# Who decided about which questions, and how many days ago. Each test changes only what is said to be its own.
DONE = (
    ("li", range(1, 13), 5),
    ("wang", range(13, 25), 4),
    ("zhao", range(31, 37), 3),
    ("li", range(25, 29), 2),  # in conflict with those of the next line; for the history page
    ("wang", range(25, 29), 2),
    ("chen", range(39, 43), 1),  # for the history page
)
BY_HAND = "手写的新标签"  # what zhao adds everywhere
OTHER_MODEL = ROOT / "models" / "starter"
# Streamlit's own: at a page's address it first asks below that address whether a server is there.
LOOKING_FOR_THE_SERVER = re.compile(r"/\w+/_stcore/(health|host-config)$")


@dataclass(frozen=True)
class Studio:
    """The running app and what is in its store."""

    server: Server
    store: Store
    today: date
    other_version: str

    def day(self, ago: int) -> date:
        return self.today - timedelta(days=ago)


@pytest.fixture(scope="session")
def server(tiny_model, tmp_path_factory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("screens")
    settings = {
        "L2A_MODEL": str(tiny_model),
        "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}",
        "L2A_RUNS": str(folder / "runs"),
    }
    with open_store(folder) as store:
        fill(store, Tagger.load(tiny_model).version, str(tiny_model))
    with start_server(folder / "server.log", settings) as running:
        yield running


@pytest.fixture(scope="session")
def studio(server, browser) -> Iterator[Studio]:
    page = browser.new_page()
    DeskPage(page, server.url, "chen")
    timing.record("server start to first question", time.monotonic() - server.started)
    page.close()
    with open_store(server.log.parent) as store:
        yield Studio(server, store, datetime.now(UTC).date(), Tagger.load(OTHER_MODEL).version)


@pytest.fixture(scope="session")
def visitors(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """The browsers of those who were here, by their names: who comes again finds the program's files at hand."""
    opened: dict[str, BrowserContext] = {}
    yield opened
    for context in opened.values():
        context.close()


@pytest.fixture
def open_screen(browser: Browser, studio: Studio, visitors) -> Iterator[Callable[..., Screen]]:
    """Call it with a page's address for a visitor's browser on it; at the end no page may have shown an error."""
    opened: list[Screen] = []
    wrong: list[str] = []

    def listen(said: ConsoleMessage) -> None:
        if said.type == "error" and not LOOKING_FOR_THE_SERVER.search(said.location["url"]):
            wrong.append(f"{said.location['url']}: {said.text}")

    def open_page(address: str, person: str = "chen", language: str = "zh") -> Screen:
        if person not in visitors:
            visitors[person] = browser.new_context(
                locale="zh-CN",
                timezone_id=ZONE,
                viewport={"width": 1280, "height": 1000},
                accept_downloads=True,
            )
            visitors[person].set_default_timeout(PATIENCE)
        page = visitors[person].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", listen)
        screen = Screen(page)
        opened.append(screen)
        address = address if "://" in address else f"{studio.server.url}/{address}"
        mark = "&" if "?" in address else "?"
        with timing.timed("page opened"):
            enter(page, f"{address}{mark}as={person}{'' if 'lang=' in address else f'&lang={language}'}")
            expect(page.locator("header a[href$='/history']")).to_be_attached(timeout=PATIENCE)
            expect(screen.main.locator("[data-testid=stElementContainer]").nth(1)).to_be_attached(timeout=PATIENCE)
        return screen

    yield open_page
    for screen in opened:
        expect(screen.page.locator("[data-testid=stException]")).to_have_count(0)
        expect(screen.page.get_by_text(re.compile("encountered an error|Traceback"))).to_have_count(0)
        screen.page.close()
    assert wrong == []


def fill(store: Store, version: str, folder: str) -> None:
    """A few dozen decisions of several days, made by the store's own functions under a clock that is set back."""
    noon = datetime.now(UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    clock = {"now": noon - timedelta(days=9)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "read_clock", lambda session: clock["now"])
        schema.prepare(store)
        import_file(store, str(SAMPLES), source="samples", skip_bad=True)

        def begin(session) -> dict[str, int]:
            session.execute(update(Question).values(created_at=clock["now"]))
            chen = people.add(session, "chen", "admin").id
            registry.register(session, version, folder)
            registry.promote(session, version, chen)
            registry.register(session, Tagger.load(OTHER_MODEL).version, str(OTHER_MODEL.relative_to(ROOT)))
            queue.set_overlap(session, 2, by=chen)
            return {"chen": chen} | {name: people.add(session, name, role, by=chen).id for name, role in ROLES.items()}

        ids = store.run(begin)
        for person, questions, ago in DONE:
            clock["now"] = noon - timedelta(days=ago)
            for question in questions:
                _decide(store, question, ids[person], version, swap=person == "wang", by_hand=person == "zhao")


def _decide(store: Store, question: int, person_id: int, version: str, *, swap: bool, by_hand: bool) -> None:
    """The first of the question's own tags is accepted and the second rejected, or the other way round."""
    with store.read() as session:
        tags = (*labels.look_at(session, question).prior_tags, "其他")[:2]
    suggestion = suggest(store, question, {tags[0]: 6, tags[1]: 3}, version=version, beam=8)
    good, bad = reversed(tags) if swap else tags
    verdicts = {good: "accepted", bad: "rejected"} | ({BY_HAND: "added"} if by_hand else {})
    decide(store, question, person_id, verdicts=verdicts, suggestion_id=suggestion, seconds=4.0 + question % 9)
