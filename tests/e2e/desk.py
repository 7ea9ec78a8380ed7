"""The annotate page as a person at the keyboard sees it."""

import re
import time

from playwright.sync_api import Page, expect

from db.store.engine import Store
from tests.e2e.entering import enter
from tests.e2e.timing import timed

SETTLE = 350  # ms; a little more than the board itself waits before a key may decide


class DeskPage:
    """A browser page on the annotate page of a server."""

    def __init__(self, page: Page, url: str, person: str, language: str = "zh"):
        self.page = page
        self.url = f"{url}/?as={person}&lang={language}"
        enter(page, self.url)
        self.wait()

    @property
    def title(self) -> str:
        return self.page.locator("h1.title").inner_text()

    @property
    def item(self) -> int:
        """The number of the question on the screen."""
        return int(self.page.locator(".meta span").first.inner_text().removeprefix("#"))

    @property
    def state(self):
        return self.page.locator(".state")

    @property
    def tags(self) -> list[str]:
        return self.page.locator(".tag .name").all_inner_texts()

    def wait(self) -> None:
        expect(self.page.locator("h1.title")).not_to_be_empty(timeout=60_000)
        self.page.wait_for_timeout(SETTLE)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def submit(self) -> int:
        """Press Enter, wait for the receipt and the next question; returns the receipt's number."""
        before = self.item
        with timed("annotate: submit to next question"):
            self.press("Enter")
            number = self.receipt()
            expect(self.page.locator(".meta span").first).not_to_have_text(f"#{before}", timeout=30_000)
        self.page.wait_for_timeout(SETTLE)
        return number

    def receipt(self) -> int:
        expect(self.state).to_have_class(re.compile("saved"), timeout=30_000)
        return int(re.findall(r"\d+", self.state.inner_text())[-1])


def eventually(condition, seconds: float = 20.0) -> None:
    """Wait until something about the store holds that no page shows."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


def open_store(folder) -> Store:
    return Store(f"sqlite:///{folder / 'l2a.db'}")
