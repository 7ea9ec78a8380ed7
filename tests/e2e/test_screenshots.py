"""Pictures of every screen, made from the sample questions with the starter model.

`UPDATE_SCREENSHOTS=1 make test ARGS="tests/e2e/test_screenshots.py"` writes the ones the documents show to docs/images.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.learning import process
from app.learning.recipe import Options
from app.settings import Settings
from db import ledger, people, queue, training_runs
from db.ledger import Submission
from tests.e2e.conftest import ROOT, start_server
from tests.e2e.desk import DeskPage, eventually, open_store

IMAGES = ROOT / "docs" / "images"
PAGES = ("annotate", "attention", "beams", "history", "export", "dashboard", "retrain", "queue")
VIEWS = {
    "zh-light": {"locale": "zh-CN", "color_scheme": "light"},
    "en-dark": {"locale": "en-US", "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("screenshots")


@pytest.fixture(scope="module")
def address(folder, browser):
    """The app on the samples, with two days' worth of made-up decisions in its store."""
    settings = {
        "L2A_MODEL": str(ROOT / "models" / "starter"),
        "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}",
        "L2A_RUNS": str(folder / "runs"),
    }
    with start_server(folder / "server.log", settings) as server:
        page = browser.new_page()
        DeskPage(page, server.url, "chen")
        page.close()
        with open_store(folder) as store:
            decide_some(store)
            train_once(Settings.from_environment(settings), store)
        yield server.url


def decide_some(store) -> None:
    """Two people take their samples' own tags, with a few disagreements."""
    with store.read() as session:
        chen = people.find(session, "chen").id
    li = store.run(lambda session: people.add(session, "li", by=chen).id)
    store.run(lambda session: queue.set_overlap(session, 2, by=chen))
    for number in range(24):
        for person in (chen, li):
            claim = store.run(lambda session, person=person: queue.claim(session, person, another=True))
            taken = claim.prior_tags[: 1 + (number + person) % 3]
            submission = Submission(
                question_id=claim.question_id,
                person_id=person,
                verdicts=dict.fromkeys(taken, "added"),
                lease_id=claim.lease_id,
                seconds=4 + number % 9,
            )
            store.run(lambda session, submission=submission: ledger.submit(session, submission))


def train_once(settings: Settings, store) -> None:
    """A real training, as short as can be, so that the retrain page has something to show."""
    run = process.start(settings, store, None, Options(epochs=1))
    eventually(lambda: process.look(store) is None, seconds=240)
    with store.read() as session:
        found = training_runs.get(session, run.id)
    assert found.state == "finished", found.message


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PAGES)
def test_every_screen_draws_without_an_error(browser, address, folder, name, view):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, **VIEWS[view])
    page = context.new_page()
    page.goto(f"{address}/{'' if name == 'annotate' else name}?as=chen")
    if name == "annotate":
        expect(page.locator("h1.title")).not_to_be_empty(timeout=60_000)
        page.wait_for_timeout(400)
        page.keyboard.press("1")
        expect(page.locator(".evidence")).to_be_visible(timeout=30_000)
    else:
        expect(
            page.locator("[data-testid=stMainBlockContainer] [data-testid=stElementContainer]").nth(4)
        ).to_be_visible(timeout=60_000)
        page.wait_for_timeout(3000)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    path = folder / f"{name}-{view}.png"
    page.screenshot(path=path)
    context.close()
    assert path.stat().st_size > 20_000
    if os.environ.get("UPDATE_SCREENSHOTS"):
        IMAGES.mkdir(exist_ok=True)
        (IMAGES / path.name).write_bytes(path.read_bytes())
