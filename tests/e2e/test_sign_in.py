"""Team mode against a real OIDC provider: who gets in, and that no page runs for anybody else.

The app is a copy in which every page writes its name to a file before anything else: what is asked is not whether a
page looks empty, but whether it ran.
"""

import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from bench import uploads
from db import people
from db.store.engine import Store
from tests.e2e.conftest import ROOT, Server, free_port, start_server
from tests.e2e.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider, running_provider

COOKIE_SECRET = "a-cookie-secret-of-the-tests-0123456789"
ADMIN, MODERATOR = "boss@example.org", "li@example.org"
UPLOADS = 4  # megabytes at most; what more means is the same at 101, as in .streamlit/config.toml, but slower
PATIENCE = 60_000  # milliseconds; a busy machine is slow, and a wrong answer fails all the same
# Beside the home, whose address is /.
ADMIN_PAGES = {"attention", "beams", "history", "export", "dashboard", "retrain", "queue"}
MODERATOR_PAGES = ADMIN_PAGES - {"export", "retrain", "queue"}


@dataclass
class Team:
    """An app in team mode, its provider and its store; `restart` makes it a new process."""

    folder: Path
    port: int
    provider: Provider
    environment: dict[str, str]
    stack: ExitStack
    server: Server | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def store(self) -> Store:
        return Store(self.environment["L2A_DATABASE"])

    def restart(self) -> None:
        self.stack.close()
        options = ["--secrets.files", str(self.folder / "secrets.toml"), "--server.maxUploadSize", str(UPLOADS)]
        self.server = self.stack.enter_context(
            start_server(self.log, self.environment, port=self.port, options=options, folder=self.folder)
        )

    def pages_run(self) -> set[str]:
        """The pages that ran since the last call."""
        marks = self.folder / "ran"
        names = set(marks.read_text().split()) if marks.exists() else set()
        marks.unlink(missing_ok=True)
        return names


@pytest.fixture(scope="module")
def team(tiny_model, tmp_path_factory, browser: Browser) -> Iterator[Team]:
    """The app after its first admin has signed in, with one moderator and one address that nobody confirmed."""
    folder = tmp_path_factory.mktemp("team")
    _copy_app(folder)
    environment = {
        "L2A_MODE": "team",
        "L2A_ADMIN": ADMIN,
        "L2A_MODEL": str(tiny_model),
        "L2A_DATABASE": f"sqlite:///{folder}/l2a.db",
    }
    with running_provider() as provider, ExitStack() as stack:
        team = Team(folder, free_port(), provider, environment, stack)
        provider.redirect_uris.add(f"{team.url}/oauth2callback")
        _write_secrets(team)
        team.restart()
        with visitor(browser) as page:
            sign_in(page, team, ADMIN)
            expect_inside(page, ADMIN)
        with team.store as store, store.write() as session:
            admin = people.find(session, ADMIN)
            people.add(session, MODERATOR, "moderator", by=admin.id)
            people.add(session, "unverified@example.org", "admin", by=admin.id)
        yield team


@pytest.fixture(autouse=True)
def _show_log(team: Team, request) -> Iterator[None]:
    """The server's log with a failure: conftest.py adds it for a fixture called `server` only."""
    yield
    if request.session.testsfailed:
        print(team.log.read_text(errors="replace")[-5000:])


def _copy_app(folder: Path) -> None:
    for name in ("app", "db", "l2a", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "secrets.toml"))
    for name in ("streamlit_app.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "samples").symlink_to(ROOT / "samples")
    for page in (folder / "pages").glob("*.py"):
        mark = f"with open({str(folder / 'ran')!r}, 'a') as marks:\n    print({page.stem!r}, file=marks)\n"
        page.write_text(mark + page.read_text(encoding="utf-8"), encoding="utf-8")


def _write_secrets(team: Team) -> None:
    (team.folder / "secrets.toml").write_text(
        f'[auth]\nredirect_uri = "{team.url}/oauth2callback"\ncookie_secret = "{COOKIE_SECRET}"\n'
        f'client_id = "{CLIENT_ID}"\nclient_secret = "{CLIENT_SECRET}"\n'
        f'server_metadata_url = "{team.provider.issuer}/.well-known/openid-configuration"\n'
    )


@contextmanager
def visitor(browser: Browser) -> Iterator[Page]:
    """A browser of their own: no cookie is shared."""
    context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 720})
    context.set_default_timeout(PATIENCE)
    try:
        yield context.new_page()
    finally:
        context.close()


