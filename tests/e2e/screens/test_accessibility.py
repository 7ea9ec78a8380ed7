"""Every page for everybody: axe-core finds no serious or critical violation, in both themes and both languages.

Every page is opened here, so this is also where it shows that none breaks the content policy (app/access/headers.py)
or fails to draw: `open_screen` lets no error pass that a browser reports. The long run (make soak) has the other two
views.
"""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from app.entry.frame import PAGES
from tests.e2e.screens.screen import PATIENCE

GRAVE = ("serious", "critical")
VIEWS = [("zh", "light"), ("en", "dark")]
OTHER_VIEWS = [("zh", "dark"), ("en", "light")]


def settle(screen, name: str) -> None:
    """Wait until the page has drawn what it draws by itself."""
    if name == "annotate":
        expect(screen.page.locator("h1.title")).not_to_be_empty(timeout=PATIENCE)
        expect(screen.page.locator(".evidence, .nothing").first).to_be_attached()
    else:
        expect(screen.main.locator("[data-testid=stElementContainer]").nth(6)).to_be_attached(timeout=PATIENCE)
    app = screen.page.locator("[data-testid=stApp]")
    for _ in range(2):  # a part that runs by itself may begin once the page has ended
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)
        expect(screen.page.locator("[data-testid=stSpinner], [data-stale=true]")).to_have_count(0, timeout=PATIENCE)
        screen.page.wait_for_timeout(200)


def last_violations(page) -> list[str]:
    """What axe finds and goes on to find: what page_script.js does comes a moment after the page was drawn."""
    for _ in range(5):
        page.wait_for_timeout(800)
        found = violations(page)
        if not found:
            break
    return found


def violations(page) -> list[str]:
    """What axe finds, a line each: how bad, which rule, where, and why."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{item['impact']} {item['id']}: {' '.join(map(str, node['target']))}: {_why(node)}"
        for item in found
        if item["impact"] in GRAVE
        for node in item["nodes"]
    ]


def _why(node: dict) -> str:
    return re.sub(r"\s+", " ", node.get("failureSummary", ""))[:300]


@pytest.mark.parametrize("name", [page.name for page in PAGES])
@pytest.mark.parametrize("views", [VIEWS, pytest.param(OTHER_VIEWS, marks=pytest.mark.soak)], ids=["views", "others"])
def test_no_grave_violation(open_screen, name, views):
    screen = open_screen("" if name == "annotate" else name, language="zh")
    found: dict[str, list[str]] = {}
    for language, scheme in views:
        screen.page.emulate_media(color_scheme=scheme)
        screen.widget("header").get_by_text({"zh": "中文", "en": "English"}[language], exact=True).click()
        expect(screen.page.locator("html")).to_have_attribute("lang", {"zh": "zh-CN", "en": "en"}[language])
        expect(screen.page.locator(".stApp")).to_have_css("color-scheme", scheme)
        settle(screen, name)
        found[f"{language} {scheme}"] = last_violations(screen.page)
    print(f"{name}: { ({view: len(lines) for view, lines in found.items()}) } serious or critical violations")
    assert not any(found.values()), "\n".join(f"{view}: {line}" for view, lines in found.items() for line in lines)
