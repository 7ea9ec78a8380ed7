"""The doors as a browser sees them: no page breaks the content policy, none is framed, no address makes anybody."""

import http.server
import re
import threading

import pytest
from playwright.sync_api import expect

from db import people
from tests.e2e.screens.screen import PATIENCE


def test_a_page_brings_its_policy_and_keeps_its_address(open_screen):
    """That no page breaks the policy shows where every page is opened (test_accessibility.py)."""
    page = open_screen("history").page
    assert "/history?" in page.url  # the click that says who one is leads nowhere else
    assert "frame-ancestors 'none'" in page.request.get(page.url).headers["content-security-policy"]


def names(studio) -> set[str]:
    with studio.store.read() as session:
        return {person.name for person in people.everyone(session)}


def test_an_address_makes_nobody_without_a_click(studio, browser):
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.goto(f"{studio.server.url}/history?as=mallory&lang=en")
    yes = page.get_by_role("button", name="Continue as mallory")
    expect(yes).to_be_visible(timeout=PATIENCE)
    expect(page.locator("header a[href$='/history']")).to_have_count(0)
    assert "mallory" not in names(studio)
    yes.click()
    expect(page.locator("header a[href$='/history']")).to_be_visible(timeout=PATIENCE)
    assert "mallory" in names(studio)
    page.reload()  # clicked once in this browser
    expect(page.get_by_role("button", name=re.compile("mallory"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator("header a[href$='/history']")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{studio.server.url}/?as=mallory2&lang=en")
    page.get_by_role("button", name=re.compile("^Stay ")).click()
    expect(page.locator("header a[href$='/history']")).to_be_visible(timeout=PATIENCE)
    assert "mallory2" not in names(studio)
    context.close()


@pytest.fixture
def foreign(studio):
    """A page of another address that shows ours in a frame."""
    content = f"<!doctype html><title>foreign</title><iframe src='{studio.server.url}/?as=framed'></iframe>".encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}"
        server.shutdown()


def test_a_foreign_page_does_not_frame_ours(studio, browser, foreign):
    page = browser.new_page()
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text, timeout=PATIENCE):
        page.goto(foreign)
    page.wait_for_timeout(2_000)
    assert all(frame.locator("[data-testid=stApp]").count() == 0 for frame in page.frames)
    assert "framed" not in names(studio)
    page.close()
