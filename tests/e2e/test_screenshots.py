"""Pictures of every screen, made from the sample questions with the starter model.

`UPDATE_SCREENSHOTS=1 make soak ARGS="tests/e2e/test_screenshots.py"` writes the ones the documents show to docs/images.
A part of the long run: that every screen draws is tested in the ordinary one too (screens/test_accessibility.py), but
without the starter model and a training.
"""

import os
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.annotate.desk import Item
from app.entry.resources import load_tagger
from app.learning import process
from app.learning.recipe import Options
from app.serving.suggester import Suggester
from app.shell.settings import Settings
from app.transfer.importer import import_file
from db import people
from db.ledger import entries as ledger
from db.ledger.entries import Submission
from db.models import training_runs
from db.queue import claims as queue
from db.store import moments, schema
from tests.conftest import SAMPLES
from tests.e2e.conftest import ROOT, start_server
from tests.e2e.desk import DeskPage, eventually, open_store
from tests.e2e.entering import enter

UPDATES = bool(os.environ.get("UPDATE_SCREENSHOTS"))
DAYS, DECIDED = 7, 90
IMAGES = ROOT / "docs" / "images"
PAGES = ("annotate", "attention", "beams", "history", "tags", "export", "dashboard", "retrain", "queue")
VIEWS = {
    "zh-light": {"locale": "zh-CN", "color_scheme": "light"},
    "en-dark": {"locale": "en-US", "color_scheme": "dark"},
}
SHOTS = [(name, view) for name in PAGES for view in VIEWS]

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("screenshots")


@pytest.fixture(scope="module")
def address(folder, browser):
    """The app on the samples, with a week of made-up decisions in its store."""
    environment = {
        "L2A_MODEL": str(ROOT / "models" / "starter"),
        "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}",
        "L2A_RUNS": str(folder / "runs"),
    }
    settings = Settings.from_environment(environment)
    with open_store(folder) as store:
        decide_some(settings, store)
        train_once(settings, store)
    with start_server(folder / "server.log", environment) as server:
        page = browser.new_page()
        DeskPage(page, server.url, "chen")
        page.close()
        yield server.url


def decide_some(settings: Settings, store) -> None:
    """Three people judge the model's suggestions by their samples' own tags, under a clock that is set back."""
    noon = datetime.now(UTC).replace(hour=4, minute=0, second=0, microsecond=0)
    with pytest.MonkeyPatch.context() as patch:
        clock = {"now": noon - timedelta(days=DAYS + 1)}
        patch.setattr(moments, "read_clock", lambda session: clock["now"])
        schema.prepare(store)
        import_file(store, str(SAMPLES), source="sample", skip_bad=True)
        team = [store.run(lambda session: people.add(session, "chen", "admin").id)]
        for name in ("li", "wang"):
            team.append(store.run(lambda session, name=name: people.add(session, name, by=team[0]).id))
        store.run(lambda session: queue.set_overlap(session, 2, by=team[0]))
        suggester = Suggester(store, load_tagger, settings.model)
        for number in range(DECIDED):
            clock["now"] = noon - timedelta(days=DAYS - number * DAYS // DECIDED)
            people_asked = team[:2] if number % 8 == 0 else [team[number % 3]]
            for person in people_asked:
                claim = store.run(partial(queue.claim_question, person_id=person, question_id=number + 1))
                item = Item(claim, suggester.for_question(claim.question_id, claim.title, claim.description))
                store.run(partial(decide, item=item, person=person, number=number))


def decide(session, item: Item, person: int, number: int) -> None:
    """Kept tags are judged, as people do; the second person of a question is stricter."""
    own = item.claim.prior_tags[: 2 if person % 2 else 3]
    kept = [tag.tag for tag in item.shown if tag.kept]
    verdicts = {tag: "accepted" if tag in own else "rejected" for tag in kept}
    verdicts |= {tag: "added" for tag in own if tag not in verdicts}
    submission = Submission(
        question_id=item.claim.question_id,
        person_id=person,
        verdicts=verdicts,
        suggestion_id=item.suggestion.id,
        shown=[tag.tag for tag in item.shown],
        lease_id=item.claim.lease_id,
        seconds=4.0 + (7 * number) % 17 / 2,
    )
    ledger.submit(session, submission)


def train_once(settings: Settings, store) -> None:
    """A real training, as short as can be, so that the retrain page has something to show."""
    run = process.start(settings, store, None, Options(epochs=1))
    eventually(lambda: process.look(store) is None, seconds=240)
    with store.read() as session:
        found = training_runs.get(session, run.id)
    assert found.state == "finished", found.message


@pytest.mark.parametrize(("name", "view"), SHOTS)
def test_every_screen_draws_without_an_error(browser, address, folder, name, view):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, **VIEWS[view])
    page = context.new_page()
    enter(page, f"{address}/{'' if name == 'annotate' else name}?as=chen")
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
    if UPDATES:
        IMAGES.mkdir(exist_ok=True)
        (IMAGES / path.name).write_bytes(path.read_bytes())
