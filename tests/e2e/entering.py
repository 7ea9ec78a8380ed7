"""Coming to a page under a name, as a person does: the address asks for it, and a click says yes."""

from playwright.sync_api import Page, expect

PATIENCE = 60_000  # milliseconds


def enter(page: Page, address: str) -> None:
    """Open an address with `as=`; a browser that has been asked once is inside at once."""
    page.goto(address)
    yes = page.locator(".st-key-person-take button")
    expect(yes.or_(page.locator(".st-key-header")).first).to_be_attached(timeout=PATIENCE)
    if yes.count():
        yes.click()
        expect(yes).to_have_count(0, timeout=PATIENCE)
