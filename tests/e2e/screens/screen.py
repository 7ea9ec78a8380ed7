"""A page of the app as its visitor sees it: widgets are found by their keys, which are the same in every language."""

import re
from datetime import date
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.e2e.desk import eventually

PATIENCE = 30_000  # milliseconds; a busy machine is slow, and a wrong answer fails all the same


class Screen:
    """A browser page on one of the app's pages."""

    def __init__(self, page: Page):
        self.page = page
        self.main = page.locator("[data-testid=stMainBlockContainer]")

    def widget(self, key: str) -> Locator:
        """By its key, or by how its key begins if that ends in `*`."""
        return self.page.locator(f"[class*='st-key-{key[:-1]}']" if key.endswith("*") else f".st-key-{key}")

    def plots(self, key: str) -> Locator:
        return self.widget(key).locator(".js-plotly-plot")

    def read_plots(self, key: str, what: str, count: int = 1) -> list:
        """What a JavaScript function says about each of `count` drawings, once there are no more and no fewer.

        While a page runs anew it may show the old one beside the new, or one with nothing in it yet.
        """
        found: list = []

        def there() -> bool:
            found[:] = self.plots(key).evaluate_all(f"plots => plots.filter(plot => plot.data).map({what})")
            return len(found) == count

        eventually(there)
        return found

    def see(self, words: str | re.Pattern) -> Locator:
        """Wait until the words are on the page."""
        found = self.main.get_by_text(words).first
        expect(found).to_be_visible(timeout=PATIENCE)
        return found

    def write(self, box: Locator, words: str) -> None:
        field = box.locator("input").first
        field.fill(words)
        field.press("Enter")

    def set_day(self, box: Locator, day: date) -> None:
        box.get_by_role("spinbutton").first.click()
        self.page.keyboard.type(f"{day:%Y%m%d}")
        self.page.keyboard.press("Escape")  # the day counts when its calendar is closed

    def pick(self, key: str, name: str | re.Pattern) -> None:
        """One of several names side by side."""
        self.widget(key).get_by_role("radio", name=name).click()

    def select(self, box: Locator, name: str) -> None:
        """An entry of a list that opens; typing narrows it down. A page that runs again meanwhile closes the list."""

        def is_chosen() -> bool:
            box.locator("input").first.fill(name)
            try:
                self.page.get_by_role("option", name=name, exact=True).first.click(timeout=3_000)
            except TimeoutError:
                return False
            return True

        eventually(is_chosen)

    def upload(self, key: str, name: str, content: bytes, then: str | re.Pattern) -> None:
        """Give a file to an uploader, and again if it did not take it; `then` is what the page says once it has.

        The uploader asks the server where to send a file. Streamlit throws its answer away if the page happens to
        begin a new run just then (`ForwardMsgQueue.clear`), and the uploader goes on as if nothing had been chosen.
        """
        field = self.widget(key).locator("input[type=file]")

        def is_taken() -> bool:
            field.set_input_files({"name": name, "mimeType": "application/jsonl", "buffer": content})
            try:
                expect(self.main.get_by_text(then).first).to_be_visible(timeout=10_000)
            except AssertionError:
                return False
            return True

        eventually(is_taken, seconds=60)

    def press(self, name: str) -> None:
        self.main.get_by_role("button", name=name, exact=True).click()

    def download(self, box: Locator) -> tuple[str, bytes]:
        """The name and the content of the file that a click brings."""
        with self.page.expect_download(timeout=PATIENCE) as waiting:
            box.get_by_role("button").click()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()

    def tables(self) -> Locator:
        return self.main.locator("[data-testid=stDataFrame]")

    def cells(self, table: Locator) -> list[str]:
        """What a table shows: it is painted, but has its texts for those who cannot see."""
        expect(table.locator("td").first).to_be_attached(timeout=PATIENCE)
        return table.locator("td").all_text_contents()