def sign_in(page: Page, team: Team, email: str, path: str = "/") -> None:
    page.goto(team.url + path)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("E-mail").fill(email)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"{team.url}/")


def expect_inside(page: Page, name: str) -> None:
    expect(page.get_by_role("button", name=re.compile(name))).to_be_visible(timeout=PATIENCE)
    expect(page.locator("header a[href$='/history']")).to_be_visible(timeout=PATIENCE)  # the navigation is drawn too


def expect_outside(page: Page) -> None:
    expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=PATIENCE)
    assert pages_listed(page) == set()


def pages_listed(page: Page) -> set[str]:
    """The pages the navigation offers."""
    links = page.locator("header a[href], [data-testid='stSidebar'] a[href]").all()
    found = {(link.get_attribute("href") or "").rstrip("/").split("/")[-1] for link in links}
    return found & ADMIN_PAGES


def test_the_first_admin_comes_in_by_the_setting(team, browser):
    with team.store as store, store.read() as session:
        assert people.everyone(session)[0].name == ADMIN
        assert people.everyone(session)[0].role == "admin"
    with visitor(browser) as page:
        sign_in(page, team, ADMIN.upper())  # the case of an address does not matter
        expect_inside(page, ADMIN)
        assert pages_listed(page) == ADMIN_PAGES
        team.pages_run()
        page.goto(f"{team.url}/export")
        expect_inside(page, ADMIN)
        # Not wait_for_function: the content policy forbids what it does.
        expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
        assert team.pages_run() == {"export"}  # so the marks work


def test_without_sign_in_no_page_runs(team, browser):
    team.pages_run()
    for path in ("/", "/queue", "/export?as=boss", "/?as=boss@example.org"):
        with visitor(browser) as page:
            page.goto(team.url + path)
            expect_outside(page)
    assert team.pages_run() == set()


def test_a_moderator_has_no_way_to_the_pages_of_others(team, browser):
    with visitor(browser) as page:
        sign_in(page, team, MODERATOR)
        expect_inside(page, MODERATOR)
        assert pages_listed(page) == MODERATOR_PAGES
        team.pages_run()
        for path in ("/queue", "/export", "/export?as=boss@example.org"):
            page.goto(team.url + path)
            expect_inside(page, MODERATOR)
            assert pages_listed(page) == MODERATOR_PAGES
        assert team.pages_run() <= {"annotate"}


@pytest.mark.parametrize(
    ("email", "heading"),
    [
        ("eve@example.org", "This account has no access yet"),
        ("unverified@example.org", "This address is not verified"),
        ("**eve**<script>alert(1)</script>@example.org", "This account has no access yet"),
    ],
)
def test_others_are_turned_away_and_can_sign_out(team, browser, email, heading):
    team.pages_run()
    with visitor(browser) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        sign_in(page, team, email, "/export")
        expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text(f"You are signed in as {email}", exact=True)).to_be_visible()
        page.goto(f"{team.url}/queue")
        expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=PATIENCE)
        before = team.provider.signed_out
        page.get_by_role("button", name="Sign out").click()
        expect_outside(page)
        assert team.provider.signed_out == before + 1  # at the provider too
    assert team.pages_run() == set()
    with team.store as store, store.read() as session:
        assert email not in {person.name for person in people.everyone(session)} - {"unverified@example.org"}


def test_signing_out_closes_the_door(team, browser):
    with visitor(browser) as page:
        sign_in(page, team, ADMIN)
        page.get_by_role("button", name=re.compile(ADMIN)).click()
        page.get_by_role("button", name="Sign out").click()
        expect_outside(page)
        team.pages_run()
        page.goto(f"{team.url}/export")
        expect_outside(page)
        page.go_back()
        expect_outside(page)
    assert team.pages_run() == set()


