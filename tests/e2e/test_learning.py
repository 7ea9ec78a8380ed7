"""The whole loop in a real browser on a real store: decide, retrain, compare, promote, roll back; and kills."""

import os
import signal

import pytest
from playwright.sync_api import Page, expect

from db.models import registry, suggestions, training_runs
from db.store.engine import Store
from tests.e2e.conftest import free_port, start_server
from tests.e2e.desk import DeskPage, eventually, open_store
from tests.e2e.entering import enter

QUESTIONS = 8
LONG = 180_000  # ms: training and gate of a tiny model, on a busy machine


@pytest.fixture
def settings(tiny_model, tmp_path) -> dict[str, str]:
    return {
        "L2A_MODEL": str(tiny_model),
        "L2A_DATABASE": f"sqlite:///{tmp_path / 'l2a.db'}",
        "L2A_RUNS": str(tmp_path / "runs"),
    }


def decide(page: Page, url: str, count: int) -> None:
    """Accept the first two tags of each question and reject the third."""
    desk = DeskPage(page, url, "li")
    for _ in range(count):
        for key, _ in zip(("1", "2", "3", "3"), desk.tags, strict=False):
            desk.press(key)
        if not desk.tags:
            desk.press("Enter")  # no tag at all: it asks once more
        desk.submit()


def live_version(store: Store) -> str:
    with store.read() as session:
        return registry.live(session).version


def versions(store: Store) -> set[str]:
    with store.read() as session:
        return {model.version for model in registry.everything(session)}


def suggested_by(store: Store, question: int) -> str:
    """The model behind the suggestion that is served for a question now."""
    with store.read() as session:
        return suggestions.fresh(session, question).model_version


def run_of(store: Store):
    with store.read() as session:
        return next(iter(training_runs.recent(session, 1)), None)


def open_retrain(page: Page, url: str) -> None:
    enter(page, f"{url}/retrain?as=li&lang=zh")


def start_training(page: Page, url: str) -> None:
    open_retrain(page, url)
    page.get_by_role("button", name="开始训练").click(timeout=60_000)


@pytest.mark.timeout(900)
def test_decisions_become_a_model_that_goes_live_and_back_and_kills_lose_nothing(page, settings, tmp_path):
    """One long way, as every part of it needs what came before: a training takes a quarter of a minute."""
    port = free_port()
    with open_store(tmp_path) as store:
        with start_server(tmp_path / "server.log", settings, port=port) as server:
            decide(page, server.url, QUESTIONS)
            before = live_version(store)
            start_training(page, server.url)
            eventually(lambda: run_of(store) is not None and run_of(store).pid is not None, seconds=60)
            os.kill(server.pid, signal.SIGKILL)
        # The app is gone, the training is not.
        eventually(lambda: run_of(store).state == "finished", seconds=180)
        with start_server(tmp_path / "server.log", settings, port=port) as server:
            open_retrain(page, server.url)
            expect(page.get_by_role("heading", name="决定太少，无法判断")).to_be_visible(
                timeout=60_000
            )  # the gate's word
            run = run_of(store)
            assert run.snapshot["train"] + run.snapshot["held_out"] + run.snapshot["near_duplicates"] == QUESTIONS
            assert run.gate["live"]["version"] == before
            expect(page.get_by_text(f"正在使用 {before}")).to_be_visible()
            promote_and_roll_back(page, server.url, store, before, run.candidate)
            # A second training, and now both are killed at once.
            start_training(page, server.url)
            eventually(lambda: run_of(store).id == 2 and run_of(store).pid is not None, seconds=60)
            os.kill(run_of(store).pid, signal.SIGKILL)
            os.kill(server.pid, signal.SIGKILL)
        known = versions(store)
        with start_server(tmp_path / "server.log", settings, port=port) as server:
            open_retrain(page, server.url)
            expect(page.get_by_text("训练 2 中断了")).to_be_visible(timeout=60_000)
            assert versions(store) == known  # nothing half done is listed
            page.get_by_role("button", name="接着训练").click()
            # By itself, at its end: with two results there is a choice.
            expect(page.locator(".st-key-retrain_result")).to_be_visible(timeout=LONG)
            run = run_of(store)
            assert (run.id, run.state) == (2, "finished")
            assert versions(store) == known | {run.candidate}
            desk = DeskPage(page, server.url, "li")  # and people go on
            desk.press("1") if desk.tags else desk.press("Enter")
            desk.submit()


def promote_and_roll_back(page: Page, url: str, store: Store, before: str, candidate: str) -> None:
    """On the retrain page; the suggestions at the desk are those of the model that is live."""
    page.get_by_role("button", name="启用新模型").click()
    page.get_by_role("button", name="仍要启用").click(timeout=30_000)
    expect(page.get_by_text(f"现在使用 {candidate}")).to_be_visible(timeout=30_000)
    assert live_version(store) == candidate != before
    desk = DeskPage(page, url, "li")
    assert suggested_by(store, desk.item) == candidate
    desk.press("1") if desk.tags else desk.press("Enter")
    desk.submit()
    assert suggested_by(store, desk.item) == candidate

    open_retrain(page, url)
    page.get_by_role("button", name="退回上一个版本").click(timeout=60_000)
    page.get_by_role("button", name="退回", exact=True).click(timeout=30_000)
    expect(page.get_by_text(f"现在使用 {before}")).to_be_visible(timeout=30_000)
    assert live_version(store) == before
    desk = DeskPage(page, url, "li")
    assert suggested_by(store, desk.item) == before