def test_who_is_deactivated_is_out_at_the_next_step(team, browser):
    with team.store as store, store.write() as session:
        people.add(session, "wu@example.org", "moderator", by=people.find(session, ADMIN).id)
    with visitor(browser) as page:
        sign_in(page, team, "wu@example.org")
        expect_inside(page, "wu@example.org")
        with team.store as store, store.write() as session:
            people.deactivate(session, "wu@example.org", by=people.find(session, ADMIN).id)
        team.pages_run()
        page.locator("header a[href$='/history']").click()
        expect(page.get_by_role("heading", name="This account has no access yet")).to_be_visible(timeout=PATIENCE)
    assert team.pages_run() == set()


def test_a_restart_opens_no_door_and_keeps_who_is_inside(team, browser):
    with visitor(browser) as inside, visitor(browser) as outside:
        sign_in(inside, team, MODERATOR)
        expect_inside(inside, MODERATOR)
        team.restart()
        team.pages_run()
        outside.goto(f"{team.url}/export")  # the first visit of all
        expect_outside(outside)
        assert "export" not in team.pages_run()
        team.restart()
        inside.goto(f"{team.url}/queue")  # and with a session, but without the right
        expect_inside(inside, MODERATOR)
        assert pages_listed(inside) == MODERATOR_PAGES
        assert team.pages_run() <= {"annotate"}


def test_a_cookie_of_ones_own_making_is_worth_nothing(team, browser):
    claims = f'{{"email": "{ADMIN}", "is_logged_in": true, "origin": "{team.url}", "provider": "default"}}'
    forged = create_signed_value("another-secret-0123456789-0123456789", "_streamlit_user", claims).decode()
    genuine = create_signed_value(COOKIE_SECRET, "_streamlit_user", claims).decode()
    team.pages_run()
    with visitor(browser) as page:
        page.context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": team.url}])
        page.goto(f"{team.url}/export")
        expect_outside(page)
        assert team.pages_run() == set()
        page.context.add_cookies([{"name": "_streamlit_user", "value": genuine, "url": team.url}])
        page.goto(f"{team.url}/export")
        expect_inside(page, ADMIN)  # so it was the signature


def test_files_are_taken_after_sign_in_and_not_before(team):
    """The short form of bench/uploads.py; Streamlit's own limit holds for those who may send, said or not said."""
    claims = {"email": MODERATOR, "is_logged_in": True, "origin": team.url, "provider": "default"}
    signed = create_signed_value(COOKIE_SECRET, "_streamlit_user", json.dumps(claims)).decode()
    host = team.url.removeprefix("http://")
    with uploads.visit(host) as stranger:
        code, headers = uploads.send_file(stranger, 3 << 20)
        assert code == 403
        assert headers["x-content-type-options"] == "nosniff"
        assert uploads.send_file(stranger, 3 << 20, chunked=True)[0] in (0, 403)
    with uploads.visit(host, {"_streamlit_user": signed}) as person:
        assert uploads.send_file(person, 1000)[0] == 204
        assert uploads.send_file(person, 1000, origin="http://localhost:9")[0] == 403
        assert uploads.send_file(person, (UPLOADS + 1) << 20)[0] in (0, 413)
        assert uploads.send_file(person, (UPLOADS + 2) << 20, chunked=True)[0] in (0, 413)


def test_another_host_name_gets_no_session(team, browser):
    """A page elsewhere may point its own name at this machine: the name it asks for gives it away."""
    with visitor(browser) as page:
        page.goto(team.url)
        expect_outside(page)
    team.pages_run()
    with visitor(browser) as page:
        page.goto(team.url.replace("localhost", "127.0.0.1"))  # allowed, but the provider does not know it
        expect_outside(page)
        page.goto(team.url.replace("localhost", "rebound.localhost"))
        page.wait_for_timeout(2_000)
        expect(page.get_by_role("button", name="Sign in")).to_have_count(0)
    assert team.pages_run() == set()


def test_the_health_route_needs_no_sign_in_and_tells_nothing_else(team):
    with urllib.request.urlopen(f"{team.url}/health", timeout=60) as answer:
        told = json.load(answer)
    assert (told["model"], told["database"], told["settings"]) == ("ok", "ok", "ok")
    assert set(told) == {"model", "database", "settings", "model_version", "version"}


def test_the_log_holds_no_secret(team):
    log = team.log.read_text(errors="replace")
    assert team.url in log
    for secret in (CLIENT_SECRET, COOKIE_SECRET, *team.provider.tokens):
        assert secret not in log
